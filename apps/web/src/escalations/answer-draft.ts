import type { Answer } from "./escalation-queries.ts";
import type { Option } from "./words.ts";

/** What somebody has written so far; nothing of it goes when they choose another option. */
export type AnswerDraft = {
  option: Option;
  comment: string;
  instructions: string;
  stageId: string;
  answer: string;
  extendBy: string;
};

export const emptyDraft = (option: Option, stageId: string | null): AnswerDraft => ({
  option,
  comment: "",
  instructions: "",
  stageId: stageId ?? "",
  answer: "",
  extendBy: "30m",
});

/** Of what was written, that which goes with the option; a part that an option would pass over is refused by the server. */
export function answerOf(escalationId: string, draft: AnswerDraft): Answer {
  const { option, comment, instructions, stageId, answer, extendBy } = draft;
  const said = { escalationId, option, comment: comment.trim() };
  switch (option) {
    case "retry":
      return { ...said, ...(instructions.trim() !== "" && { instructions }) };
    case "rewind":
      return { ...said, stageId, ...(instructions.trim() !== "" && { instructions }) };
    case "answer":
      return { ...said, answer };
    case "extend":
      return { ...said, extendBy: extendBy.trim() };
    case "advance":
    case "skip":
    case "restore":
    case "resume":
    case "abort":
      return said;
  }
}

export const isWritten = ({ comment, instructions, answer }: AnswerDraft): boolean =>
  [comment, instructions, answer].some((text) => text.trim() !== "");
