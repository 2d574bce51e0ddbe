import { AuditEventType, HealthStatus, Outcome } from "@signalbox/contracts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listAlerts } from "../read-alerts.ts";
import { listAudit } from "../read-audit.ts";
import { getInstance, listInstances, quarantineInstance, restoreInstance } from "../registry/instances.ts";
import { type HandWorkedAgent, workByHand } from "../testing/hand-worked-agent.ts";
import { answer, questionOf, submitTemplate } from "../testing/pipelines.ts";
import { prepare } from "../testing/prepare.ts";
import { askedBy, openTestEngine, type TestEngine } from "../testing/test-engine.ts";
import { assignEscalation, commentOnEscalation, countEscalations } from "./attend-escalations.ts";
import { getEscalation, listEscalations } from "./read-escalations.ts";
import { insertMember } from "@signalbox/db";

let opened: TestEngine;
let agent: HandWorkedAgent;
const memberIds: Record<string, string> = {};
beforeEach(async () => {
  opened = await openTestEngine();
  await prepare(opened.engine);
  agent = workByHand(opened.engine, "builder");
  await agent.beat();
  for (const role of ["approver", "admin", "viewer"] as const) {
    const inserted = await opened.engine.database.inTenant("default", (tx) =>
      insertMember(tx, { email: `${role}@example.org`, name: role, role, createdBy: "test" }),
    );
    memberIds[role] = inserted?.memberId ?? "";
  }
});
afterEach(() => opened.end());

const member = (role: "approver" | "admin" | "viewer") => askedBy(role, "default", memberIds[role]);

async function asked(): Promise<string> {
  const pipelineId = await submitTemplate(opened.engine, "chain");
  await agent.report(await agent.takeOne(), {
    outcome: Outcome.NON_RETRYABLE_FAILURE,
  });
  return (await questionOf(opened.engine, pipelineId)).escalationId;
}

const entriesOf = async (eventType: AuditEventType) => {
  const { entries } = await listAudit(opened.engine, askedBy("auditor"), { eventType });
  return entries.map(({ payload }): unknown => JSON.parse(payload)).toReversed();
};

test("ESC-11 ESC-12: of two who take a question at once one has it, the other is told; both steps are on record", async () => {
  const { engine } = opened;
  const id = await asked();
  const take = (role: "approver" | "admin") =>
    assignEscalation(engine, member(role), id, { assigneeId: memberIds[role] ?? "", instead: null });
  const outcomes = await Promise.allSettled([take("approver"), take("admin")]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const refused = outcomes.find((one) => one.status === "rejected");
  const { assigneeId } = await getEscalation(engine, askedBy("viewer"), id);
  const taker = assigneeId === memberIds["admin"] ? "admin" : "approver";
  expect(refused?.reason).toMatchObject({
    code: "INVALID_STATE",
    detail: `${taker} attends to the escalation by now.`,
  });
  expect([memberIds["approver"], memberIds["admin"]]).toContain(assigneeId);

  await assignEscalation(engine, member("admin"), id, { assigneeId: null });
  await assignEscalation(engine, member("admin"), id, { assigneeId: null });
  expect(await entriesOf(AuditEventType.ESCALATION_ASSIGNED)).toMatchObject([
    { action: "escalation.taken", snapshot: { escalation: { escalationId: id } } },
    { action: "escalation.released" },
  ]);
});

test("ESC-11: a question goes to nobody who may not answer it, and is assigned by nobody who may not", async () => {
  const { engine } = opened;
  const id = await asked();
  const to = (assigneeId: string | null) => assignEscalation(engine, member("approver"), id, { assigneeId });
  await expect(to(memberIds["viewer"] ?? "")).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    violations: [{ field: "assignee", rule: "may_answer" }],
  });
  for (const nobody of ["no-such-member", "a\0b"])
    await expect(to(nobody)).rejects.toMatchObject({ violations: [{ rule: "member" }] });
  for (const role of ["viewer", "operator", "auditor", "agent"] as const)
    await expect(assignEscalation(engine, askedBy(role), id, { assigneeId: null })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
  for (const unknown of ["x", `${id}1`, "a\0-e1"])
    await expect(
      assignEscalation(engine, member("approver"), unknown, { assigneeId: null }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(
    assignEscalation(engine, askedBy("approver", "elsewhere"), id, { assigneeId: null }),
  ).rejects.toMatchObject({ code: "NOT_FOUND" });

  await to(memberIds["admin"] ?? "");
  // It binds nobody.
  await answer(engine, { escalationId: id }, { option: "abort" }, member("approver"));
  await expect(to(null)).rejects.toMatchObject({ code: "ALREADY_RESOLVED" });
});

test("ESC-12: a comment is masked, kept in order with who wrote it, and on record; a closed question still takes one", async () => {
  const { engine } = opened;
  const id = await asked();
  const secret = `ghp_${"a1B2".repeat(9)}`;
  const first = await commentOnEscalation(engine, member("approver"), id, ` Ask Bob, with ${secret} `);
  expect(first).toMatchObject({ ordinal: 1, authorId: memberIds["approver"] });
  expect(first.text).toMatch(/^Ask Bob/);
  expect(first.text).not.toContain(secret);
  await answer(engine, { escalationId: id }, { option: "abort" });
  const once = { key: "k", digest: Buffer.alloc(32, 1) };
  const say = () => commentOnEscalation(engine, { ...askedBy("operator"), once }, id, "It was the registry.");
  expect(await say()).toEqual(await say());
  const { comments } = await getEscalation(engine, askedBy("viewer"), id);
  expect(comments.map(({ text }) => text)).toEqual([first.text, "It was the registry."]);
  const entries = await entriesOf(AuditEventType.ESCALATION_COMMENTED);
  expect(entries).toMatchObject([{ rationale: first.text }, { rationale: "It was the registry." }]);
  expect(JSON.stringify(entries)).not.toContain(secret);

  const refusals = {
    "  ": "required",
    "a\0b": "no_nul",
    "a\ud800": "well_formed",
    ["x".repeat(5_000)]: "max_len",
  };
  for (const [text, rule] of Object.entries(refusals))
    await expect(commentOnEscalation(engine, member("approver"), id, text)).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      violations: [{ field: "comment", rule }],
    });
  await expect(commentOnEscalation(engine, askedBy("viewer"), id, "x")).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
});

test("what a question is about is known to the inbox, and like ones show how they ended", async () => {
  const { engine } = opened;
  const earlier = await asked();
  await answer(engine, { escalationId: earlier }, { option: "abort" });
  const id = await asked();
  const found = await getEscalation(engine, askedBy("viewer"), id);
  expect(found).toMatchObject({ packId: "builder", taskType: "build", assigneeId: null, comments: [] });
  expect(found.like).toMatchObject([
    { escalation: { escalationId: earlier }, end: { kind: "resolved", resolution: { option: "abort" } } },
  ]);
  const ids = async (search: Parameters<typeof listEscalations>[2]) =>
    (await listEscalations(engine, askedBy("viewer"), search)).escalations.map(
      ({ escalation }) => escalation.escalationId,
    );
  expect(await ids({ packId: "builder" })).toEqual([id, earlier]);
  expect(await ids({ packId: "builder", order: "oldest" })).toEqual([earlier, id]);
  expect(await ids({ timeliness: "in-time" })).toEqual([id]);
  expect(await ids({ timeliness: "late" })).toEqual([]);
  expect(await ids({ cause: "deadline" })).toEqual([]);
  expect(await ids({ assigneeId: null, open: true })).toEqual([id]);
  expect(await ids({ packId: "a\0" })).toEqual([]);
  expect(await countEscalations(engine, askedBy("viewer"))).toEqual({ open: 1, late: 0, own: 0, most: 100 });
});

test("QUAR-7: a person quarantines an instance with a reason, and restores it; it is sent nothing in between", async () => {
  const { engine } = opened;
  const [known] = (await listInstances(engine, askedBy("viewer"), {})).instances;
  const named = { packId: "builder", instanceId: known?.instanceId ?? "" };
  const operator = askedBy("operator");
  await expect(quarantineInstance(engine, operator, { ...named, note: " " })).rejects.toMatchObject({
    violations: [{ field: "note", rule: "required" }],
  });
  await expect(
    quarantineInstance(engine, askedBy("approver"), { ...named, note: "why" }),
  ).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(
    quarantineInstance(engine, operator, { ...named, instanceId: "nobody", note: "why" }),
  ).rejects.toMatchObject({ code: "NOT_FOUND" });
  await quarantineInstance(engine, operator, { ...named, note: "Its disk is full." });
  expect(await getInstance(engine, askedBy("viewer"), named)).toMatchObject({
    presence: "quarantined",
    health: HealthStatus.QUARANTINED,
    quarantine: { reason: "Its disk is full." },
  });
  await expect(quarantineInstance(engine, operator, { ...named, note: "again" })).rejects.toMatchObject({
    code: "INVALID_STATE",
  });
  const pipelineId = await submitTemplate(engine, "chain");
  expect((await agent.beat()).healthStatus).toBe(HealthStatus.QUARANTINED);
  expect(await entriesOf(AuditEventType.AGENT_QUARANTINED)).toMatchObject([
    { rationale: "Its disk is full.", actor: { id: "operator" } },
  ]);
  expect(pipelineId).not.toBe("");
  await restoreInstance(engine, operator, { ...named, note: "It was emptied." });
  expect(await getInstance(engine, askedBy("viewer"), named)).toMatchObject({
    presence: "present",
    quarantine: undefined,
  });
  const { alerts } = await listAlerts(engine, askedBy("viewer"), {});
  expect(alerts).toMatchObject([
    { alert: "agent-quarantined", detail: expect.stringContaining("Its disk is full."), pipelineId: null },
  ]);
  expect((await listAlerts(engine, askedBy("viewer", "elsewhere"), {})).alerts).toEqual([]);
});
