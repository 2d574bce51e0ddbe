import { create } from "@bufbuild/protobuf";
import {
  type AgentResult,
  AgentResultSchema,
  HealthStatus,
  RiskTier,
  TaskSubmissionSchema,
} from "@signalbox/contracts";
import {
  compileRedactor,
  compileSnapshot,
  createPipeline,
  judgeReport,
  parsePipelineTemplates,
  parseRoutingPolicy,
  resultSpans,
  type Snapshot,
  taskOf,
  withDispatches,
} from "@signalbox/core";
import type { BatchRegistry } from "../src/orchestrator/batch-registry.ts";
import { systemClock } from "../src/clock.ts";
import { createDeliveries } from "../src/orchestrator/deliveries.ts";
import { dispatchReady } from "../src/orchestrator/dispatch-ready.ts";
import { type Draft, openDraft, takeEffects } from "../src/orchestrator/draft.ts";
import { maskMessage } from "../src/orchestrator/mask-message.ts";
import * as rows from "../src/orchestrator/rows.ts";
import { openStep } from "../src/orchestrator/step.ts";
import { policyText, template, templatesText } from "../src/testing/documents.ts";
import { packOf } from "../src/testing/test-engine.ts";

/**
 * What a three-stage pipeline costs a process before its driver sees it: masking, decisions, gate, envelopes, and every
 * row's text. The reference parses and prints that text once, so a slower machine leaves the ratio as it is. Processor
 * time is counted, which other work on the machine disturbs less than it does the clock.
 */
const PIPELINES = 3_000;
const ROUNDS = 4;
const STAGES = [0, 1, 2];

const now = Date.now();
const redactor = compileRedactor();
const deliveries = createDeliveries({ clock: systemClock, giveBack: () => Promise.resolve() });
const definition = readTemplate();
const registry = openRegistry();
const submission = create(TaskSubmissionSchema, {
  work: { case: "templateId", value: "three" },
  contract: { taskId: "t-1", title: "Build it", acceptanceCriteria: ["it works"] },
  execution: { riskTier: RiskTier.LOW },
});

function readTemplate() {
  const read = parsePipelineTemplates(
    templatesText([
      template("three", [
        { id: "a", taskType: "build" },
        { id: "b", taskType: "build", after: ["a"] },
        { id: "c", taskType: "build", after: ["b"] },
      ]),
    ]),
  );
  const [three] = read.kind === "valid" ? read.document.templates : [];
  if (three === undefined) throw new Error("the bench's template is not valid");
  return three;
}

function openRegistry(): BatchRegistry {
  const policy = parseRoutingPolicy(policyText({ build: ["builder"] }));
  if (policy.kind !== "valid") throw new Error("the bench's policy is not valid");
  let snapshot: Snapshot = compileSnapshot(
    policy.document,
    { version: "1.0.0", schemaVersion: "1.0.0" },
    { packs: [packOf("builder")], instances: [0, 1, 2, 3].map(instance), listeningSince: now },
  );
  return {
    snapshot: () => snapshot,
    queueDepth: () => 0,
    waiting: () => 0,
    onProbation: () => false,
    stands: () => undefined,
    began: (dispatch) => {
      snapshot = withDispatches(snapshot, dispatch, 1);
    },
    ended: (dispatch) => {
      snapshot = withDispatches(snapshot, dispatch, -1);
    },
    breakers: () => [],
  };
}

function instance(index: number) {
  return {
    packId: "builder",
    instanceId: `builder-${index}`,
    packVersion: undefined,
    health: HealthStatus.HEALTHY,
    dispatches: 0,
    otherTasks: 0,
    maxTasks: 100,
    avgLatencyMs: 0,
    availableTools: [],
    degradedTools: [],
    leaseExpiresAt: now + 3_600_000,
    draining: false,
  };
}

function begin(serial: number): Draft {
  const pipelineId = `0190b3a8-8f0f-7bbb-8888-${String(serial).padStart(12, "0")}`;
  const { message, json } = maskMessage(redactor, TaskSubmissionSchema, submission);
  const creation = createPipeline(
    {
      pipelineId,
      pipelineName: definition.name,
      templateId: definition.templateId,
      templateVersion: "1.0.0",
      sourceTaskId: "t-1",
      submitter: { type: "human", id: "operator" },
      policy: definition.policy,
      stages: definition.stages,
    },
    now,
  );
  if (creation.kind === "refused") throw new Error("the bench's template cannot be run");
  const task = taskOf(
    message,
    definition.stages.map(({ config }) => config),
  );
  const held = { state: creation.state, traceId: "0af7651916cd43dd8448eb211c80319c", task };
  const draft = openDraft({ tenantId: "default", pipelineId }, held, {
    submission: JSON.stringify(json),
    title: "Mend the rounding",
  });
  takeEffects(draft, creation.effects);
  return sent(draft);
}

const stepOf = (draft: Draft) =>
  openStep({ now, began: now, registry, redactor, reportedOn: () => undefined }, draft);

function sent(draft: Draft): Draft {
  dispatchReady(stepOf(draft), {
    deliveries,
    atHead: true,
    refreshed: new Map(),
    onBroken: (error) => {
      throw error;
    },
  });
  return draft;
}

function report(before: Draft, order: number): Draft {
  const draft = openDraft(before.key, before);
  const plan = draft.state.plan.stages[order];
  const stage = draft.state.stages[order];
  if (plan === undefined || !stage?.dispatch) throw new Error(`stage ${order} was not sent`);
  const { dispatch } = stage;
  const { message, json, marks } = maskMessage(redactor, AgentResultSchema, resultOf(draft, dispatch));
  const judged = judgeReport(
    {
      state: draft.state,
      stage: { index: order, plan, state: stage },
      dispatch,
      task: draft.task,
      traceId: draft.traceId,
      manifest: undefined,
      schemaVersion: "1.0.0",
    },
    {
      by: { type: "agent", id: dispatch.instanceId },
      result: message,
      masked: marks,
      dispatchId: dispatch.dispatchId,
      violations: [],
    },
  );
  if (judged.kind !== "accepted") throw new Error(`the bench's result is ${judged.kind}`);
  const step = stepOf(draft);
  step.decide(judged.event);
  const { check, gate } = judged;
  step.keepResult({
    stageOrder: order,
    attemptNumber: 1,
    standing: "counted",
    digest: new Uint8Array(32),
    result: JSON.stringify(json),
    spans: resultSpans({ result: message, check, gate, sentAt: now, receivedAt: now }),
  });
  return sent(draft);
}

const resultOf = (
  { traceId }: Draft,
  { dispatchId, instanceId }: { dispatchId: string; instanceId: string },
): AgentResult =>
  create(AgentResultSchema, {
    protocolVersion: { schemaVersion: "1.0.0" },
    status: { outcome: 1, confidence: 1, summary: "done" },
    trace: { traceId, spanId: "00f067aa0ba902b7", tenantId: "default", agentId: instanceId },
    evidence: {
      evidencePayload: { case: "items", value: { items: [{ type: 1, command: "true", passed: true }] } },
    },
    dispatchId,
    attemptNumber: 1,
  });

const rowsOf = (draft: Draft): unknown[] => [
  draft.created === undefined
    ? [rows.pipelineChange(draft), rows.stageChanges(draft, now)]
    : [rows.taskRow(draft), rows.newPipelineRow(draft), rows.newStageRows(draft, now)],
  rows.endedDispatches(draft),
  draft.sent.map((one) => rows.dispatchRow(draft, one)),
  rows.stillOpen(draft).map((one) => rows.openDispatchRow(draft, one, now)),
  rows.resultRows(draft),
  rows.soundInstances(draft),
  rows.eventRows(draft),
  rows.auditRows(draft),
];

function run(serial: number): unknown[] {
  let draft = begin(serial);
  const written = [rowsOf(draft)];
  for (const order of STAGES) {
    draft = report(draft, order);
    written.push(rowsOf(draft));
  }
  return written;
}

function processorMicroseconds(work: (serial: number) => void): number {
  const before = process.cpuUsage();
  for (let serial = 0; serial < PIPELINES; serial += 1) work(serial);
  return process.cpuUsage(before).user / PIPELINES;
}

const text = JSON.stringify(run(0));
const measured = Array.from({ length: ROUNDS }, () => ({
  own: processorMicroseconds(run),
  reference: processorMicroseconds(() => JSON.stringify(JSON.parse(text))),
}));
const best = measured.toSorted((one, other) => one.own - other.own)[0] ?? { own: 0, reference: 1 };
process.stdout.write(
  `a three-stage pipeline            ${best.own.toFixed(0)} µs of processor, ${(text.length / 1000).toFixed(1)} kB of rows\n` +
    `parsing and printing those rows   ${best.reference.toFixed(0)} µs, ratio ${(best.own / best.reference).toFixed(2)}\n`,
);
