import { AuditEventType, type EscalationSnapshotSchema, PipelineStatus } from "@signalbox/contracts";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { PinnedRef } from "../dispatch/freshness.ts";
import type { InstanceRef } from "../dispatch/registry-facts.ts";
import { mayPass } from "../outcomes.ts";
import { isOver, maySkip } from "./dependencies.ts";
import type { Escalation, EscalationCause, EscalationOption } from "./escalation.ts";
import type { StateChange } from "./fact.ts";
import { changePipeline, changeStage, type Ledger, record, type StageView } from "./ledger.ts";
import { escalationIdOf } from "./ids.ts";
import { withDependents } from "./plan.ts";
import type { PipelineState, StageState } from "./state.ts";

type Question = {
  readonly cause: EscalationCause;
  readonly problem: string;
  readonly recommended: EscalationOption;
  /** A question that its stage does not wait for. */
  readonly blocking?: false;
  readonly gate?: Escalation["gate"];
  readonly quarantined?: InstanceRef | null;
  readonly staleRefs?: readonly PinnedRef[];
  readonly mayAccept?: boolean;
};

/** ESC-3: what may be answered, by cause; what only some stages allow is added by `optionsFor`. */
const optionsByCause: { readonly [cause in EscalationCause]: readonly EscalationOption[] } = {
  "dispatch-refused": ["retry"],
  "policy-blocked": ["retry", "rewind"],
  gate: ["advance", "retry", "rewind"],
  clarification: ["answer", "rewind"],
  "stage-failed": ["retry", "rewind"],
  "low-confidence": ["resume", "retry", "rewind"],
  deadline: ["extend", "resume"],
};

function optionsFor(state: PipelineState, question: Question, stage: StageView | null): EscalationOption[] {
  return [
    // VERDICT-1: what is a failure, or no result at all, nobody can let through.
    ...optionsByCause[question.cause].filter(
      (option) => option !== "advance" || mayPass(stage?.state.result?.outcome),
    ),
    ...(question.mayAccept === true ? (["accept"] as const) : []),
    ...(question.quarantined ? (["restore"] as const) : []),
    ...(stage !== null && maySkip(state.plan, stage.index) ? (["skip"] as const) : []),
    "abort",
  ];
}

function impactOf(state: PipelineState, stage: StageView | null, blocking: boolean): string {
  if (!blocking) return "The attempt goes on meanwhile; nothing waits for the answer.";
  if (stage === null) return "Nothing new is sent; what is under way may finish. The clock stands still.";
  const waiting = withDependents(state.plan, stage.index).length - 1;
  const others =
    waiting === 0 ? "no stage waits" : waiting === 1 ? "1 stage waits" : `${waiting} stages wait`;
  // What waits behind another question goes on as little as what waits behind this one.
  const still = new Set(
    state.stages.flatMap(({ hold }, index) =>
      hold === null && index !== stage.index ? [] : withDependents(state.plan, index),
    ),
  );
  const moves =
    state.status === PipelineStatus.RUNNING &&
    state.stages.some((_, index) => !still.has(index) && !isOver(state, index));
  return `Stage "${stage.plan.stageId}" waits for the answer, and ${others} behind it${moves ? "; other branches go on" : ""}.`;
}

export const snapshotOf = (escalation: Escalation): MessageInitShape<typeof EscalationSnapshotSchema> => ({
  problem: escalation.problem,
  impact: escalation.impact,
  options: [...escalation.options],
  recommended: escalation.recommended,
  blocking: escalation.blocking,
  escalationId: escalation.escalationId,
  cause: escalation.cause,
  onTimeout: escalation.onTimeout,
});

/** ESC-1: a question holds its stage and nothing else, and one that does not block holds nothing; ESC-2: it has an id of its own, never used again. */
export function escalate(
  ledger: Ledger,
  stage: StageView | null,
  question: Question,
  set: Partial<StageState> = {},
): void {
  const { state } = ledger;
  const { blocking = true } = question;
  const escalationsOpened = state.escalationsOpened + 1;
  const escalation: Escalation = {
    escalationId: escalationIdOf({ pipelineId: state.plan.pipelineId, number: escalationsOpened }),
    cause: question.cause,
    stageId: stage?.plan.stageId ?? null,
    attemptNumber: stage?.state.attemptNumber ?? 0,
    problem: question.problem,
    impact: impactOf(state, stage, blocking),
    options: optionsFor(state, question, stage),
    recommended: question.recommended,
    blocking,
    onTimeout: "stays-open",
    openedAt: ledger.now,
    gate: question.gate ?? null,
    quarantined: question.quarantined ?? null,
    staleRefs: question.staleRefs ?? [],
  };
  record(ledger, {
    eventType: AuditEventType.ESCALATION,
    action: "escalation.opened",
    rationale: question.problem,
    stage: stage ?? undefined,
    snapshot: { case: "escalation", value: snapshotOf(escalation) },
    changes: [
      { kind: "escalation-opened", escalation },
      changePipeline({ escalationsOpened }),
      ...(stage === null
        ? []
        : [changeStage(stage, blocking ? { ...set, hold: escalation.escalationId } : set)]),
    ],
  });
}

/** ESC-5: a question whose stage was reset, or whose pipeline is over, is closed as superseded. */
export function supersede(
  state: PipelineState,
  why: "rewound" | "pipeline-ended",
  concerns: (escalation: Escalation) => boolean,
): StateChange[] {
  return state.escalations.filter(concerns).map(({ escalationId }) => ({
    kind: "escalation-closed",
    escalationId,
    end: { kind: "superseded", why },
  }));
}
