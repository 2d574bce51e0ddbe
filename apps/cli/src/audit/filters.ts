import { usageFailure } from "../failure.ts";

export type FilterOptions = {
  readonly eventType?: string | undefined;
  readonly pack?: string | undefined;
  readonly pipeline?: string | undefined;
  readonly trace?: string | undefined;
  readonly actor?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly words?: string | undefined;
};

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const isUnit = (text: string): text is keyof typeof units => Object.hasOwn(units, text);

/** A moment as it is written, or so long ago: `2026-01-31`, `2026-01-31T12:00:00Z`, `90m`. */
function momentFrom(text: string, name: string, now: Date): string {
  const [, count = "", unit = ""] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const moment = isUnit(unit) ? new Date(now.getTime() - Number(count) * units[unit]) : writtenMoment(text);
  if (!Number.isNaN(moment.getTime())) return moment.toISOString();
  throw usageFailure(
    `${name}: read ${JSON.stringify(text.slice(0, 60))}; a day such as 2026-01-31, a moment such as 2026-01-31T12:00:00Z, or a time ago such as 90m or 2d is allowed.`,
  );
}

/** Without a zone it is the reader's own time, a day its first moment. */
function writtenMoment(text: string): Date {
  const [, day, time = "T00:00:00"] = momentShape.exec(text) ?? [];
  // The thirtieth of February would be taken for the second of March.
  return day === undefined || !isDay(day)
    ? new Date(Number.NaN)
    : new Date(`${day}${time.replace(" ", "T")}`);
}

const momentShape = /^(\d{4}-\d{2}-\d{2})([T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

const isDay = (day: string): boolean => {
  const read = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(day);
};

/** The server's parameters. */
export const filterQuery = (
  { eventType, pack, pipeline, trace, actor, from, to, words }: FilterOptions,
  now: Date,
): Record<string, string | undefined> => ({
  eventType: eventType === undefined ? undefined : eventTypeName(eventType),
  packId: pack,
  pipelineId: pipeline,
  traceId: trace,
  actor,
  q: words,
  from: from === undefined ? undefined : momentFrom(from, "--from", now),
  to: to === undefined ? undefined : momentFrom(to, "--to", now),
});

const eventTypeName = (name: string) => {
  const upper = name.toUpperCase().replaceAll("-", "_");
  return upper.startsWith("AUDIT_EVENT_TYPE_") ? upper : `AUDIT_EVENT_TYPE_${upper}`;
};
