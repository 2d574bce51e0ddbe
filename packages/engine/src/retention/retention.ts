import { AuditEventType } from "@signalbox/contracts";
import {
  findRetentionFaults,
  monthGoesAt,
  monthOf,
  monthsInForce,
  retentionChanged,
  retentionEvent,
  type RetentionSaid,
} from "@signalbox/core";
import {
  type AuditHold,
  type AuditRetention,
  findRetention,
  listAuditEntries,
  listHolds,
  recordBegins,
  saveRetention,
  type TenantTransaction,
} from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { refuseFaults, secretFaults } from "../identity/said-names.ts";
import { maskSaid } from "../note.ts";
import { record } from "../record.ts";
import { tell } from "../stream/tell.ts";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";

/** How long a tenant's record is kept, and what goes next (D20). */
export type Retention = {
  readonly keepMonths: number | null;
  readonly monthsInForce: number | null;
  /** When what was said takes effect, where that is to come. */
  readonly takesEffectAt: Date | undefined;
  readonly changedBy: string | undefined;
  readonly changedAt: Date | undefined;
  /** Why, as it was said; undefined once that entry has gone itself. */
  readonly reason: string | undefined;
  readonly recordBegins: string | undefined;
  /** The oldest month of the record, and when it may go: undefined while nothing lets it. */
  readonly oldest: { readonly month: string; readonly goesAt: Date | undefined } | undefined;
  /** Those that hold first; of those that were released the newest. */
  readonly holds: readonly AuditHold[];
};

const SHOWN_HOLDS = 100;

export async function getRetention(system: System, { caller }: Asked): Promise<Retention> {
  authorise(caller, "retention.read", undefined);
  return transact(system, caller.tenantId, (tx) => read(system, tx));
}

/** Said again as it is, nothing changes and nothing is recorded. */
export async function changeRetention(
  system: System,
  asked: Asked,
  said: { keepMonths: number | null; reason: string },
): Promise<Retention> {
  const { caller, requestId } = asked;
  authorise(caller, "retention.change", undefined);
  refuseFaults("The record cannot be kept so.", [
    ...findRetentionFaults(said),
    ...secretFaults({ reason: said.reason }),
  ]);
  const { tenantId, actor } = caller;
  return transact(system, tenantId, async (tx) => {
    const before = await findRetention(tx);
    if ((before?.keepMonths ?? null) === said.keepMonths) return read(system, tx);
    await saveRetention(tx, { keepMonths: said.keepMonths, changedBy: actor.id });
    const after = await findRetention(tx);
    if (after === undefined) throw new Error("what was said of the record was written and is not there");
    const { keepMonths, earlierMonths: earlier } = after;
    const takesEffectAt = after.takesEffectAt.toISOString();
    await record(
      tx,
      retentionChanged(
        { tenantId, actor, requestId },
        { keepMonths, earlier, takesEffectAt },
        await maskSaid(system, tx, said.reason.trim()),
      ),
    );
    await tell(tx, retentionEvent());
    return read(system, tx);
  });
}

async function read({ clock }: System, tx: TenantTransaction): Promise<Retention> {
  const now = clock.now().getTime();
  const said = await findRetention(tx);
  const begins = await recordBegins(tx);
  const holds = await listHolds(tx, SHOWN_HOLDS);
  const inForce = monthsInForce(said && saidOf(said), now);
  const held = holds[0]?.releasedBy === null;
  return {
    keepMonths: said?.keepMonths ?? null,
    monthsInForce: inForce,
    takesEffectAt: said !== undefined && said.takesEffectAt.getTime() > now ? said.takesEffectAt : undefined,
    changedBy: said?.changedBy,
    changedAt: said?.changedAt,
    reason: said === undefined ? undefined : await saidBecause(tx),
    recordBegins: begins,
    oldest: begins === undefined ? undefined : oldestOf(monthOf(Date.parse(begins)), held ? null : inForce),
    holds,
  };
}

/** It stands on the record, and nowhere else. */
async function saidBecause(tx: TenantTransaction): Promise<string | undefined> {
  const { entries } = await listAuditEntries(tx, { eventType: AuditEventType.RETENTION_CHANGED, limit: 1 });
  const payload: unknown = JSON.parse(entries[0]?.payload ?? "{}");
  const rationale: unknown = Reflect.get(Object(payload), "rationale");
  return typeof rationale === "string" ? rationale : undefined;
}

function oldestOf(month: string, months: number | null) {
  const goesAt = monthGoesAt(month, months);
  return { month, goesAt: goesAt === null ? undefined : new Date(goesAt) };
}

const saidOf = ({ keepMonths, earlierMonths, takesEffectAt }: AuditRetention): RetentionSaid => ({
  keepMonths,
  earlierMonths,
  takesEffectAt: takesEffectAt.getTime(),
});
