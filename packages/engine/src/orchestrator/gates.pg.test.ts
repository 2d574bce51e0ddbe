import { AuditEventType, Confidence, Outcome, RiskTier } from "@signalbox/contracts";
import { keyActorId } from "@signalbox/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createKey } from "../identity/keys.ts";
import { factsOf } from "../testing/audit.ts";
import { type HandWorkedAgent, workByHand } from "../testing/hand-worked-agent.ts";
import {
  answer,
  endOf,
  openQuestions,
  questionOf,
  standingOf,
  submitTemplate,
} from "../testing/pipelines.ts";
import { chainStages, prepare } from "../testing/prepare.ts";
import { askedBy, openTestEngine, type TestEngine } from "../testing/test-engine.ts";
import { template } from "../testing/documents.ts";

let opened: TestEngine;
let agent: HandWorkedAgent;
beforeEach(async () => {
  opened = await openTestEngine();
  const [a, b, c] = chainStages;
  await prepare(opened.engine, {
    templates: [
      template("chain", [a, b, c]),
      template("optional", [
        { ...a, extra: { required: false } },
        { id: "z", taskType: "check" },
      ]),
    ],
  });
  agent = workByHand(opened.engine, "builder");
  await agent.beat();
});
afterEach(() => opened.end());

const asks = (options: readonly string[], recommended: string) => ({
  problem: expect.any(String),
  impact: expect.stringContaining("waits for the answer"),
  options,
  recommended,
  blocking: true,
  onTimeout: "stays-open",
});
const critical = { execution: { riskTier: RiskTier.CRITICAL } } as const;
const normal = { execution: { riskTier: RiskTier.NORMAL } } as const;

test("D14 D15 ESC-8: CRITICAL needs a person, and not the one who submitted", async () => {
  const { engine } = opened;
  const anna = askedBy("admin", "default", "anna");
  const pipelineId = await submitTemplate(engine, "chain", critical, anna);
  await agent.work("a");
  const question = await questionOf(engine, pipelineId, "a");
  expect(question).toMatchObject({
    cause: "gate",
    ...asks(["advance", "retry", "rewind", "abort"], "advance"),
  });
  expect(question.gate).toMatchObject({ tier: "CRITICAL" });

  await expect(answer(engine, question, { option: "advance" }, anna)).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  for (const role of ["viewer", "operator", "auditor", "agent"] as const) {
    await expect(answer(engine, question, { option: "advance" }, askedBy(role))).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
  }
  expect(await endOf(engine, question)).toBeNull();

  await answer(engine, question, { option: "advance" });
  expect(await standingOf(engine, pipelineId)).toMatchObject({ a: "COMPLETED", b: "DISPATCHED" });
  await expect(answer(engine, question, { option: "advance" })).rejects.toMatchObject({
    code: "ALREADY_RESOLVED",
  });
  const [passed] = await factsOf(engine, { pipelineId, eventType: AuditEventType.GATE_PASSED });
  expect(passed).toMatchObject({ action: "gate.passed-by-person", actor: { type: "human", id: "approver" } });
});

test("D15 ESC-8: nor the one who made the key that submitted, or a key that made it", async () => {
  const { engine } = opened;
  const anna = askedBy("admin", "default", "anna");
  const first = await createKey(engine, anna, { label: "ci", role: "admin" });
  const byKey = askedBy("admin", "default", keyActorId(first.key));
  const second = await createKey(engine, byKey, { label: "nightly", role: "operator" });
  const byNightly = askedBy("operator", "default", keyActorId(second.key));
  const pipelineId = await submitTemplate(engine, "chain", critical, byNightly);
  await agent.work("a");
  const question = await questionOf(engine, pipelineId, "a");
  await expect(answer(engine, question, { option: "advance" }, anna)).rejects.toMatchObject({
    code: "FORBIDDEN",
    detail: "Nobody approves what they submitted: somebody else has to.",
  });
  await answer(engine, question, { option: "advance" }, askedBy("approver", "default", "ben"));
});

test("D14: NORMAL and not confident needs a person; rewind sends it back with their instructions", async () => {
  const { engine } = opened;
  const pipelineId = await submitTemplate(engine, "chain", normal);
  await agent.work("a");
  await agent.work("b", { confidence: Confidence.UNCERTAIN });
  const question = await questionOf(engine, pipelineId, "b");
  expect(question).toMatchObject({
    cause: "gate",
    ...asks(["advance", "retry", "rewind", "abort"], "advance"),
  });
  const rewind = (stageId: string) =>
    answer(engine, question, { option: "rewind", stageId, instructions: "use the new schema" });
  await expect(rewind("c")).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    violations: [{ field: "stageId", message: 'is "c"; one of a, b is allowed' }],
  });
  await expect(rewind("nowhere"), "the question is there").rejects.toMatchObject({
    code: "NOT_FOUND",
    detail: 'The pipeline has no stage "nowhere".',
    violations: [{ field: "stageId", message: 'is "nowhere"; one of a, b is allowed' }],
  });
  await rewind("a");
  expect(await standingOf(engine, pipelineId)).toMatchObject({ a: "DISPATCHED", b: "PENDING" });
  const again = await agent.work("a");
  expect(again.contextIn?.taskDelta).toContain("use the new schema");
  expect(again.execution?.attemptNumber).toBe(2);
});

test("D14: PARTIAL asks: retry, and the next attempt sees what the person said", async () => {
  const { engine } = opened;
  const pipelineId = await submitTemplate(engine, "chain");
  await agent.work("a", { outcome: Outcome.PARTIAL, summary: "half of it" });
  const question = await questionOf(engine, pipelineId, "a");
  expect(question).toMatchObject({
    cause: "gate",
    ...asks(["advance", "retry", "rewind", "abort"], "retry"),
  });
  await answer(engine, question, { option: "retry", instructions: "the other half too" });
  const again = await agent.work("a");
  expect(again.contextIn?.taskDelta).toContain("the other half too");
  await agent.work("b");
});

test("REPORT-3: POLICY_BLOCKED asks, whatever the strategy; abort ends it", async () => {
  const { engine } = opened;
  const pipelineId = await submitTemplate(engine, "chain");
  await agent.work("a", { outcome: Outcome.POLICY_BLOCKED });
  const question = await questionOf(engine, pipelineId, "a");
  expect(question).toMatchObject({ cause: "policy-blocked", ...asks(["retry", "rewind", "abort"], "retry") });
  await expect(answer(engine, question, { option: "advance" })).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
  });
  await answer(engine, question, { option: "abort" });
  expect(await standingOf(engine, pipelineId)).toMatchObject({ pipeline: "ABORTED" });
  expect(await openQuestions(engine)).toEqual([]);
});

test("ESC-3 ESC-9: skip is offered where a stage may be skipped, and skips it", async () => {
  const { engine } = opened;
  const pipelineId = await submitTemplate(engine, "optional");
  const taken = await agent.take(2);
  for (const envelope of taken) {
    const outcome = envelope.routing?.taskType === "build" ? Outcome.POLICY_BLOCKED : Outcome.SUCCESS;
    await agent.report(envelope, { outcome });
  }
  const question = await questionOf(engine, pipelineId, "a");
  expect(question.options).toEqual(["retry", "rewind", "skip", "abort"]);
  await answer(engine, question, { option: "skip" });
  expect(await standingOf(engine, pipelineId)).toEqual({
    pipeline: "COMPLETED",
    a: "SKIPPED",
    z: "COMPLETED",
  });
});

test("D12 VERDICT-8: a question of the agent is answered by a person, and the answer is in the next attempt", async () => {
  const { engine } = opened;
  const pipelineId = await submitTemplate(engine, "chain");
  await agent.work("a", {
    response: { status: "clarification_needed", message: "Which of the two?", thought: "", data: {} },
  });
  const question = await questionOf(engine, pipelineId, "a");
  expect(question).toMatchObject({
    cause: "clarification",
    ...asks(["answer", "rewind", "abort"], "answer"),
  });
  expect(question.problem).toContain("Which of the two?");
  await expect(answer(engine, question, { option: "answer", answer: " " })).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
  });
  await answer(engine, question, { option: "answer", answer: "the second" });
  const again = await agent.work("a");
  expect(again.contextIn?.taskDelta).toMatch(/Which of the two\?[^]*the second/);
});
