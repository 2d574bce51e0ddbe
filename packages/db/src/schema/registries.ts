import { bigint } from "drizzle-orm/pg-core";
import { signalbox, tenantId, tenantsIsolation } from "./columns.ts";

/**
 * Counts the changes of a tenant's registry: packs, instances, breakers, the active policy. Whoever changes one of these
 * raises the count first and holds its row until the commit, so that a reader who has seen n has seen all up to n.
 */
export const registries = signalbox.table(
  "registries",
  {
    tenantId: tenantId().primaryKey(),
    change: bigint({ mode: "number" }).notNull(),
  },
  (table) => [tenantsIsolation(table.tenantId)],
);
