import type { MessageInitShape } from "@bufbuild/protobuf";
import { AuditEventType, type GateSnapshotSchema, StageStatus } from "@signalbox/contracts";
import { cancelInFlight } from "./cancel.ts";
import { commitToReturnTo } from "./commits.ts";
import { enterReady } from "./enter-ready.ts";
import { supersede } from "./escalate.ts";
import type { Decider, FactAction, StateChange } from "./fact.ts";
import { changePipeline, changeStage, type Ledger, record, stageAt, type StageView } from "./ledger.ts";
import { withDependents } from "./plan.ts";
import { retryBudget, withFeedback } from "./stage-failure.ts";
import type { Feedback, StageState } from "./state.ts";

type Rewind = {
  readonly target: StageView;
  /** Whose result the gate judged, under which the entry stands; without one it stands under the target. */
  readonly judged?: StageView;
  readonly action: Extract<FactAction, "gate.rejected" | "stage.rewound-by-person">;
  readonly rationale: string;
  readonly feedback: Feedback;
  readonly gate: MessageInitShape<typeof GateSnapshotSchema>;
  /** A gate's rejection counts against `max_rejections`; a person's rewind does not. */
  readonly counts: boolean;
};

const eventTypes = {
  "gate.rejected": AuditEventType.GATE_REJECTED,
  "stage.rewound-by-person": AuditEventType.STAGE_REWOUND,
} as const;

const afresh = {
  retriesUsed: 0,
  dispatch: null,
  notBefore: null,
  wait: null,
  hold: null,
  result: null,
  failure: null,
  skipReason: null,
  edgesTaken: null,
  commit: null,
  reroute: null,
} satisfies Partial<StageState>;

/** What was accepted, and who lost it, is said no more where it was: an older program reads every other rewind. */
const afreshOf = ({ state }: StageView): Partial<StageState> => ({
  ...afresh,
  ...(state.acceptedRefs.length === 0 ? {} : { acceptedRefs: [] }),
  ...(state.lostBy.length === 0 ? {} : { lostBy: [] }),
});

/** REWIND-1..5 (4.6, D13): the target and what waits for it start afresh; every other branch keeps what it has. */
export function rewind(
  ledger: Ledger,
  { target, judged = target, action, rationale, feedback, gate, counts }: Rewind,
): void {
  const reset = withDependents(ledger.state.plan, target.index);
  const actor: Decider = feedback.by;
  cancelInFlight(ledger, reset, { rationale: `The pipeline goes back to "${target.plan.stageId}"`, actor });
  const { state } = ledger;
  const resetIds = new Set(reset.map((index) => state.plan.stages[index]?.stageId));
  const rejectionsUsed = state.rejectionsUsed + (counts ? 1 : 0);
  record(ledger, {
    eventType: eventTypes[action],
    action,
    rationale,
    actor,
    stage: judged,
    snapshot: {
      case: "gate",
      value: {
        ...gate,
        passed: false,
        rejectReason: rationale,
        rewindTargetStage: target.plan.stageId,
        ...retryBudget({ ...state, rejectionsUsed }, judged),
      },
    },
    changes: [
      ...(counts ? [changePipeline({ rejectionsUsed })] : []),
      ...supersede(state, "rewound", ({ stageId }) => stageId !== null && resetIds.has(stageId)),
      ...restartTarget(ledger, target, feedback),
      ...reset.flatMap((index) => (index === target.index ? [] : forget(stageAt(state, index)))),
    ],
  });
}

/** REWIND-2: through REJECTED to READY, with the evidence, the instructions and what the last attempt handed on. */
function restartTarget({ state, now }: Ledger, target: StageView, feedback: Feedback): StateChange[] {
  const head = commitToReturnTo(state, target.index);
  return [
    changeStage(target, { status: StageStatus.REJECTED }),
    enterReady(target, {
      ...afreshOf(target),
      commit: head === undefined ? null : { first: head, head, notedAt: now },
      priorContextOut: target.state.result?.contextOut ?? target.state.priorContextOut,
      feedback: withFeedback(target, feedback),
    }),
  ];
}

function forget(dependent: StageView | undefined): StateChange[] {
  if (dependent === undefined || dependent.state.status === StageStatus.PENDING) return [];
  return [
    changeStage(dependent, {
      ...afreshOf(dependent),
      status: StageStatus.PENDING,
      priorContextOut: null,
      feedback: [],
    }),
  ];
}
