import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findFaults } from "../catalogue/find-faults.ts";
import { readCatalogue } from "../catalogue/read-catalogue.ts";
import { withConnection } from "../connection.ts";
import { withCredentials, withDatabase } from "../database-url.ts";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "../embedded/embedded-postgres.ts";
import { prepareDatabase } from "./prepare-database.ts";

/**
 * A cluster of its own, as a provider hands it out: a login that may create roles and owns its databases, and is no
 * superuser. Roles are the whole cluster's, so these cases cannot share the other tests' one.
 */
let directory: string;
let postgres: EmbeddedPostgres;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "signalbox-managed-"));
  chmodSync(directory, 0o711);
  postgres = await startEmbeddedPostgres({ directory, durable: false });
  await asSuperuser("create role tenant_admin login createrole createdb nosuperuser password 'given'");
  for (const name of ["first", "second", "third"]) {
    await asSuperuser(`create database ${name} owner tenant_admin`);
  }
});
afterAll(async () => {
  await postgres.stop();
  rmSync(directory, { recursive: true });
});

const asSuperuser = (text: string) =>
  withConnection(postgres.url, (connection) => connection.execute(sql.raw(text)));
const managed = (database: string) =>
  withDatabase(withCredentials(postgres.url, "tenant_admin", "given"), database);
const prepare = (url: string) => prepareDatabase({ url, appVersion: "1.2.3" });
const answers = (url: string) =>
  withConnection(url, (connection) => connection.execute(sql`select 1 as answer`));

test("two databases of a fresh cluster are prepared at once by a login that is no superuser", async () => {
  const [first, second] = await Promise.all([prepare(managed("first")), prepare(managed("second"))]);
  expect(first.applied).toEqual(second.applied);
  expect(first.applied.length).toBeGreaterThan(0);
  for (const { appUrl } of [first, second]) {
    expect(await answers(appUrl)).toEqual([{ answer: 1 }]);
  }
  for (const name of ["first", "second"]) {
    expect(findFaults(await withConnection(withDatabase(postgres.url, name), readCatalogue))).toEqual([]);
  }
});

test("a second start there finds everything done", async () => {
  expect((await prepare(managed("first"))).applied).toEqual([]);
});

test("a password of signalbox_app that another hand changed is set again", async () => {
  await asSuperuser("alter role signalbox_app password 'changed'");
  const { appUrl } = await prepare(managed("first"));
  expect(await answers(appUrl)).toEqual([{ answer: 1 }]);
});

test("a signalbox_app that row security does not bind is refused", async () => {
  await asSuperuser("alter role signalbox_app bypassrls");
  await expect(prepare(managed("first"))).rejects.toMatchObject({ fault: "ROLE_UNSAFE" });
  await asSuperuser("alter role signalbox_app nobypassrls");
});

test("a second login that may create roles, but was not given these, is told what it lacks", async () => {
  await asSuperuser("create role stranger login createrole password 'other'");
  await asSuperuser("alter database third owner to stranger");
  await expect(prepare(withCredentials(managed("third"), "stranger", "other"))).rejects.toMatchObject({
    fault: "PRIVILEGE_MISSING",
    message: expect.stringContaining("WITH ADMIN OPTION"),
  });
});

test("signalbox_migrator may become the owner, and nobody else may by being it", async () => {
  const may = await asSuperuser(`
    select pg_has_role('signalbox_migrator', 'signalbox_owner', 'set') as sets,
           pg_has_role('signalbox_migrator', 'signalbox_owner', 'usage') as inherits,
           pg_has_role('signalbox_app', 'signalbox_owner', 'member') as app`);
  expect(may).toEqual([{ sets: true, inherits: false, app: false }]);
});
