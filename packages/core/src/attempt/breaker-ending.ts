import { Outcome } from "@signalbox/contracts";
import { breakerVerdict } from "../dispatch/breaker.ts";
import type { PipelineEvent } from "../pipeline/event.ts";
import type { CurrentDispatch, StageState } from "../pipeline/state.ts";

/**
 * ATT-10 (D5): what the end of a dispatch tells the breaker of its pack. Of one that was only called off nothing is
 * learned, nor of one that nobody took or that was handed back, for as long as the stage may be sent again for that
 * (SENT-9, SENT-11).
 */
export function breakerEnding(
  event: PipelineEvent,
  { dispatchId }: Pick<CurrentDispatch, "dispatchId">,
  stage: { readonly before: Pick<StageState, "sendsLost">; readonly after: Pick<StageState, "sendsLost"> },
): "succeeded" | "failed" | "cancelled" {
  if (!("dispatchId" in event) || event.dispatchId !== dispatchId) return "cancelled";
  if (stage.after.sendsLost > stage.before.sendsLost) return "cancelled";
  switch (event.kind) {
    case "result-accepted":
      return breakerVerdict(event.result.status?.outcome ?? Outcome.UNSPECIFIED);
    case "transport-failed":
    case "result-invalid":
    case "dispatch-timed-out":
    case "lease-lost":
    case "agent-failed":
      return "failed";
    case "stage-dispatched":
    case "handoff-requested":
    case "commit-noted":
    case "confidence-doubted":
      return "cancelled";
  }
}
