import { SignalboxError, type Violation } from "@signalbox/contracts";
import { DURATION_EXAMPLES, parseDuration, type EscalationOption, type Resolution } from "@signalbox/core";
import { z } from "zod";

export const answerBody = z.strictObject({
  option: z.enum([
    "retry",
    "advance",
    "rewind",
    "skip",
    "answer",
    "accept",
    "restore",
    "extend",
    "resume",
    "abort",
  ] satisfies EscalationOption[]),
  comment: z.string().refine((text) => text.trim() !== "", "says why; the record keeps it"),
  instructions: z.string().optional(),
  stageId: z.string().optional(),
  answer: z.string().optional(),
  extendBy: z.string().optional(),
});

type AnswerBody = z.infer<typeof answerBody>;
type Part = "instructions" | "stageId" | "answer" | "extendBy";
const parts: readonly Part[] = ["instructions", "stageId", "answer", "extendBy"];

/** What goes with an option beside the comment. */
const needs: Readonly<Record<EscalationOption, readonly Part[]>> = {
  retry: [],
  rewind: ["stageId"],
  answer: ["answer"],
  extend: ["extendBy"],
  advance: [],
  skip: [],
  accept: [],
  restore: [],
  resume: [],
  abort: [],
};
const takes: Readonly<Record<Part, readonly EscalationOption[]>> = {
  instructions: ["retry", "rewind"],
  stageId: ["rewind"],
  answer: ["answer"],
  extendBy: ["extend"],
};

/** The option with its parts. One that is missing, or that the option would pass over in silence, is named. */
export function resolutionOf(body: AnswerBody): Resolution {
  const { option, instructions = "", stageId = "", answer = "", extendBy = "" } = body;
  const byMs = extendBy === "" ? undefined : parseDuration(extendBy);
  const violations = [...misplaced(body), ...unreadable(body, byMs)];
  if (violations.length > 0) {
    throw new SignalboxError(
      "VALIDATION_FAILED",
      `The answer "${option}" does not have the parts it needs.`,
      {
        violations,
      },
    );
  }
  switch (option) {
    case "retry":
      return { option, instructions };
    case "rewind":
      return { option, stageId, instructions };
    case "answer":
      return { option, answer };
    case "extend":
      return { option, byMs: byMs ?? 0 };
    case "advance":
    case "skip":
    case "accept":
    case "restore":
    case "resume":
    case "abort":
      return { option };
  }
}

function misplaced(body: AnswerBody): Violation[] {
  const { option } = body;
  return parts.flatMap((field): Violation[] => {
    const given = body[field] ?? "";
    if (given === "" && needs[option].includes(field))
      return [{ field, rule: "required", message: `is needed with "${option}"` }];
    if (body[field] === undefined || takes[field].includes(option)) return [];
    const message = `goes with ${takes[field].map((one) => `"${one}"`).join(" or ")}, and not with "${option}"`;
    return [{ field, rule: "needless", message }];
  });
}

function unreadable({ option, extendBy = "" }: AnswerBody, byMs: number | undefined): Violation[] {
  if (option !== "extend" || extendBy === "" || (byMs !== undefined && byMs > 0)) return [];
  const message = `is "${extendBy.slice(0, 60)}"; a duration above 0 such as ${DURATION_EXAMPLES}`;
  return [{ field: "extendBy", rule: "duration", message }];
}
