import { type AuditEntry, AuditEventType } from "@signalbox/contracts";
import { type AuditContext, auditEntry } from "../audit-entries.ts";
import { orchestrator } from "../pipeline/ledger.ts";
import { type AlertCondition, type ConditionName, conditionNames, holdsAt } from "./conditions.ts";

/** An alert that is on record as fired, and not yet as resolved. */
export type FiredAlert = {
  /** One that a newer program fired may have a name that is not known here. */
  readonly alert: string;
  readonly subject: string;
  readonly packId: string | null;
  /** What was said of it when it fired. */
  readonly detail: string;
};

export type AlertStep = {
  readonly fires: readonly AlertCondition[];
  readonly resolves: readonly FiredAlert[];
};

/**
 * ALERT-7: what holds and is not fired yet fires; what is fired and holds no more is resolved. Of the kinds that are `unsure` not
 * all that holds was looked at, so that nothing of them is resolved.
 */
export function stepAlerts(
  fired: readonly FiredAlert[],
  { conditions, unsure }: { conditions: readonly AlertCondition[]; unsure: ReadonlySet<ConditionName> },
  now: number,
): AlertStep {
  const holding = conditions.filter((condition) => holdsAt(condition, now));
  const [known, held] = [new Set(fired.map(nameOf)), new Set(holding.map(nameOf))];
  return {
    fires: holding.filter((condition) => !known.has(nameOf(condition))),
    resolves: fired.filter((one) => isJudged(one.alert, unsure) && !held.has(nameOf(one))),
  };
}

const nameOf = ({ alert, subject }: Pick<FiredAlert, "alert" | "subject">) =>
  JSON.stringify([alert, subject]);

/** ALERT-8: what this program has no word for is another's to resolve. */
const isJudged = (alert: string, unsure: ReadonlySet<ConditionName>): boolean =>
  conditionNames.some((known) => known === alert && !unsure.has(known));

type Context = Omit<AuditContext, "actor">;

/** `detail` as it may be kept. */
export const alertFired = (
  context: Context,
  { alert, severity, packId, holdsFrom }: AlertCondition,
  detail: string,
): AuditEntry =>
  auditEntry(
    { ...context, actor: orchestrator },
    {
      eventType: AuditEventType.ALERT_FIRED,
      packId: packId ?? "",
      action: `fired the alert ${alert}, ${severity}`,
      rationale:
        holdsFrom === null ? detail : `${detail} It holds since ${new Date(holdsFrom).toISOString()}.`,
    },
  );

export const alertResolved = (context: Context, { alert, packId, detail }: FiredAlert): AuditEntry =>
  auditEntry(
    { ...context, actor: orchestrator },
    {
      eventType: AuditEventType.ALERT_RESOLVED,
      packId: packId ?? "",
      action: `resolved the alert ${alert}`,
      rationale: `It holds no more. When it fired: ${detail}`,
    },
  );
