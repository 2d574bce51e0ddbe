import type { StageConfig } from "@signalbox/contracts";
import { StageStatus } from "@signalbox/contracts";
import {
  type CompiledInputs,
  compileInputs,
  type Filled,
  fillInputs,
  type StageValues,
} from "../sacp/inputs.ts";
import { allStages, type StageView } from "../pipeline/ledger.ts";
import { isUpstream } from "../pipeline/plan.ts";
import type { PipelineState } from "../pipeline/state.ts";
import type { StageTask } from "./task.ts";

/** By the stage of a template, which never changes once published; compiling takes longer than filling. */
const compiled = new WeakMap<StageConfig, CompiledInputs>();

/** SACP-31 (D11): what the template maps into the stage, or undefined where it maps nothing. */
export function inputsOf(
  state: PipelineState,
  stage: StageView,
  task: StageTask | undefined,
): Filled | undefined {
  const config = task?.config;
  if (config?.inputs === undefined) return undefined;
  const before = allStages(state).filter(
    ({ index }) => index !== stage.index && isUpstream(state.plan, index, stage.index),
  );
  const known =
    compiled.get(config) ??
    compileInputs(
      config.inputs,
      before.map(({ plan }) => plan.stageId),
    ).compiled;
  compiled.set(config, known);
  return fillInputs(known, new Map(before.map((source) => [source.plan.stageId, valuesOf(source)])));
}

/** What a later stage may be given of an earlier one. One that was left out has nothing to give. */
function valuesOf({ state: { status, result, failure } }: StageView): StageValues {
  if (status === StageStatus.SKIPPED) return { status: "skipped", data: {} };
  const failed = status === StageStatus.FAILED;
  const response = result?.response;
  if (response) {
    const { message, nextStepHint } = response;
    const hint = nextStepHint === "" ? {} : { next_step_hint: nextStepHint };
    return { status: failed ? "failure" : response.status, data: response.data ?? {}, message, ...hint };
  }
  const said = failed ? (failure?.reason ?? "") : (result?.summary ?? "");
  return { status: failed ? "failure" : "success", data: {}, ...(said === "" ? {} : { message: said }) };
}
