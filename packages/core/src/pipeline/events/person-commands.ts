import { PipelineStatus } from "@signalbox/contracts";
import { endPipeline } from "../end-pipeline.ts";
import { whyOf } from "../escalation.ts";
import type { AbortRequested, RewindRequested } from "../event.ts";
import type { Decider } from "../fact.ts";
import { type Ledger, type StageView } from "../ledger.ts";
import { pausePipeline, whoever } from "../pause.ts";
import { quotedReason } from "../../quoted-text.ts";
import { withDependents } from "../plan.ts";
import { rewind } from "../rewind.ts";
import type { Feedback, PipelineState } from "../state.ts";

/** ABORT-1 (4.5): only a PAUSED pipeline is aborted, so a running one stops first; both steps are on record. */
export function abortPipeline(
  ledger: Ledger,
  { by, note }: Pick<AbortRequested, "by" | "note">,
  escalationId: string | null = null,
): void {
  const rationale = note === "" ? `Aborted by ${whoever(by)}` : note;
  if (ledger.state.status === PipelineStatus.RUNNING) {
    pausePipeline(ledger, "person", `Stopped to be aborted: ${rationale}`, by);
  }
  const said = { reason: note, escalationId };
  endPipeline(ledger, { status: PipelineStatus.ABORTED, rationale, actor: by, said });
}

/** REWIND-5: a person's rewind is outside `max_rejections`, and is on record as theirs. */
export function rewindByPerson(ledger: Ledger, target: StageView, event: RewindRequested): void {
  rewind(ledger, {
    target,
    action: "stage.rewound-by-person",
    rationale: event.instructions || `Rewound to "${target.plan.stageId}" by ${whoever(event.by)}`,
    feedback: {
      ...instructionsOf(target, event.instructions, event.by),
      question: whyOpen(ledger.state, target),
    },
    gate: { checks: [] },
    counts: false,
  });
}

/** ATTEMPT-6: what people were asked about the stages that it resets, and need answer no more. */
function whyOpen({ plan, escalations }: PipelineState, target: StageView): string | null {
  const reset = new Set(withDependents(plan, target.index).map((index) => plan.stages[index]?.stageId));
  const whys = escalations.flatMap((open) =>
    open.stageId !== null && reset.has(open.stageId) ? (whyOf(open) ?? []) : [],
  );
  return whys.length === 0 ? null : quotedReason(whys.join("\n"));
}

export const instructionsOf = ({ state }: StageView, text: string, by: Decider): Feedback => ({
  kind: "rejection",
  fromAttempt: state.attemptNumber,
  text,
  question: null,
  failedChecks: [],
  by,
});
