import type { Fault } from "@signalbox/core";
import { cleanText } from "./clean-text.ts";
import type { Paint } from "./paint.ts";
import { fitted, widthOf } from "./width.ts";

const MOST_OF_A_LINE = 160;
const BEFORE_THE_PLACE = 60;

/**
 * Faults of a document as compilers print them: `file:line:column`, what is wrong, and the line itself with a mark below
 * the place. Columns count UTF-16 units, as core does; the mark stands by what a terminal shows.
 */
export function faultLines(
  file: string,
  source: string,
  faults: readonly Fault[],
  { paint, columns = MOST_OF_A_LINE }: { paint: Paint; columns?: number | undefined },
): string[] {
  const lines = source.split(/\r\n|\n|\r/);
  return faults.flatMap(({ line, column, path, rule, message }) => {
    const place = paint("strong", `${cleanText(file)}:${line}:${column}`);
    const subject = path === "" ? "" : `${cleanText(path)} `;
    const said = `${place}: ${subject}${cleanText(message)} ${paint("quiet", `[${rule}]`)}`;
    const text = lines[line - 1];
    // A secret must not be printed by the one who found it.
    if (text === undefined || rule === "secret") return [said];
    return [said, ...excerpt(text, { line, column }, { paint, columns })];
  });
}

const shown = (part: string) => cleanText(part.replaceAll("\t", "  "));

function excerpt(
  text: string,
  { line, column }: { line: number; column: number },
  { paint, columns }: { paint: Paint; columns: number },
): string[] {
  const number = String(line).padStart(5);
  const room = Math.max(20, Math.min(columns, MOST_OF_A_LINE) - number.length - 3);
  const from =
    column - 1 > room / 2 ? Math.max(0, column - 1 - Math.min(BEFORE_THE_PLACE, Math.floor(room / 2))) : 0;
  const before = `${from > 0 ? "…" : ""}${shown(text.slice(from, column - 1))}`;
  const whole = fitted(`${before}${shown(text.slice(column - 1))}`, room);
  const mark = `${" ".repeat(widthOf(before))}^`;
  return [
    `${paint("quiet", `${number} |`)} ${whole}`,
    `${paint("quiet", `${" ".repeat(5)} |`)} ${paint("bad", mark)}`,
  ];
}
