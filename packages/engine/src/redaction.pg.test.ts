import { create } from "@bufbuild/protobuf";
import { AgentHeartbeatSchema, AuditEventType } from "@signalbox/contracts";
import { DEFAULT_POLICY } from "@signalbox/core";
import { listAuditEntries } from "@signalbox/db";
import { readRows } from "@signalbox/db/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDraft, updateDraft } from "./documents/drafts.ts";
import { publishDocument } from "./documents/publish.ts";
import { exportAudit } from "./export-audit.ts";
import { readRedaction, tryRedaction } from "./redaction.ts";
import { heartbeat } from "./registry/heartbeat.ts";
import { quarantineInstance, restoreInstance } from "./registry/instances.ts";
import { placeHold, releaseHold } from "./retention/holds.ts";
import { changeRetention } from "./retention/retention.ts";
import { policyText } from "./testing/documents.ts";
import { asking, openTestSystem, pack, register, tenantId, type TestSystem } from "./testing/test-system.ts";

let opened: TestSystem;
beforeAll(async () => {
  opened = await openTestSystem();
});
afterAll(() => opened.end());

const viewer = asking("viewer");
const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
const tried = (kind: Parameters<typeof tryRedaction>[2]["kind"], text: string) =>
  tryRedaction(opened.system, viewer, { kind, text });

describe("where no policy is published", () => {
  test("what is built in is in force", async () => {
    expect(await readRedaction(opened.system, viewer)).toEqual({
      policyVersion: undefined,
      says: "built-in",
      policy: DEFAULT_POLICY,
    });
  });

  test("a text is masked as a line is, and each rule is counted", async () => {
    const { text, marks } = await tried("text", `one ${token}\ntwo ${token}, ada@example.org`);
    expect(text).toBe("one [redacted:github-token]\ntwo [redacted:github-token], ada@example.org");
    expect(marks).toEqual([{ path: "", rule: "github-token", count: 2 }]);
  });

  test("JSON is masked by its fields, and each mark has its path", async () => {
    const { text, marks } = await tried("json", `{"a":[{"password":"x"}],"note":"${token}"}`);
    expect(JSON.parse(text)).toEqual({
      a: [{ password: expect.stringMatching(/^\[redacted:/) }],
      note: "[redacted:github-token]",
    });
    expect(marks.map(({ path }) => path)).toEqual(["a[0].password", "note"]);
  });

  test("evidence loses the line, a shared context the address, and a rationale only the secret", async () => {
    const said = `kept\nwith ${token}\nmail ada@example.org`;
    expect((await tried("evidence", said)).text).toBe("kept\n[redacted:github-token]\nmail ada@example.org");
    expect((await tried("shared-context", said)).text).toBe(
      "kept\nwith [redacted:github-token]\nmail [redacted:email]",
    );
    expect((await tried("rationale", said)).text).toContain("ada@example.org");
  });
});

test("a published policy's section is in force, and what is tried is tried by it", async () => {
  await register(opened.system, [pack("builder")]);
  const redaction = {
    always_redact: ["**/*.plan"],
    conditional_redact: [{ field: "evidence_item.output", rule: "secrets", max_length: 64 }],
  };
  const text = policyText({ build: ["builder"] }, { redaction });
  await createDraft(opened.system, asking("operator"), "routing-policy", { text });
  await publishDocument(opened.system, asking("operator"), "routing-policy", { version: "1.0.0" });
  expect(await readRedaction(opened.system, viewer)).toMatchObject({
    policyVersion: "1.0.0",
    says: "policy",
  });
  expect(JSON.parse((await tried("json", '{"plan":"dig"}')).text)).toEqual({
    plan: "[redacted:policy-path]",
  });
  expect((await tried("evidence", "long ".repeat(40))).text).toHaveLength(64);
});

test("a note in which half a character stands is refused", async () => {
  const text = policyText({ build: ["builder"] }, { version: "9.0.0" });
  const drafting = createDraft(opened.system, asking("operator"), "routing-policy", {
    text,
    note: "half \ud83d of one",
  });
  await expect(drafting).rejects.toMatchObject({ violations: [{ field: "note", rule: "well_formed" }] });
});

test.each([
  ["a text that is too long", "text", "x".repeat(65_537), "max_len"],
  ["what is no JSON", "json", "{", "json"],
  ["JSON that names a field twice", "json", '{"a":1,"a":2}', "json"],
] as const)("%s is refused, and nothing of it is quoted", async (_, kind, text, rule) => {
  await expect(tried(kind, text)).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    violations: [{ field: "text", rule }],
  });
});

test("an agent may not try, and nothing that was tried is on record", async () => {
  await expect(
    tryRedaction(opened.system, asking("agent"), { kind: "text", text: "x" }),
  ).rejects.toMatchObject({ code: "FORBIDDEN" });
  const { entries } = await opened.system.database.inTenant(tenantId, (tx) =>
    listAuditEntries(tx, { limit: 100 }),
  );
  expect(entries.map(({ eventType }) => eventType)).not.toContain(AuditEventType.REDACTION_BLOCKED);
  expect(entries.map(({ payload }) => payload).join()).not.toContain("redacted:");
});

test("RED-11: what a person says beside a decision is masked as the policy in force says of a rationale, whatever it decides", async () => {
  const mail = "jane.roe@example.org";
  const said = `asked by ${mail}`;
  const redaction = {
    always_redact: [],
    conditional_redact: [{ field: "audit_entry.rationale", rule: "personal_data" }],
  };
  const inForce = (version: string) => policyText({ build: ["builder"] }, { version, redaction });
  const { system } = opened;
  const [operator, admin] = [asking("operator"), asking("admin")];
  const kind = "routing-policy";
  await createDraft(system, operator, kind, { text: inForce("1.1.0") });
  await publishDocument(system, operator, kind, { version: "1.1.0" });

  const { document } = await createDraft(system, operator, kind, { text: inForce("1.2.0"), note: said });
  const changed = await updateDraft(system, operator, kind, {
    version: "1.2.0",
    edit: document.edit,
    text: `${inForce("1.2.0")} `,
    note: said,
  });
  await publishDocument(system, operator, kind, { version: "1.2.0", note: said });
  const instance = { packId: "builder", instanceId: "builder-1" };
  await heartbeat(system, asking("agent"), create(AgentHeartbeatSchema, instance));
  await quarantineInstance(system, operator, { ...instance, note: said });
  await restoreInstance(system, operator, { ...instance, note: said });
  const hold = await placeHold(system, admin, { reason: said });
  const released = await releaseHold(system, admin, hold.holdId, { reason: said });
  await changeRetention(system, admin, { keepMonths: 24, reason: said });
  await exportAudit(system, admin, { q: said });

  const masked = "asked by [redacted:email]";
  expect([changed.note, hold.reason, released.releaseReason]).toEqual([masked, masked, masked]);
  const { entries } = await system.database.inTenant(tenantId, (tx) => listAuditEntries(tx, { limit: 100 }));
  const record = entries.map(({ payload }) => payload);
  expect(record.filter((payload) => payload.includes(masked))).toHaveLength(9);
  const kept = await readRows(
    opened.made.url,
    `select note || document as text from signalbox.routing_policies union all
     select reason || release_reason from signalbox.audit_holds union all
     select standing::text from (select row_to_json(own) as standing from signalbox.instances own) as rows`,
  );
  const everything = [...record, ...kept.map(({ text }) => String(text))].join("\n");
  expect(everything).not.toContain(mail);
});
