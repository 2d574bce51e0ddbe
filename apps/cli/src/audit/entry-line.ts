import { cleanLine } from "../output/clean-text.ts";
import { momentText } from "../output/moment-text.ts";
import type { Printer } from "../output/printer.ts";
import { fitted, padded } from "../output/width.ts";
import type { Entry } from "./entries.ts";

/** One entry on one line: when, what, who, about what, why. */
export function entryLine(
  { recordedAt, action, actor, subject, rationale }: Entry,
  { paint, columns }: Pick<Printer, "paint" | "columns">,
): string {
  const head = `${paint("quiet", momentText(recordedAt))}  ${padded(cleanLine(action), 28)}`;
  const rest = [subject, `by ${actor || "-"}`, rationale].filter(Boolean).map(cleanLine).join("  ");
  return `${head} ${columns === undefined ? rest : fitted(rest, Math.max(20, columns - 51))}`;
}
