/** "for ever", "for 7 years", "for 30 months". */
export function forHowLong(months: number | null): string {
  if (months === null) return "for ever";
  if (months % 12 !== 0) return `for ${months} months`;
  return months === 12 ? "for a year" : `for ${months / 12} years`;
}

const names = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" });

/** "March 2025", of a month as the record counts them. */
export const monthInWords = (month: string): string => names.format(new Date(`${month}-01T00:00:00Z`));
