import type { Texts } from "../documents/kept-texts.ts";
import type { Required } from "../problem/missing-in.ts";
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

/** As it was kept; an option that is no longer offered is none. */
export const keptAnswer = (said: Texts, empty: AnswerDraft, options: readonly Option[]): AnswerDraft => ({
  option: options.find((option) => option === said["option"]) ?? empty.option,
  comment: said["comment"] ?? empty.comment,
  instructions: said["instructions"] ?? empty.instructions,
  stageId: said["stageId"] ?? empty.stageId,
  answer: said["answer"] ?? empty.answer,
  extendBy: said["extendBy"] ?? empty.extendBy,
});

/** What an option cannot go without, and what is told of it while it is not there. */
export const neededFor = ({ option, comment, answer, extendBy }: AnswerDraft): Required => ({
  ...(option === "answer" && {
    answer: { value: answer, says: "The answer is missing: what the agent is told." },
  }),
  ...(option === "extend" && {
    extendBy: { value: extendBy, says: "How much time is missing: such as 30m or 2h." },
  }),
  comment: { value: comment, says: "The reason is missing: why so. The record keeps it." },
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
    case "accept":
    case "restore":
    case "resume":
    case "abort":
      return said;
  }
}

export const isWritten = ({ comment, instructions, answer }: AnswerDraft): boolean =>
  [comment, instructions, answer].some((text) => text.trim() !== "");
