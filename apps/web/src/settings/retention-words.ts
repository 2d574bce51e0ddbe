import { LEAST_MONTHS, mayKeep, MOST_MONTHS } from "@signalbox/core/retention";

/** "for ever", "for 7 years", "for 30 months". */
export function forHowLong(months: number | null): string {
  if (months === null) return "for ever";
  if (months % 12 !== 0) return `for ${months} months`;
  return months === 12 ? "for a year" : `for ${months / 12} years`;
}

/** Undefined for what no record may be kept for. */
export function monthsIn(typed: string): number | undefined {
  const months = /^\d{1,5}$/.test(typed.trim()) ? Number(typed) : 0;
  return mayKeep(months) ? months : undefined;
}

export const allowedMonths = `from ${LEAST_MONTHS} to ${MOST_MONTHS}`;

const names = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" });

/** "March 2025", of a month as the record counts them. */
export const monthInWords = (month: string): string => names.format(new Date(`${month}-01T00:00:00Z`));
