import { sql } from "drizzle-orm";
import { customType, pgPolicy, pgRole, pgSchema, text, type AnyPgColumn } from "drizzle-orm/pg-core";

export const signalbox = pgSchema("signalbox");

/** Roles belong to the whole cluster: prepare/roles.ts makes them, never a migration. */
export const appRole = pgRole("signalbox_app").existing();
export const ownerRole = pgRole("signalbox_owner").existing();

/** Every tenant table's key begins with it, so that tables can be sharded by tenant. */
export const tenantId = () => text("tenant_id").notNull();

/**
 * Row security's one condition. Outside `inTenant` the setting is absent or, after a transaction that had set it, the
 * empty string: both become NULL here, which equals nothing.
 */
const CURRENT_TENANT = sql.raw("NULLIF(current_setting('signalbox.tenant_id', true), '')");

export function tenantIsolation(tenant: AnyPgColumn) {
  return pgPolicy("tenant_isolation", {
    as: "permissive",
    for: "all",
    to: appRole,
    using: sql`${tenant} = ${CURRENT_TENANT}`,
    withCheck: sql`${tenant} = ${CURRENT_TENANT}`,
  });
}

/**
 * A batch of the orchestrator works for several tenants: the setting names them all, joined by commas, which no tenant's
 * id holds. As a sub-select it is evaluated once a statement and not once a row. Tables that keep `tenantIsolation`
 * show nothing to such a batch, since no tenant is called by the whole list.
 */
const LISTED_TENANTS = sql.raw(
  "(SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]",
);

export function tenantsIsolation(tenant: AnyPgColumn) {
  return pgPolicy("tenant_isolation", {
    as: "permissive",
    for: "all",
    to: appRole,
    using: sql`${tenant} = ANY (${LISTED_TENANTS})`,
    withCheck: sql`${tenant} = ANY (${LISTED_TENANTS})`,
  });
}

/** Forced row security binds the owner too; the functions that run as it, before a tenant is known or for all of them, need to read. */
export function lookUpByOwner() {
  return pgPolicy("look_up_by_owner", { as: "permissive", for: "select", to: ownerRole, using: sql`true` });
}

export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => "bytea",
});

/** Every connection's time zone is UTC, so Postgres prints `2026-01-31 12:00:00.123456+00`. */
export function readExactMoment(printed: unknown): string {
  return String(printed).replace(" ", "T").replace(/\+00$/, "Z");
}

export function readMoment(printed: unknown): Date {
  return new Date(readExactMoment(printed));
}

/** A moment to the millisecond, which is all that a `Date` can hold: what is read back is what was stored. */
export const moment = customType<{ data: Date; driverData: string }>({
  dataType: () => "timestamp (3) with time zone",
  fromDriver: readMoment,
  toDriver: (value) => value.toISOString(),
});

/** A moment to the microsecond, as text in UTC: the audit log's order would be lost in a `Date`. */
export const exactMoment = customType<{ data: string; driverData: string }>({
  dataType: () => "timestamp with time zone",
  fromDriver: readExactMoment,
});

/**
 * JSON that this product printed, on its hottest tables. As `json` Postgres would read every byte of it again at each
 * insert only to keep it as it is, which was a quarter of what an audit entry costs it.
 */
export const printedJson = customType<{ data: string; driverData: string }>({
  dataType: () => "text",
});

/** JSON kept as the text that came: jsonb would rewrite the bytes that are hashed. */
export const exactJson = customType<{ data: string; driverData: string }>({
  dataType: () => "json",
});

/** A transaction's 64-bit number; as text, for a JavaScript number cannot hold it. */
export const transactionNumber = customType<{ data: string; driverData: string }>({
  dataType: () => "xid8",
});
