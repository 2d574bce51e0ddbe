import { PipelineStatus } from "@signalbox/contracts";
import { endPipeline } from "../end-pipeline.ts";
import type { AbortRequested, RewindRequested } from "../event.ts";
import type { Decider } from "../fact.ts";
import { type Ledger, type StageView } from "../ledger.ts";
import { pausePipeline, whoever } from "../pause.ts";
import { rewind } from "../rewind.ts";
import type { Feedback } from "../state.ts";

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
    feedback: instructionsOf(target, event.instructions, event.by),
    gate: { checks: [] },
    counts: false,
  });
}

export const instructionsOf = ({ state }: StageView, text: string, by: Decider): Feedback => ({
  kind: "rejection",
  fromAttempt: state.attemptNumber,
  text,
  question: null,
  failedChecks: [],
  by,
});
