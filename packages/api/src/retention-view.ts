import type { Retention } from "@signalbox/engine";

type Hold = Retention["holds"][number];

export const holdView = (hold: Hold) => ({
  holdId: hold.holdId,
  reason: hold.reason,
  placedBy: hold.placedBy,
  placedAt: hold.placedAt.toISOString(),
  releasedBy: hold.releasedBy,
  releaseReason: hold.releaseReason,
  releasedAt: hold.releasedAt?.toISOString() ?? null,
});

/** Null months are for ever; a moment that is not to come is null. */
export const retentionView = (retention: Retention) => ({
  keepMonths: retention.keepMonths,
  monthsInForce: retention.monthsInForce,
  takesEffectAt: retention.takesEffectAt?.toISOString() ?? null,
  changedBy: retention.changedBy ?? null,
  changedAt: retention.changedAt?.toISOString() ?? null,
  reason: retention.reason ?? null,
  recordBegins: retention.recordBegins ?? null,
  oldest:
    retention.oldest === undefined
      ? null
      : { month: retention.oldest.month, goesAt: retention.oldest.goesAt?.toISOString() ?? null },
  holds: retention.holds.map(holdView),
});
