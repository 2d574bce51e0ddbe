import { cleanLine } from "../output/clean-text.ts";
import type { Printer } from "../output/printer.ts";
import { fitted, padded } from "../output/width.ts";
import { toneOfStatus } from "../pipelines/status.ts";
import type { Progress } from "./progress.ts";

const clock = (moment: Date) =>
  [moment.getHours(), moment.getMinutes(), moment.getSeconds()]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");

const marks: Readonly<Record<string, string>> = {
  completed: "✓",
  failed: "✗",
  aborted: "✗",
  rejected: "↶",
  skipped: "–",
  dispatched: "▶",
  question: "?",
  paused: "‖",
};

/** One line of the terminal for one thing that happened. */
export function progressLine(
  progress: Progress,
  at: Date,
  { paint, columns }: Pick<Printer, "paint" | "columns">,
): string {
  const word = wordOf(progress);
  const tone = progress.kind === "question" ? "attention" : toneOfStatus(word);
  const mark = marks[word] ?? "·";
  const subject = progress.kind === "pipeline" ? "pipeline" : (progress.stageId ?? "pipeline");
  const head = `${clock(at)}  ${mark} ${padded(cleanLine(subject), 16)} ${padded(word, 11)}`;
  const text = cleanLine(detailOf(progress));
  const rest = columns === undefined ? text : fitted(text, Math.max(20, columns - 42));
  const line = `${head} ${rest}`.trimEnd();
  return tone === undefined ? line : paint(tone, line);
}

const wordOf = (progress: Progress): string =>
  progress.kind === "stage" || progress.kind === "pipeline" ? progress.status : progress.kind;

function detailOf(progress: Progress): string {
  switch (progress.kind) {
    case "stage":
      return `${progress.attempt > 1 ? `(attempt ${progress.attempt}) ` : ""}${progress.note}`;
    case "pipeline":
      return progress.note;
    case "question":
      return `${progress.note} [${progress.options.join(", ")}] ${progress.escalationId}`;
    case "answered":
      return progress.escalationId;
  }
}
