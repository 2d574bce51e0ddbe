import { create } from "@bufbuild/protobuf";
import {
  AgentResultSchema,
  FailureStrategy,
  Outcome,
  PipelinePolicySchema,
  RiskTier,
  StageConfigSchema,
} from "@signalbox/contracts";
import { createPipeline } from "../src/pipeline/create-pipeline.ts";
import { decide } from "../src/pipeline/decide.ts";
import type { Effect } from "../src/pipeline/effect.ts";
import type { PipelineEvent } from "../src/pipeline/event.ts";
import { foldPipeline } from "../src/pipeline/fold.ts";
import type { PipelineState } from "../src/pipeline/state.ts";

/**
 * Decisions a second over pipelines that run through, against copying the same state with structuredClone: a machine
 * that is twice as fast leaves the ratio as it is.
 */
const result = create(AgentResultSchema, {
  status: { outcome: Outcome.SUCCESS, summary: "done" },
  contextOut: { risksIdentified: ["one"], assumptionsMade: ["two"] },
  artifacts: [{ path: "src/a.ts", digest: "sha256:00" }],
});
const gate = {
  checks: ["evidence", "tests", "static", "build", "scope", "safety"].map((gateName) => ({
    gateName,
    passed: true,
    evidence: "passed",
  })),
  tier: "LOW",
  passed: true,
};

/** A chain, so that every stage waits for one; or a fan, so that one stage waits for all the others. */
const shapes = {
  chain: (index: number) => (index === 0 ? [] : [`s${index - 1}`]),
  fan: (index: number, size: number) =>
    index < size - 1 ? [] : Array.from({ length: index }, (_, earlier) => `s${earlier}`),
};

function started(
  size: number,
  shape: keyof typeof shapes,
): { state: PipelineState; effects: readonly Effect[] } {
  const creation = createPipeline(
    {
      pipelineId: "pl-1",
      pipelineName: "bench",
      templateId: "bench",
      templateVersion: "1.0.0",
      sourceTaskId: "task-1",
      submitter: { type: "human", id: "somebody" },
      policy: create(PipelinePolicySchema, { failureStrategy: FailureStrategy.PAUSE }),
      stages: Array.from({ length: size }, (_, index) => ({
        stageId: `s${index}`,
        stageName: "",
        taskType: "work",
        config: create(StageConfigSchema, { required: true, dependsOnStages: shapes[shape](index, size) }),
      })),
    },
    0,
  );
  if (creation.kind === "refused") throw new Error("the bench's own template is refused");
  return creation;
}

function eventsOf(stageId: string): PipelineEvent[] {
  const fence = { stageId, dispatchId: `d-${stageId}`, attemptNumber: 1 };
  return [
    {
      kind: "stage-dispatched",
      ...fence,
      packId: "p",
      packVersion: "1.0.0",
      riskTier: RiskTier.LOW,
      instanceId: "i",
      dueAt: null,
      decision: {},
      rationale: "",
    },
    {
      kind: "result-accepted",
      by: { type: "agent", id: "i" },
      ...fence,
      result,
      schemaVersionExpected: "1.0.0",
      judgement: { verdict: "advance", gate, rationale: "passed" },
    },
  ];
}

function runThrough(first: PipelineState, events: readonly PipelineEvent[], told?: Effect[]): PipelineState {
  let state = first;
  for (const event of events) {
    const decision = decide(state, event, 1);
    if (decision.kind === "refused") throw new Error(JSON.stringify(decision.refusal));
    told?.push(...decision.effects);
    ({ state } = decision);
  }
  return state;
}

/** The best of five rounds of at least 0.3 s: what else the machine does only ever slows a round down. */
function perSecond(batch: number, work: () => void): number {
  let best = 0;
  for (let round = 0; round < 5; round += 1) {
    let done = 0;
    const begin = performance.now();
    while (performance.now() - begin < 300) {
      work();
      done += batch;
    }
    best = Math.max(best, (done * 1_000) / (performance.now() - begin));
  }
  return best;
}

const rounded = (value: number) => Math.round(value).toLocaleString("en");

for (const [size, shape] of [
  [3, "chain"],
  [20, "chain"],
  [200, "chain"],
  [200, "fan"],
] as const) {
  const { state: first } = started(size, shape);
  const events = Array.from({ length: size }, (_, index) => eventsOf(`s${index}`)).flat();
  const finished = runThrough(first, events);
  const decisions = perSecond(events.length, () => runThrough(first, events));
  const clones = perSecond(1, () => structuredClone(finished));
  console.log(
    `${size} stages, ${shape}: ${rounded(decisions)} decisions/s, ` +
      `${(decisions / clones).toFixed(1)} × structuredClone of the state (${rounded(clones)}/s)`,
  );
}

const { state: begun, effects } = started(3, "chain");
const told = [...effects];
runThrough(begun, ["s0", "s1", "s2"].flatMap(eventsOf), told);
const facts = told.flatMap((effect) => (effect.kind === "audit" ? effect.fact : []));
const folds = perSecond(1, () => foldPipeline(facts));
console.log(`fold of ${facts.length} facts, 3 stages: ${rounded(folds)} folds/s`);
