import type { Violation } from "@signalbox/contracts";

export const LEAST_MONTHS = 12;
export const MOST_MONTHS = 1200;
/** Of one tenant at once. */
export const MOST_HOLDS = 100;
const LONGEST_REASON = 2000;

/** What a tenant said of its record; null months are for ever. */
export type RetentionSaid = {
  readonly keepMonths: number | null;
  /** What held before it, and holds until it takes effect. */
  readonly earlierMonths: number | null;
  readonly takesEffectAt: number;
};

/** RET-3. Undefined, where nobody ever said anything, is for ever. */
export function monthsInForce(said: RetentionSaid | undefined, now: number): number | null {
  if (said === undefined) return null;
  return now < said.takesEffectAt ? said.earlierMonths : said.keepMonths;
}

/** RET-2: from when a month, as "2026-11", may go; null where it stays. */
export function monthGoesAt(month: string, months: number | null): number | null {
  const began = /^(\d{4})-(\d{2})$/.exec(month);
  if (began === null) throw new RangeError(`${month} is no month; one is written as 2026-11`);
  if (months === null) return null;
  // Months of the calendar: the first of a month is one everywhere.
  return Date.UTC(Number(began[1]), Number(began[2]) + months);
}

/** The month that a moment is in, by UTC as the record's own. */
export const monthOf = (moment: number): string => new Date(moment).toISOString().slice(0, 7);

/** Null is for ever. */
export const mayKeep = (months: number | null): boolean =>
  months === null || (Number.isInteger(months) && months >= LEAST_MONTHS && months <= MOST_MONTHS);

/** RET-3: what keeps less than is kept now takes effect in a week, and all else at once. */
export const keepsLess = (months: number | null, than: number | null): boolean =>
  months !== null && (than === null || months < than);

/** RET-1: what is wrong with what a person said; nothing where it can be kept. */
export function findRetentionFaults(said: { keepMonths: number | null; reason: string }): Violation[] {
  const { keepMonths } = said;
  return [
    ...(mayKeep(keepMonths)
      ? []
      : [
          {
            field: "keepMonths",
            rule: "range",
            message: `is ${keepMonths}; a whole number from ${LEAST_MONTHS} to ${MOST_MONTHS} is allowed, or null for ever`,
          },
        ]),
    ...findReasonFaults(said.reason),
  ];
}

/** RET-4: a hold, and its release, say why. */
export function findReasonFaults(reason: string): Violation[] {
  if (reason.trim() === "") return [{ field: "reason", rule: "required", message: "is empty; it says why" }];
  return reason.length > LONGEST_REASON
    ? [
        {
          field: "reason",
          rule: "max_len",
          message: `has ${reason.length} characters; at most ${LONGEST_REASON} are allowed`,
        },
      ]
    : [];
}
