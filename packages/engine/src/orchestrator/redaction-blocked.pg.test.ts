import { create } from "@bufbuild/protobuf";
import { AuditEventType, RequestHandoffRequestSchema, SignalboxError } from "@signalbox/contracts";
import { alertRaisedEvent } from "@signalbox/core";
import { readRows } from "@signalbox/db/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listAudit } from "../read-audit.ts";
import { reportEvents } from "../saop/report-events.ts";
import { tell } from "../stream/tell.ts";
import { type HandWorkedAgent, idOf, workByHand } from "../testing/hand-worked-agent.ts";
import { submission, submitTemplate } from "../testing/pipelines.ts";
import { prepare, publishRedaction } from "../testing/prepare.ts";
import { toolCall } from "../testing/saop-reports.ts";
import { askedBy, openTestEngine, type TestEngine } from "../testing/test-engine.ts";
import { transact } from "../transaction.ts";
import { requestHandoff } from "./request-handoff.ts";
import { submitTask } from "./submit-task.ts";

let opened: TestEngine;
let agent: HandWorkedAgent;
beforeEach(async () => {
  opened = await openTestEngine();
  await prepare(opened.engine);
  agent = workByHand(opened.engine, "builder");
});
afterEach(() => opened.end());

const tooDeep = (depth: number): Record<string, unknown> =>
  depth === 0 ? { end: true } : { in: tooDeep(depth - 1) };

/** What is on record of what was refused, the latest first, and how many alerts there are of it. */
async function refusalsOnRecord() {
  const { entries } = await listAudit(opened.engine, askedBy("auditor"), {
    eventType: AuditEventType.REDACTION_BLOCKED,
  });
  const alerts = await readRows(
    opened.made.url,
    `select payload from signalbox.events where kind = 'alert.raised' and payload::text like '%"redaction-blocked"%'`,
  );
  expect(alerts).toHaveLength(entries.length);
  return entries.map(({ payload }) => String(Reflect.get(JSON.parse(payload) as object, "rationale")));
}

test("D21: what cannot be redacted is refused with its reason, and leaves nothing", async () => {
  const { engine } = opened;
  await agent.beat();
  const counts = async () =>
    Promise.all(
      ["pipelines", "tasks", "stages", "dispatches", "results", "events where kind <> 'alert.raised'"].map(
        async (table) => {
          const [row] = await readRows(opened.made.url, `select count(*)::int as n from signalbox.${table}`);
          return row?.["n"];
        },
      ),
    );
  const before = await counts();
  const huge = "x ".repeat(9_000_000);
  await expect(
    submitTask(
      engine,
      askedBy("operator"),
      submission({
        work: { case: "templateId", value: "chain" },
        contract: { taskId: "t-1", title: huge, acceptanceCriteria: ["it works"] },
      }),
    ),
  ).rejects.toMatchObject({ code: "REDACTION_FAILED" });
  expect(await counts()).toEqual(before);
  const alerts = await readRows(
    opened.made.url,
    "select payload from signalbox.events where kind = 'alert.raised'",
  );
  expect(alerts).toEqual([{ payload: expect.stringContaining(`"alert":"redaction-blocked"`) as string }]);

  const pipelineId = await submitTemplate(engine, "chain");
  const envelope = await agent.takeOne();
  const running = await counts();
  const response = { status: "success", message: "", thought: "", data: tooDeep(200) as never };
  await expect(agent.report(envelope, { response })).rejects.toMatchObject({ code: "REDACTION_FAILED" });
  expect(await counts()).toEqual(running);
  const { entries } = await listAudit(engine, askedBy("auditor"), {
    pipelineId,
    eventType: AuditEventType.RESULT_RECEIVED,
  });
  expect(entries).toEqual([]);
  const blocked = await listAudit(engine, askedBy("auditor"), {
    eventType: AuditEventType.REDACTION_BLOCKED,
  });
  expect(blocked.entries.map(({ payload }) => JSON.parse(payload) as object)).toMatchObject([
    {
      action: "redaction.blocked",
      rationale: expect.stringContaining(`pipeline ${pipelineId} could not be masked`),
    },
    { action: "redaction.blocked" },
  ]);
  expect(opened.failures.map(String)).toEqual(
    Array.from({ length: 2 }, () => expect.stringContaining("SignalboxError")),
  );
  await agent.report(envelope);
});

test("D21: a policy that masks a field which holds no text refuses what has it, names the field and puts that on record", async () => {
  const { engine } = opened;
  await agent.beat();
  const pipelineId = await submitTemplate(engine, "chain");
  const envelope = await agent.takeOne();
  await publishRedaction(engine, "2.0.0", {
    always_redact: ["**/*.risk_tier", "**/*.timing"],
    conditional_redact: [],
  });
  const refused = { code: "REDACTION_FAILED", detail: expect.stringContaining("execution.riskTier") };
  await expect(submitTemplate(engine, "chain")).rejects.toMatchObject(refused);
  const timing = { duration: { seconds: 1n } };
  await expect(agent.report(envelope, { timing })).rejects.toMatchObject({ code: "REDACTION_FAILED" });
  const { entries } = await listAudit(engine, askedBy("auditor"), {
    eventType: AuditEventType.REDACTION_BLOCKED,
  });
  expect(entries.map(({ payload }) => JSON.parse(payload) as object)).toMatchObject([
    { action: "redaction.blocked", rationale: expect.stringContaining(pipelineId) },
    { action: "redaction.blocked" },
  ]);
  await agent.report(envelope);
});

test("D21: what an agent tells while it is at it, and cannot be masked, is refused, on record and an alert", async () => {
  const { engine } = opened;
  await agent.beat();
  await submitTemplate(engine, "chain");
  const dispatchId = idOf(await agent.takeOne());
  await expect(
    reportEvents(engine, askedBy("agent"), dispatchId, [
      toolCall(tooDeep(200), { turn_index: 0, sequence: 0 }),
    ]),
  ).rejects.toMatchObject({ code: "REDACTION_FAILED" });
  expect(await refusalsOnRecord()).toEqual([
    expect.stringContaining(`Events on dispatch ${dispatchId} could not be masked`),
  ]);
});

test("D21 D24: so is what it would hand on", async () => {
  const { engine } = opened;
  await agent.beat();
  const pipelineId = await submitTemplate(engine, "chain");
  const dispatchId = idOf(await agent.takeOne());
  await publishRedaction(engine, "2.0.0", {
    always_redact: ["**/*.decisions_made"],
    conditional_redact: [],
  });
  const request = create(RequestHandoffRequestSchema, {
    attempt: { dispatchId, attemptNumber: 1 },
    target: { case: "taskType", value: "b-work" },
    reason: "It is not mine.",
    contextOut: { decisionsMade: [{ description: "left as it was" }] },
  });
  await expect(requestHandoff(engine, askedBy("agent"), dispatchId, request)).rejects.toMatchObject({
    code: "REDACTION_FAILED",
  });
  expect(await refusalsOnRecord()).toEqual([
    expect.stringContaining(`What came for pipeline ${pipelineId} could not be masked`),
  ]);
});

test("D21: so is whatever else a command was to write, and what the command wrote before is undone", async () => {
  const { engine } = opened;
  const work = transact(engine, "default", async (tx) => {
    await tell(tx, alertRaisedEvent("redaction-blocked", { pipelineId: null, detail: "undone" }));
    throw new SignalboxError("REDACTION_FAILED", "The value has more than 64 levels");
  });
  await expect(work).rejects.toMatchObject({ code: "REDACTION_FAILED" });
  expect(await refusalsOnRecord()).toEqual([
    "What was asked could not be masked, so nothing of it was written: The value has more than 64 levels",
  ]);
});
