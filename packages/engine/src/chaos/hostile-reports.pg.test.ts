import { EvidenceType, Outcome, type AgentResult, type TaskEnvelope } from "@signalbox/contracts";
import { readRows } from "@signalbox/db/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { abortPipeline, rewindPipeline } from "../orchestrator/person-commands.ts";
import { renewDispatch } from "../orchestrator/renew-dispatch.ts";
import { reportResult } from "../orchestrator/report-result.ts";
import { submitTask } from "../orchestrator/submit-task.ts";
import { actionsOf, factsOf } from "../testing/audit.ts";
import { type HandWorkedAgent, idOf, workByHand } from "../testing/hand-worked-agent.ts";
import { resultFor } from "../testing/results.ts";
import { askedBy, openTestEngine, type TestEngine } from "../testing/test-engine.ts";
import { seedTenant } from "../testing/test-engine.ts";
import { packId, seedWorkload, submission, type TemplateId } from "./testing/workload.ts";

const agent = askedBy("agent");
const operator = askedBy("operator");

let opened: TestEngine;
let worker: HandWorkedAgent;
beforeEach(async () => {
  opened = await openTestEngine();
  await seedWorkload(opened.made.appUrl);
  worker = workByHand(opened.engine, packId);
  await worker.beat();
}, 60_000);
// Every end holds the record against the tables.
afterEach(() => opened.end(), 60_000);

async function begin(
  templateId: TemplateId = "line",
): Promise<{ pipelineId: string; envelope: TaskEnvelope }> {
  const { pipelineId } = await submitTask(opened.engine, operator, submission(templateId, "t-1"));
  return { pipelineId, envelope: await worker.takeOne() };
}

const report = (dispatchId: string, result: AgentResult, asked = agent) =>
  reportResult(opened.engine, asked, dispatchId, result);

/** Of every table of the orchestrator, all rows as text. */
async function everything(): Promise<unknown> {
  const tables = ["tasks", "pipelines", "stages", "dispatches", "open_dispatches", "results", "escalations"];
  const others = ["events", "audit_entries", "instances", "breakers", "cancel_signals"];
  return Promise.all(
    [...tables, ...others].map((table) =>
      readRows(opened.made.url, `select t::text as row from signalbox.${table} t order by t::text`),
    ),
  );
}

/** What is left of a pipeline's state when a late report is put on record. */
const stateRows = () =>
  Promise.all(
    ["pipelines", "stages", "open_dispatches", "escalations", "dispatches"].map((table) =>
      readRows(opened.made.url, `select t::text as row from signalbox.${table} t order by t::text`),
    ),
  );

describe("a result for a dispatch that is nobody's changes nothing", () => {
  test.each([
    ["a text that names nothing", () => "no dispatch at all"],
    ["NUL characters", (id: string) => `${id}\0`],
    ["a hundred thousand characters", (id: string) => id.repeat(2_000)],
    ["a pipeline that there is not", (id: string) => id.replace(/^./, "x")],
    ["a stage that there is not", (id: string) => id.replace("-d0.", "-d9.")],
    ["a stage that was not sent yet", (id: string) => id.replace("-d0.", "-d1.")],
    ["an attempt that was not sent yet", (id: string) => id.replace(".1", ".2")],
    ["an attempt beyond what a number holds", (id: string) => id.replace(".1", ".999999999")],
  ])("%s", async (_, change) => {
    const { envelope } = await begin();
    const before = await everything();
    await expect(report(change(idOf(envelope)), resultFor(envelope))).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await everything()).toEqual(before);
    await worker.report(envelope);
  });

  test("another tenant's", async () => {
    const { envelope } = await begin();
    await seedTenant(opened.engine.database, "stranger");
    const before = await everything();
    const stranger = askedBy("agent", "stranger");
    await expect(report(idOf(envelope), resultFor(envelope), stranger)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(renewDispatch(opened.engine, stranger, idOf(envelope))).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await everything()).toEqual(before);
    await worker.report(envelope);
  });
});

test("D6: what is reported ahead of its attempt takes nothing from the attempt when it comes", async () => {
  const { envelope } = await begin();
  const ahead = idOf(envelope).replace(".1", ".2");
  await report(ahead, resultFor(envelope, { dispatchId: ahead, attemptNumber: 2 })).catch(() => undefined);
  await worker.report(envelope, { outcome: Outcome.RETRYABLE_FAILURE });
  const second = await worker.takeOne();
  expect(idOf(second)).toBe(ahead);
  const first = await worker.report(second);
  expect(await worker.report(second)).toEqual(first);
});

test("D6: a result for a pipeline that is over, or for an attempt that was taken back, is told so and moves nothing", async () => {
  const { envelope } = await begin();
  await worker.report(envelope, { outcome: Outcome.RETRYABLE_FAILURE });
  await worker.takeOne();
  const before = await stateRows();
  await expect(report(idOf(envelope), resultFor(envelope))).rejects.toMatchObject({ code: "STALE_DISPATCH" });
  expect(await stateRows()).toEqual(before);

  const other = await begin("diamond");
  await abortPipeline(opened.engine, operator, { pipelineId: other.pipelineId });
  const ended = await stateRows();
  for (let time = 1; time <= 3; time += 1) {
    await expect(report(idOf(other.envelope), resultFor(other.envelope))).rejects.toMatchObject({
      code: "STALE_DISPATCH",
    });
  }
  await expect(worker.renew(other.envelope)).rejects.toMatchObject({ code: "STALE_DISPATCH" });
  expect(await stateRows()).toEqual(ended);
});

test("D6: a result for a dispatch that a rewind of an earlier stage took back is told so and is on record, like any other", async () => {
  const { pipelineId, envelope } = await begin();
  await worker.report(envelope);
  const taken = await worker.takeOne();
  await rewindPipeline(opened.engine, operator, { pipelineId, stageId: "a", instructions: "" });
  const before = await stateRows();
  for (let time = 1; time <= 2; time += 1) {
    await expect(report(idOf(taken), resultFor(taken))).rejects.toMatchObject({ code: "STALE_DISPATCH" });
  }
  expect(await stateRows()).toEqual(before);
  expect(await actionsOf(opened.engine, pipelineId)).toContain("result.stale");
  await worker.work("a");
  await worker.work("b");
});

test("REPORT-1 FENCE-3: who reported, in time or too late, is on record as their key says, whatever the result claims", async () => {
  const { pipelineId, envelope } = await begin();
  const claiming = (said: Parameters<typeof resultFor>[1]): AgentResult => {
    const result = resultFor(envelope, said);
    if (result.trace !== undefined) result.trace.agentId = "somebody else ".repeat(10_000);
    return result;
  };
  await report(idOf(envelope), claiming({ outcome: Outcome.RETRYABLE_FAILURE }));
  await worker.takeOne();
  await expect(report(idOf(envelope), claiming({}))).rejects.toMatchObject({ code: "STALE_DISPATCH" });
  const facts = await factsOf(opened.engine, { pipelineId });
  const actors = facts
    .filter(({ action }) => action === "result.received" || action === "result.stale")
    .map(({ actor }) => actor);
  expect(actors).toEqual([agent.caller.actor, agent.caller.actor]);
});

test("a result that is too large is refused and changes nothing; the agent may report another", async () => {
  const { envelope } = await begin();
  const before = await everything();
  await expect(
    report(idOf(envelope), resultFor(envelope, { summary: "x".repeat(1 << 20) })),
  ).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  expect(await everything()).toEqual(before);
  await worker.report(envelope);
});

test("a result that is no text in UTF-8 is refused and changes nothing; an escape that only looks like it is text", async () => {
  const { envelope } = await begin();
  const before = await everything();
  await expect(
    report(idOf(envelope), resultFor(envelope, { summary: "half \uDC00 of it" })),
  ).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  expect(await everything()).toEqual(before);
  await worker.report(envelope, { summary: String.raw`written as \ud83d, and whole: ` + "\u{1F600}" });
});

test("a result with NUL characters wherever it has text is told what becomes of it, and leaves a whole record", async () => {
  const { envelope } = await begin();
  const text = "a\0b\u001Ec\uFFFF";
  const answer = await report(
    idOf(envelope),
    resultFor(envelope, {
      summary: text,
      evidence: {
        evidencePayload: {
          case: "items",
          value: { items: [{ type: EvidenceType.TEST, command: text, passed: true, output: text }] },
        },
      },
      artifacts: [{ path: `src/${text}`, action: 1, digest: text }],
      blockers: [{ description: text, suggestedResolution: text }],
      contextOut: { risksIdentified: [text], assumptionsMade: [text], rollbackNotes: text },
    }),
  ).then(
    () => "done",
    (error: unknown) => (error as { code?: string }).code,
  );
  expect(["done", "VALIDATION_FAILED"]).toContain(answer);
  const next = await worker.takeOne();
  await worker.report(next);
});
