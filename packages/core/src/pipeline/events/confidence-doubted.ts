import { escalate } from "../escalate.ts";
import type { ConfidenceDoubted } from "../event.ts";
import type { Ledger, StageView } from "../ledger.ts";

/** DOUBT-1 (D17): a person is asked while the attempt goes on; only their answer, or its end, ends the question. */
export function confidenceDoubted(ledger: Ledger, stage: StageView, { problem }: ConfidenceDoubted): void {
  escalate(
    ledger,
    stage,
    { cause: "low-confidence", problem, recommended: "resume", blocking: false },
    { doubtedAttempt: stage.state.attemptNumber },
  );
}
