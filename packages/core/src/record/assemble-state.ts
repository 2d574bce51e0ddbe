import type { Escalation } from "../pipeline/escalation.ts";
import { readEscalationId } from "../pipeline/ids.ts";
import type { PipelinePlan } from "../pipeline/plan.ts";
import type { PipelineState, StageState } from "../pipeline/state.ts";
import { readEscalation } from "./escalation-codec.ts";
import { type PipelineHead, readPipelineState } from "./pipeline-codec.ts";
import { readPlan } from "./plan-codec.ts";
import { readAt, RecordFault } from "./record-fault.ts";
import { readStageState } from "./stage-codec.ts";

/** A pipeline as its rows hold it. */
export type StoredPipeline = {
  readonly plan: unknown;
  readonly state: unknown;
  /** The row's own, beside its state. */
  readonly revision: number;
  /** All of them, in any order. */
  readonly stages: readonly { readonly stageOrder: number; readonly state: unknown }[];
  /** The open ones, in any order. */
  readonly escalations: readonly unknown[];
};

/** REC-7: the whole state, or a RecordFault that names what is wrong; never a half one. */
export function assembleState(stored: StoredPipeline): PipelineState {
  const plan = readAt("plan", () => readPlan(stored.plan));
  const head = readAt("state", () => readPipelineState(stored.state));
  if (head.revision !== stored.revision) {
    throw new RecordFault(`is ${stored.revision}, and the state's is ${head.revision}`, "revision");
  }
  const state = {
    ...head,
    plan,
    stages: stagesOf(plan, stored.stages),
    escalations: escalationsOf(stored.escalations, head),
  };
  checkHolds(state);
  return state;
}

function stagesOf(plan: PipelinePlan, rows: StoredPipeline["stages"]): StageState[] {
  const byOrder = new Map(rows.map((row) => [row.stageOrder, row]));
  if (rows.length !== plan.stages.length || byOrder.size !== rows.length) {
    throw new RecordFault(
      `are ${rows.length} (${byOrder.size} different); the plan has ${plan.stages.length}`,
      "stages",
    );
  }
  return plan.stages.map(({ stageOrder }) =>
    readAt(`stages[${stageOrder}]`, () => {
      const row = byOrder.get(stageOrder);
      if (row === undefined) throw new RecordFault("is missing");
      return readStageState(row.state);
    }),
  );
}

/** Oldest first: they are numbered in the order in which they were opened. */
function escalationsOf(rows: readonly unknown[], { escalationsOpened }: PipelineHead): Escalation[] {
  const numbered = rows.map((json, index) =>
    readAt(`escalations[${index}]`, () => {
      const escalation = readEscalation(json);
      const number = readEscalationId(escalation.escalationId)?.number;
      if (number === undefined || number > escalationsOpened) {
        throw new RecordFault(
          `${escalation.escalationId} is none of the ${escalationsOpened} that were opened`,
        );
      }
      return { number, escalation };
    }),
  );
  return numbered.toSorted((one, other) => one.number - other.number).map(({ escalation }) => escalation);
}

/** A stage waits for its question, and a question about a stage holds it: a row that is missing shows here. */
function checkHolds({ plan, stages, escalations }: PipelineState): void {
  const asked = new Map(escalations.map(({ escalationId, stageId }) => [escalationId, stageId]));
  if (asked.size !== escalations.length) throw new RecordFault("name one twice", "escalations");
  let held = 0;
  for (const [order, { hold }] of stages.entries()) {
    if (hold === null) continue;
    held += 1;
    if (asked.get(hold) !== plan.stages[order]?.stageId) {
      throw new RecordFault(`waits for ${hold}, which is not open about it`, `stages[${order}].hold`);
    }
  }
  const aboutStages = escalations.filter(({ stageId, blocking }) => blocking && stageId !== null).length;
  if (aboutStages !== held) {
    throw new RecordFault(`${aboutStages} are about stages, and ${held} stages wait`, "escalations");
  }
}
