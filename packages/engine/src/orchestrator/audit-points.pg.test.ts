import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { ActorType, AuditEventType, Outcome } from "@signalbox/contracts";
import {
  type AuditFact,
  compileSnapshot,
  decideDispatch,
  parseRoutingPolicy,
  readDispatchRecord,
} from "@signalbox/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { factsOf } from "../testing/audit.ts";
import { policyText, template } from "../testing/documents.ts";
import { type HandWorkedAgent, workByHand } from "../testing/hand-worked-agent.ts";
import { questionOf, standingOf, submitTemplate, submitType, waitForStatus } from "../testing/pipelines.ts";
import { chainStages, prepare } from "../testing/prepare.ts";
import { failedEvidence } from "../testing/results.ts";
import { askedBy, openTestEngine, packOf, type TestEngine } from "../testing/test-engine.ts";
import { waitUntil } from "../testing/wait-until.ts";
import { listAudit } from "../read-audit.ts";

const policy = policyText(
  { build: ["builder", "other"], check: ["builder"], ship: ["builder"] },
  { routes: { build: { preferred_pack_id: "builder" } } },
);
const packs = [packOf("builder"), packOf("other")];
let opened: TestEngine;
let agent: HandWorkedAgent;
beforeEach(async () => {
  opened = await openTestEngine();
  await prepare(opened.engine, {
    packs,
    policy,
    templates: [template("chain", chainStages, { pipeline_deadline: "1h", max_total_retries: 7 })],
  });
  agent = workByHand(opened.engine, "builder");
  await agent.beat({ capacity: { maxTasks: 3 }, availableTools: ["psql"] });
});
afterEach(() => opened.end());

const of = (facts: readonly AuditFact[], action: AuditFact["action"]) =>
  facts.filter((fact) => fact.action === action);

describe("5.4: each point is on record with its snapshot", () => {
  test("from PIPELINE_CREATED through gates that fail and reject to PIPELINE_COMPLETED", async () => {
    const { engine } = opened;
    const started = { startedAt: timestampFromMs(Date.now() - 500), finishedAt: timestampFromMs(Date.now()) };
    const pipelineId = await submitTemplate(engine, "chain");
    await agent.work("a", failedEvidence);
    await agent.work("a", {
      timing: { ...started, duration: durationFromMs(500) },
      artifacts: [{ path: "a.ts", digest: "sha256:a" }],
      contextOut: { risksIdentified: ["it may be slow"] },
    });
    await agent.work("b");
    await agent.work("c", {
      outcome: Outcome.NON_RETRYABLE_FAILURE,
      blockers: [{ description: "wrong", suggestedResolution: "rewind: b" }],
    });
    await agent.work("b");
    await agent.work("c");
    await waitForStatus(engine, pipelineId, "COMPLETED");
    const facts = await factsOf(engine, { pipelineId });

    expect(of(facts, "pipeline.created")).toMatchObject([
      {
        eventType: AuditEventType.PIPELINE_CREATED,
        actor: { type: "human", id: "operator" },
        snapshot: {
          case: "pipeline",
          value: {
            templateId: "chain",
            templateVersion: "1.0.0",
            stageCount: 3,
            policy: { maxTotalRetries: 7 },
          },
        },
      },
    ]);
    const decided = of(facts, "dispatch.decided");
    expect(decided).toHaveLength(6);
    expect(decided[0]).toMatchObject({
      eventType: AuditEventType.DISPATCH_DECISION,
      stageId: "a",
      snapshot: {
        value: {
          selectedPackId: "builder",
          candidatePackIds: ["builder", "other"],
          routingPolicyVersion: "1.0.0",
          attemptNumber: 1,
        },
      },
    });
    expect(of(facts, "dispatch.sent")[1]).toMatchObject({
      eventType: AuditEventType.DISPATCH_SENT,
      dispatchId: `${pipelineId}-d0.2`,
      attemptNumber: 2,
      packId: "builder",
      snapshot: { value: { attemptNumber: 2, contextLevelApplied: 3 } },
    });
    expect(of(facts, "result.received")[1]).toMatchObject({
      eventType: AuditEventType.RESULT_RECEIVED,
      snapshot: {
        value: {
          outcome: Outcome.SUCCESS,
          confidence: 1,
          artifactsCount: 1,
          evidenceCount: 1,
          timing: { duration: durationFromMs(500) },
        },
      },
    });
    const failed = facts.filter(({ eventType }) => eventType === AuditEventType.GATE_FAILED);
    expect(failed).toMatchObject([
      {
        stageId: "a",
        snapshot: { value: { stageRetriesLeft: 3, pipelineRetriesLeft: 6, rejectionsLeft: 3 } },
      },
    ]);
    const passed = of(facts, "gate.passed");
    const checks = passed[0]?.snapshot?.case === "gate" ? passed[0].snapshot.value.checks : [];
    expect(checks?.map(({ gateName }) => gateName)).toEqual([
      "evidence",
      "tests",
      "static",
      "build",
      "scope",
      "safety",
    ]);
    expect(checks?.every(({ evidence }) => evidence !== "")).toBe(true);
    expect(of(facts, "gate.rejected")).toMatchObject([
      { eventType: AuditEventType.GATE_REJECTED, snapshot: { value: { rewindTargetStage: "b" } } },
    ]);
    expect(of(facts, "pipeline.completed")).toMatchObject([
      {
        eventType: AuditEventType.PIPELINE_COMPLETED,
        snapshot: {
          value: {
            stagesCompleted: 3,
            stagesSkipped: 0,
            risks: ["it may be slow"],
            totalMs: expect.any(Number),
          },
        },
      },
    ]);
  });

  test("Admission rejects and human escalation: the question whole, beside the decision it came of", async () => {
    const { engine } = opened;
    const pipelineId = await submitType(engine, "unheard-of");
    const question = await questionOf(engine, pipelineId);
    const facts = await factsOf(engine, { pipelineId });
    expect(of(facts, "dispatch.refused")).toHaveLength(1);
    expect(of(facts, "escalation.opened")).toMatchObject([
      {
        eventType: AuditEventType.ESCALATION,
        snapshot: {
          case: "escalation",
          value: {
            escalationId: question.escalationId,
            problem: question.problem,
            impact: question.impact,
            options: [...question.options],
            recommended: "retry",
            blocking: true,
          },
        },
      },
    ]);
  });

  test("D19: order and time are the database's, and each entry carries its correlation in columns", async () => {
    const { engine } = opened;
    const pipelineId = await submitTemplate(engine, "chain");
    await agent.work("a");
    const { entries } = await listAudit(engine, askedBy("auditor"), { pipelineId, limit: 100 });
    // Without its last zeros a time is no text to be sorted.
    const times = entries.map(({ recordedAt }) => recordedAt.replace("Z", "").padEnd(26, "0"));
    expect(times).toEqual(times.toSorted().toReversed());
    // 5.2: by which contract an entry was written stands in it, of a pipeline or not.
    const others = (await listAudit(engine, askedBy("auditor"), { limit: 100 })).entries;
    expect(others.some((entry) => entry.eventType === AuditEventType.PACK_REGISTERED)).toBe(true);
    for (const { payload } of [...entries, ...others])
      expect(JSON.parse(payload)).toMatchObject({ protocolVersion: { schemaVersion: "1.0.0" } });
    const sent = entries.filter(({ eventType }) => eventType === AuditEventType.DISPATCH_SENT);
    for (const entry of sent) {
      expect(entry).toMatchObject({ pipelineId, packId: "builder", actorType: ActorType.ORCHESTRATOR });
      expect(entry.traceId).toMatch(/^[0-9a-f]{32}$/);
    }
  });
});

test("DSP-60: a recorded decision holds all candidates, reasons and facts, and taken again from its record it is the same", async () => {
  const { engine } = opened;
  const other = workByHand(engine, "other");
  await other.beat({ capacity: { maxTasks: 1 } });
  const ids: string[] = [];
  for (let count = 0; count < 6; count += 1) ids.push(await submitType(engine, "build"));
  await waitUntil(async () => (await standingOf(engine, ids[5] ?? ""))["task"] === "READY");
  const parsed = parseRoutingPolicy(policy);
  if (parsed.kind !== "valid") throw new Error("the policy does not parse");
  const outcomes = [];
  for (const pipelineId of ids) {
    for (const fact of await factsOf(engine, { pipelineId, eventType: AuditEventType.DISPATCH_DECISION })) {
      if (fact.snapshot?.case !== "dispatch") throw new Error("a decision without its facts");
      const { rejectionReasons = "", candidatePackIds, selectedPackId } = fact.snapshot.value;
      expect(candidatePackIds).toEqual(["builder", "other"]);
      const record = readDispatchRecord(rejectionReasons);
      const builder = record.instances.find(({ instanceId }) => instanceId === "builder-1");
      expect(builder).toMatchObject({ maxTasks: 3, availableTools: ["psql"] });
      const again = decideDispatch(
        compileSnapshot(parsed.document, record.orchestrator, {
          packs: packs.filter(({ packId }) => record.packVersions.some((known) => known.packId === packId)),
          instances: record.instances,
          breakers: record.breakers,
          listeningSince: record.listeningSince,
        }),
        record.request,
        record.decidedAt,
      );
      outcomes.push(record.outcome);
      expect(again).toMatchObject(
        fact.action === "dispatch.decided" ? { kind: "selected", packId: selectedPackId } : { kind: "wait" },
      );
    }
  }
  expect(outcomes.filter((one) => one === "selected")).toHaveLength(4);
  expect(outcomes.filter((one) => one.startsWith("wait")).length).toBeGreaterThan(0);
});
