import { sql, type SQL } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withConnection } from "../connection.ts";
import { createTestDatabase, type TestDatabase } from "../testing/index.ts";
import { findFaults } from "./find-faults.ts";
import { readCatalogue } from "./read-catalogue.ts";

let made: TestDatabase;
beforeAll(async () => {
  made = await createTestDatabase();
});
afterAll(() => made.dispose());

const faultsAfter = (...changes: SQL[]): Promise<string[]> =>
  withConnection(made.url, async (connection) => {
    for (const change of changes) {
      await connection.execute(change);
    }
    return findFaults(await readCatalogue(connection));
  });

test("the migrated catalogue has no fault: every tenant table isolated, no right too many", async () => {
  const catalogue = await withConnection(made.url, readCatalogue);
  expect(findFaults(catalogue)).toEqual([]);
  // Without these the walk itself could be blind and still find nothing.
  expect(catalogue.tables.filter((table) => table.hasTenant).length).toBeGreaterThanOrEqual(24);
  expect(catalogue.tables.filter((table) => table.parent === "signalbox.audit_entries")).toHaveLength(4);
  expect(catalogue.functions.map((found) => found.name)).toHaveLength(36);
  expect(catalogue.roles).toHaveLength(3);
});

describe("each fault is found", () => {
  test.each<[fault: string, make: SQL, undo: SQL]>([
    [
      "signalbox.packs: row security is not enabled",
      sql`alter table signalbox.packs disable row level security`,
      sql`alter table signalbox.packs enable row level security`,
    ],
    [
      "signalbox.packs: row security is not forced",
      sql`alter table signalbox.packs no force row level security`,
      sql`alter table signalbox.packs force row level security`,
    ],
    [
      "signalbox.packs: signalbox_app: DELETE is too much",
      sql`grant delete on signalbox.packs to signalbox_app`,
      sql`revoke delete on signalbox.packs from signalbox_app`,
    ],
    [
      "signalbox.audit_entries: signalbox_app: INSERT(recorded_at) is too much",
      sql`grant insert (recorded_at) on signalbox.audit_entries to signalbox_app`,
      sql`revoke insert (recorded_at) on signalbox.audit_entries from signalbox_app`,
    ],
    [
      "signalbox.tenants: PUBLIC: SELECT is too much",
      sql`grant select on signalbox.tenants to public`,
      sql`revoke select on signalbox.tenants from public`,
    ],
    [
      "signalbox.tenants: belongs to postgres and not to signalbox_owner",
      sql`alter table signalbox.tenants owner to postgres`,
      sql`alter table signalbox.tenants owner to signalbox_owner`,
    ],
    [
      "signalbox.keys: policy everybody for PUBLIC is not expected",
      sql`create policy everybody on signalbox.keys using (true)`,
      sql`drop policy everybody on signalbox.keys`,
    ],
    [
      "signalbox.keys: has no policy tenant_isolation with the tenant's condition in USING and WITH CHECK",
      sql`alter policy tenant_isolation on signalbox.keys with check (true)`,
      sql`alter policy tenant_isolation on signalbox.keys
        with check (tenant_id = nullif(current_setting('signalbox.tenant_id', true), ''))`,
    ],
    [
      "signalbox.pipelines: has no policy tenant_isolation with the tenant's condition in USING and WITH CHECK",
      sql`alter policy tenant_isolation on signalbox.pipelines
        using (tenant_id = any (string_to_array(current_setting('signalbox.tenant_id', true), ',')))`,
      sql`alter policy tenant_isolation on signalbox.pipelines
        using (tenant_id = any ((select string_to_array(nullif(current_setting('signalbox.tenant_id', true), ''), ','))::text[]))`,
    ],
    [
      "signalbox.results: has no enabled trigger BEFORE DELETE UPDATE ROW",
      sql`alter table signalbox.results disable trigger results_keep_rows`,
      sql`alter table signalbox.results enable trigger results_keep_rows`,
    ],
    [
      "signalbox.nodes: signalbox_app: UPDATE(lease_expires_at) is too much",
      sql`grant update (lease_expires_at) on signalbox.nodes to signalbox_app`,
      sql`revoke update (lease_expires_at) on signalbox.nodes from signalbox_app`,
    ],
    [
      "signalbox.packs: has no enabled trigger BEFORE TRUNCATE STATEMENT",
      sql`alter table signalbox.packs disable trigger packs_keep_all`,
      sql`alter table signalbox.packs enable trigger packs_keep_all`,
    ],
    [
      "signalbox.packs: index packs_by_role does not begin with tenant_id",
      sql`create index packs_by_role on signalbox.packs (pack_id)`,
      sql`drop index signalbox.packs_by_role`,
    ],
    [
      "signalbox.everything: is neither a table nor listed",
      sql`create view signalbox.everything as select * from signalbox.packs`,
      sql`drop view signalbox.everything`,
    ],
    [
      "schema signalbox: signalbox_app: CREATE is too much",
      sql`grant create on schema signalbox to signalbox_app`,
      sql`revoke create on schema signalbox from signalbox_app`,
    ],
    [
      "signalbox.find_key_by_hash(wanted bytea): EXECUTE of PUBLIC is too much",
      sql`grant execute on function signalbox.find_key_by_hash to public`,
      sql`revoke execute on function signalbox.find_key_by_hash from public`,
    ],
    [
      "signalbox.find_key_by_hash(wanted bytea): search_path is not pinned to pg_catalog, pg_temp",
      sql`alter function signalbox.find_key_by_hash reset search_path`,
      sql`alter function signalbox.find_key_by_hash set search_path = pg_catalog, pg_temp`,
    ],
  ])("%s", async (fault, make, undo) => {
    const faults = await faultsAfter(make);
    expect(await faultsAfter(undo)).toEqual([]);
    expect(faults).toContain(fault);
  });

  test("a new table with nothing done for it", async () => {
    const faults = await faultsAfter(
      sql`create table signalbox.careless (tenant_id text, note text primary key)`,
      sql`create table signalbox.stray (note text)`,
    );
    await faultsAfter(sql`drop table signalbox.careless`, sql`drop table signalbox.stray`);
    expect(faults).toEqual([
      "signalbox.careless: belongs to postgres and not to signalbox_owner",
      "signalbox.careless: row security is not enabled",
      "signalbox.careless: row security is not forced",
      "signalbox.careless: has no policy tenant_isolation with the tenant's condition in USING and WITH CHECK",
      "signalbox.careless: tenant_id may be null",
      "signalbox.careless: index careless_pkey does not begin with tenant_id",
      "signalbox.stray: belongs to postgres and not to signalbox_owner",
      "signalbox.stray: has no tenant_id and is not listed as tenantless",
    ]);
  });

  test("a partition that is open to direct access", async () => {
    const { tables } = await withConnection(made.url, readCatalogue);
    const partition = tables.find((table) => table.parent !== null);
    const name = sql.raw(partition?.name ?? "");
    const faults = await faultsAfter(
      sql`alter table ${name} disable row level security`,
      sql`grant select on ${name} to signalbox_app`,
    );
    await faultsAfter(
      sql`alter table ${name} enable row level security`,
      sql`revoke select on ${name} from signalbox_app`,
    );
    expect(faults).toEqual([
      `${partition?.name}: signalbox_app: SELECT is too much`,
      `${partition?.name}: row security is not enabled`,
    ]);
  });
});
