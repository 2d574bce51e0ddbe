import { afterAll, beforeAll, expect, test } from "vitest";
import { appendAuditEntries } from "../repositories/audit-entries.ts";
import { openTestDatabase, readRows } from "../testing/index.ts";
import { findAuditEntry } from "./find-audit-entry.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase({ maxConnections: 1 });
});
afterAll(() => opened.end());

const append = (tenantId: string) =>
  opened.database.inTenant(tenantId, async (tx) => {
    const payload = '{"action":"lit a lantern"}';
    const [made] = await appendAuditEntries(tx, [{ eventType: 101, actor: { type: 3, id: "ada" }, payload }]);
    if (made === undefined) throw new Error("nothing was appended");
    return made;
  });
const find = (tenantId: string, auditId: string) =>
  opened.database.inTenant(tenantId, (tx) => findAuditEntry(tx, auditId));

test("D1 an entry is found by its id, and by its own tenant alone", async () => {
  const made = await append("east");
  expect(await find("east", made.auditId)).toMatchObject({
    ...made,
    payload: '{"action":"lit a lantern"}',
  });
  expect(await find("west", made.auditId)).toBeUndefined();
});

test("D1 it is found where the database's clock was set back by minutes before it was written", async () => {
  const [row] = await readRows(
    opened.made.url,
    `insert into signalbox.audit_entries (tenant_id, audit_id, event_type, actor_type, actor_id, payload)
     values ('east', uuidv7(interval '20 minutes'), 101, 3, 'ada', '{}') returning audit_id`,
  );
  const auditId = String(row?.["audit_id"]);
  expect(await find("east", auditId)).toMatchObject({ auditId, payload: "{}" });
});

test.each([
  ["nothing", ""],
  ["no UUID", "entry"],
  ["a UUID of chance", "9f0c2f5e-3e37-4d0b-9b6a-0f6f4a0d3b52"],
  ["a moment before there were entries", "00000000-0000-7000-8000-000000000000"],
  ["a moment that no calendar writes", "ffffffff-ffff-7fff-bfff-ffffffffffff"],
  ["one that was never made", "0190b3a8-8f0f-7bbb-8888-0123456789ab"],
  ["upper case, which is never printed", "0190B3A8-8F0F-7BBB-8888-0123456789AB"],
])("D1 %s finds nothing, and fails nothing", async (_, auditId) => {
  expect(await find("east", auditId)).toBeUndefined();
});
