import { sql } from "drizzle-orm";
import { bigint, check, index, integer, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, exactJson, moment, signalbox, tenantId, tenantsIsolation } from "./columns.ts";
import { tenants } from "./tenants.ts";

/** One row a pack and version; immutable by grant and by trigger (drizzle/*_guards.sql). */
export const packs = signalbox.table(
  "packs",
  {
    tenantId: tenantId().references(() => tenants.tenantId),
    packId: text("pack_id").notNull(),
    packVersion: text("pack_version").notNull(),
    /** The manifest's protobuf JSON, as it was stored first. */
    manifest: exactJson().notNull(),
    /** SHA-256 of what makes two manifests the same content. */
    contentDigest: bytes("content_digest").notNull(),
    /** RiskTier's number. */
    safetyTier: integer("safety_tier").notNull(),
    supportedTaskTypes: text("supported_task_types").array().notNull(),
    /** The registry's change that brought it (schema/registries.ts). */
    change: bigint({ mode: "number" }).notNull().default(0),
    registeredAt: moment("registered_at")
      .notNull()
      .default(sql`now()`),
    registeredBy: text("registered_by").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.packId, table.packVersion] }),
    index("packs_by_registration").on(table.tenantId, table.registeredAt, table.packId, table.packVersion),
    index("packs_by_change").on(table.tenantId, table.change),
    check("packs_content_digest_is_sha256", sql`octet_length(${table.contentDigest}) = 32`),
    tenantsIsolation(table.tenantId),
  ],
);
