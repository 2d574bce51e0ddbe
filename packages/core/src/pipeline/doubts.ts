import { AuditEventType } from "@signalbox/contracts";
import type { Escalation } from "./escalation.ts";
import { type Ledger, record, stageNamed } from "./ledger.ts";
import type { PipelineState } from "./state.ts";

/** DOUBT-3: a question about an attempt that is over is closed as superseded, whatever ended the attempt. */
export function closeDoubts(ledger: Ledger): void {
  for (const escalation of ledger.state.escalations) {
    if (escalation.cause !== "low-confidence" || isAtWork(ledger.state, escalation)) continue;
    const { escalationId, stageId } = escalation;
    record(ledger, {
      eventType: AuditEventType.ESCALATION_RESOLVED,
      action: "escalation.resolved.superseded",
      rationale: "The attempt that it asks about is over",
      stage: stageId === null ? undefined : stageNamed(ledger.state, stageId),
      changes: [
        { kind: "escalation-closed", escalationId, end: { kind: "superseded", why: "attempt-ended" } },
      ],
    });
  }
}

function isAtWork(state: PipelineState, { stageId, attemptNumber }: Escalation): boolean {
  const dispatch = stageId === null ? null : stageNamed(state, stageId)?.state.dispatch;
  return dispatch?.attemptNumber === attemptNumber && dispatch.reportedAt === null;
}
