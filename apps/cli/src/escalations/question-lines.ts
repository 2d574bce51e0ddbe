import { factLines } from "../output/fact-lines.ts";
import { momentText } from "../output/moment-text.ts";
import type { Printer } from "../output/printer.ts";
import type { OpenQuestion } from "../pipelines/answers.ts";

/** A question to a person, with what may be answered. */
export const questionLines = (
  question: OpenQuestion,
  printer: Pick<Printer, "paint" | "columns">,
): string[] =>
  factLines(
    [
      ["Question", question.escalationId],
      ["Stage", question.stageId],
      ["Cause", question.cause],
      ["Problem", question.problem],
      ["Impact", question.impact],
      [
        "Options",
        question.options
          .map((one) => (one === question.recommended ? `${one} (recommended)` : one))
          .join(", "),
      ],
      ["Opened", momentText(question.openedAt)],
    ],
    printer,
  );
