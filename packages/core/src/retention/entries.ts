import { type AuditEntry, AuditEventType } from "@signalbox/contracts";
import { type AuditContext, auditEntry } from "../audit-entries.ts";
import { orchestrator } from "../pipeline/ledger.ts";

type Hold = { readonly holdId: string };

const forHowLong = (months: number | null): string => (months === null ? "for ever" : `for ${months} months`);

/** RET-6; `earlier` is what is in force until then. */
export const retentionChanged = (
  context: AuditContext,
  {
    keepMonths,
    earlier,
    takesEffectAt,
  }: { keepMonths: number | null; earlier: number | null; takesEffectAt: string },
  reason: string,
): AuditEntry =>
  auditEntry(context, {
    eventType: AuditEventType.RETENTION_CHANGED,
    action: `said that the record is kept ${forHowLong(keepMonths)}, from ${takesEffectAt} on; until then ${forHowLong(earlier)}`,
    rationale: reason,
  });

export const holdPlaced = (context: AuditContext, { holdId }: Hold, reason: string): AuditEntry =>
  auditEntry(context, {
    eventType: AuditEventType.RETENTION_HOLD_PLACED,
    action: `placed hold ${holdId} on the record`,
    rationale: reason,
  });

export const holdReleased = (context: AuditContext, { holdId }: Hold, reason: string): AuditEntry =>
  auditEntry(context, {
    eventType: AuditEventType.RETENTION_HOLD_RELEASED,
    action: `released hold ${holdId}`,
    rationale: reason,
  });

/** RET-5: the database looks for the month in it before it removes anything. */
export const retentionApplied = (context: Omit<AuditContext, "actor">, month: string): AuditEntry =>
  auditEntry(
    { ...context, actor: orchestrator },
    {
      eventType: AuditEventType.RETENTION_APPLIED,
      action: `removed the record of ${month}`,
      rationale: "The time that the record is kept had passed since the month's end, and nothing held it.",
    },
  );
