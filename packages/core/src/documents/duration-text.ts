const MILLISECONDS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;
type Unit = keyof typeof MILLISECONDS;
const units = Object.keys(MILLISECONDS).filter((unit): unit is Unit => unit in MILLISECONDS);

/** Each unit at most once, the greater first; a fraction only as protobuf's JSON mapping writes it, of seconds. */
const pattern = /^(?=\d)(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?(?:(\d{1,9})ms)?$/;
const seconds = /^(\d{1,9})\.(\d{1,3})s$/;

export const LONGEST_DURATION_MS = 366 * MILLISECONDS.d;
export const DURATION_EXAMPLES = "500ms, 60s, 5m or 1h30m";

/** Milliseconds, or undefined when the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  const fraction = seconds.exec(text);
  if (fraction !== null) return Number(fraction[1]) * 1000 + Number(fraction[2]?.padEnd(3, "0"));
  const parts = pattern.exec(text);
  if (parts === null) return undefined;
  return units.reduce((sum, unit, index) => sum + Number(parts[index + 1] ?? 0) * MILLISECONDS[unit], 0);
}

/** The shortest text that reads back as the same number of milliseconds. */
export function printDuration(milliseconds: number): string {
  let rest = milliseconds;
  let text = "";
  for (const unit of units) {
    const count = Math.floor(rest / MILLISECONDS[unit]);
    rest -= count * MILLISECONDS[unit];
    if (count > 0) text += `${count}${unit}`;
  }
  return text === "" ? "0s" : text;
}
