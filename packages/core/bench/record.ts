import { create, toJson } from "@bufbuild/protobuf";
import {
  AgentResultSchema,
  AuditEntrySchema,
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
import type { PipelineState } from "../src/pipeline/state.ts";
import { assembleState } from "../src/record/assemble-state.ts";
import { auditEntryJson, factOf } from "../src/record/entry-json.ts";
import { foldEntries } from "../src/record/fold-entries.ts";
import { pipelineStateJson } from "../src/record/pipeline-codec.ts";
import { planJson } from "../src/record/plan-codec.ts";
import { stageStateJson } from "../src/record/stage-codec.ts";
import { entryMessage } from "../src/record/testing/entry-message.ts";

/**
 * What a transition costs to put on record, against JSON.stringify of the very objects: that much has to be paid
 * whatever is written, and a machine that is twice as fast leaves the ratio as it is.
 */
const STAGES = 3;
const context = {
  tenantId: "tenant",
  pipelineId: "0199a4f2-7c3e-7d10-8a54-2f6b9d0c1e77",
  traceId: "0af7651916cd43dd8448eb211c80319c",
  schemaVersion: "1.0.0",
};
const result = create(AgentResultSchema, {
  status: { outcome: Outcome.SUCCESS, summary: "done" },
  contextOut: {
    decisionsMade: [{ decisionId: "d", description: "one of two ways", rationale: "it is shorter" }],
    risksIdentified: ["one"],
    assumptionsMade: ["two"],
  },
  artifacts: ["src/a.ts", "src/b.ts"].map((path) => ({ path, digest: "sha256:00" })),
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

function eventsOf(stageId: string): PipelineEvent[] {
  const fence = { stageId, dispatchId: `${context.pipelineId}-d${stageId}.1`, attemptNumber: 1 };
  return [
    {
      kind: "stage-dispatched",
      ...fence,
      packId: "senior-ts-dev",
      packVersion: "1.4.0",
      instanceId: "instance-7",
      riskTier: RiskTier.LOW,
      dueAt: 1_772_000_060_000,
      decision: {
        selectedPackId: "senior-ts-dev",
        candidatePackIds: ["senior-ts-dev", "qa-engineer"],
        routingPolicyVersion: "1.0.0",
        rejectionReasons: JSON.stringify({ outcome: "selected", packs: ["senior-ts-dev", "qa-engineer"] }),
      },
      rationale: "senior-ts-dev 1.4.0 on instance-7, as the policy prefers.",
    },
    {
      kind: "result-accepted",
      by: { type: "agent", id: "i" },
      ...fence,
      result,
      schemaVersionExpected: "1.0.0",
      judgement: { verdict: "advance", gate, rationale: "All six checks passed at tier LOW" },
    },
  ];
}

function ranThrough(): { state: PipelineState; effects: readonly Effect[] } {
  const creation = createPipeline(
    {
      pipelineId: context.pipelineId,
      pipelineName: "bench",
      templateId: "bench",
      templateVersion: "1.0.0",
      sourceTaskId: "task-1",
      submitter: { type: "human", id: "somebody" },
      policy: create(PipelinePolicySchema, { failureStrategy: FailureStrategy.PAUSE }),
      stages: Array.from({ length: STAGES }, (_, index) => ({
        stageId: `s${index}`,
        stageName: "",
        taskType: "work",
        config: create(StageConfigSchema, {
          required: true,
          dependsOnStages: index === 0 ? [] : [`s${index - 1}`],
        }),
      })),
    },
    1_772_000_000_000,
  );
  if (creation.kind === "refused") throw new Error("the bench's own template is refused");
  const effects = [...creation.effects];
  let { state } = creation;
  for (const event of Array.from({ length: STAGES }, (_, index) => eventsOf(`s${index}`)).flat()) {
    const decision = decide(state, event, 1_772_000_000_001);
    if (decision.kind === "refused") throw new Error(JSON.stringify(decision.refusal));
    effects.push(...decision.effects);
    ({ state } = decision);
  }
  return { state, effects };
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

const { state, effects } = ranThrough();
const facts = effects.flatMap((effect) => (effect.kind === "audit" ? effect.fact : []));
const entries = facts.map((fact) => auditEntryJson(fact, context));
const texts = entries.map((entry) => JSON.stringify(entry));
const stage = state.stages[0];
if (stage === undefined) throw new Error("the bench's own pipeline has no stage");
const stageText = JSON.stringify(stageStateJson(stage));

// A bench of a wrong record measures nothing.
const folded = foldEntries(entries);
if (folded.kind !== "folded" || folded.state.revision !== state.revision) throw new Error(folded.kind);

const stored = () => ({
  plan: planJson(state.plan),
  state: pipelineStateJson(state),
  revision: state.revision,
  stages: state.stages.map((one, stageOrder) => ({ stageOrder, state: stageStateJson(one) })),
  escalations: [],
});
const rows = stored();
if (assembleState(rows).revision !== state.revision) throw new Error("the state was not read back");

const report = (name: string, rate: number, reference: number) =>
  console.log(
    `${name.padEnd(44)}${Math.round(rate).toLocaleString("en").padStart(12)}/s` +
      `${(rate / reference).toFixed(2).padStart(8)} × JSON.stringify of the same`,
  );

const bytes = Math.round(texts.reduce((sum, text) => sum + text.length, 0) / texts.length);
console.log(
  `${entries.length} entries of ${bytes} bytes each on average; a stage of ${stageText.length} bytes`,
);
const stringified = perSecond(entries.length, () => entries.forEach((entry) => JSON.stringify(entry)));
report("entries: JSON.stringify", stringified, stringified);
report(
  "entries: fact to JSON object",
  perSecond(entries.length, () => facts.forEach((fact) => auditEntryJson(fact, context))),
  stringified,
);
report(
  "entries: fact to text",
  perSecond(entries.length, () => facts.forEach((fact) => JSON.stringify(auditEntryJson(fact, context)))),
  stringified,
);
report(
  "entries: by create() and toJson()",
  perSecond(entries.length, () =>
    facts.forEach((fact) => toJson(AuditEntrySchema, entryMessage(fact, context))),
  ),
  stringified,
);
report(
  "entries: text to fact",
  perSecond(texts.length, () => texts.forEach((text) => factOf(JSON.parse(text)))),
  stringified,
);
const stageJson = stageStateJson(stage);
const stageReference = perSecond(1, () => JSON.stringify(stageJson));
report("stage: JSON.stringify", stageReference, stageReference);
report(
  "stage: state to JSON object",
  perSecond(1, () => stageStateJson(stage)),
  stageReference,
);
const rowsReference = perSecond(1, () => JSON.stringify(rows));
report(
  `pipeline of ${STAGES} stages: rows to state`,
  perSecond(1, () => assembleState(rows)),
  rowsReference,
);
