import { AuditEventType } from "@signalbox/contracts";
import { quotedReason } from "../../quoted-text.ts";
import { escalate } from "../escalate.ts";
import type { EscalationOption } from "../escalation.ts";
import type { DispatchRefused } from "../event.ts";
import type { AuditFact } from "../fact.ts";
import { type Ledger, record, type StageView } from "../ledger.ts";

/** Why the stage of such a fact was refused; undefined of every other fact, and of one older than the snapshot's field. */
export const refusalOf = ({ snapshot }: Pick<AuditFact, "snapshot">): string | undefined =>
  (snapshot?.case === "dispatch" && snapshot.value.refusal) || undefined;

/** Neither a full queue, nor the time, nor a reference says that nobody could have taken it. */
export const otherRefusals: readonly string[] = [
  "queue-full",
  "deadline-passed",
  "stale-refs",
] satisfies DispatchRefused["reason"][];

/** SENT-2 (3.2): what admission, match, filter or freshness refuse is asked of a person; the stage stays READY, held. */
export function dispatchRefused(ledger: Ledger, stage: StageView, event: DispatchRefused): void {
  const problem = quotedReason(event.problem);
  record(ledger, {
    eventType: AuditEventType.DISPATCH_DECISION,
    action: "dispatch.refused",
    rationale: `${event.reason}: ${problem}`,
    stage,
    snapshot: {
      case: "dispatch",
      value: {
        ...event.decision,
        selectedPackId: "",
        attemptNumber: event.attemptNumber,
        refusal: event.reason,
      },
    },
  });
  escalate(
    ledger,
    stage,
    {
      cause: "dispatch-refused",
      problem,
      recommended: recommendedFor(event),
      quarantined: event.quarantined,
      staleRefs: event.staleRefs ?? [],
      mayAccept: event.accepting !== undefined,
    },
    { notBefore: null, wait: null },
  );
}

function recommendedFor({ quarantined, accepting }: DispatchRefused): EscalationOption {
  if (quarantined !== null) return "restore";
  return accepting === "recommended" ? "accept" : "retry";
}
