import { AuditEventType } from "@signalbox/contracts";
import type { Decider } from "./fact.ts";
import { changeStage, type Ledger, record, stageAt } from "./ledger.ts";

/** REWIND-3, ABORT-2: dispatches in flight on these stages are cancelled and fenced, each on record by itself. */
export function cancelInFlight(
  ledger: Ledger,
  stages: readonly number[],
  because: { readonly rationale: string; readonly actor: Decider },
): void {
  for (const index of stages) {
    const stage = stageAt(ledger.state, index);
    const dispatch = stage?.state.dispatch;
    if (stage === undefined || !dispatch || dispatch.reportedAt !== null) continue;
    record(ledger, {
      eventType: AuditEventType.DISPATCH_CANCELLED,
      action: "dispatch.cancelled",
      rationale: because.rationale,
      actor: because.actor,
      stage,
      snapshot: {
        case: "dispatch-end",
        value: {
          packId: dispatch.packId,
          instanceId: dispatch.instanceId,
          durationMs: Math.max(0, ledger.now - dispatch.sentAt),
          dueAt: dispatch.dueAt,
          cancelSent: true,
        },
      },
      changes: [changeStage(stage, { dispatch: null })],
    });
  }
}
