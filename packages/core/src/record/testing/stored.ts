import type { PipelineState } from "../../pipeline/state.ts";
import type { StoredPipeline } from "../assemble-state.ts";
import { escalationJson } from "../escalation-codec.ts";
import { pipelineStateJson } from "../pipeline-codec.ts";
import { planJson } from "../plan-codec.ts";
import { stageStateJson } from "../stage-codec.ts";

/** Through text and back, as the database gives it. */
export const throughText = (json: unknown): unknown => JSON.parse(JSON.stringify(json));

/** A pipeline as its rows hold it, the last stage first, since rows have no order. */
export const storedOf = (state: PipelineState): StoredPipeline => ({
  plan: throughText(planJson(state.plan)),
  state: throughText(pipelineStateJson(state)),
  revision: state.revision,
  stages: state.stages
    .map((stage, stageOrder) => ({ stageOrder, state: throughText(stageStateJson(stage)) }))
    .toReversed(),
  escalations: state.escalations.map((escalation) => throughText(escalationJson(escalation))).toReversed(),
});
