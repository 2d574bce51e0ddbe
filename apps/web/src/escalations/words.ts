import { durationInWords } from "../ui/duration.ts";
import type { Escalation } from "./escalation-queries.ts";

export type Cause = Escalation["cause"];
export type Option = Escalation["recommended"];

export const causeWords: Readonly<Record<Cause, string>> = {
  gate: "Gate asks",
  clarification: "Agent asks",
  "stage-failed": "Stage failed",
  "low-confidence": "Agent doubts",
  "dispatch-refused": "Nobody to send it to",
  "policy-blocked": "Policy blocked it",
  deadline: "Deadline passed",
};

/** What just this question is about. */
export const causeOf = ({ cause, staleRefs }: Pick<Escalation, "cause" | "staleRefs">): string =>
  staleRefs.length > 0 ? "References cannot be trusted" : causeWords[cause];

export const optionWords: Readonly<Record<Option, { name: string; does: string }>> = {
  retry: { name: "Try again", does: "The stage is sent once more, outside its retries." },
  advance: { name: "Advance", does: "It passes the gate in your name, and the pipeline goes on." },
  rewind: { name: "Send back", does: "An earlier stage, and all that depends on it, is done again." },
  skip: { name: "Skip", does: "The stage is left out, and the pipeline goes on without it." },
  answer: { name: "Answer", does: "Your answer is in the agent’s next attempt, outside its retries." },
  accept: {
    name: "Accept",
    does: "The stage is sent with the references as they are, marked as degraded unless they can be fetched by then.",
  },
  restore: { name: "Restore", does: "The quarantine is lifted, and the stage is sent again." },
  extend: { name: "Extend", does: "The pipeline runs again, with more time." },
  resume: { name: "Go on", does: "It goes on as it is." },
  abort: { name: "Abort", does: "The pipeline ends here. What is under way is called off." },
};

/** What comes of an option of just this question. */
export const doesWhat = (option: Option, { staleRefs }: Pick<Escalation, "staleRefs">): string =>
  option === "retry" && staleRefs.length > 0
    ? "The references are fetched anew, and the stage is sent if they can be."
    : optionWords[option].does;

/** How it ended, in a few words. */
export function endInWords(end: Escalation["end"], nameOf: (memberId: string) => string): string {
  if (end === null) return "Still open";
  if (end.kind === "superseded") return supersededWords[end.why];
  return `${optionWords[end.option].name}, by ${nameOf(end.by.id)}`;
}

type Resolved = Extract<NonNullable<Escalation["end"]>, { kind: "resolved" }>;

/** What was given with the option, under the names of the fields that it was written in. */
export function saidWith(end: Resolved): { name: string; text: string }[] {
  const instructions = "instructions" in end && end.instructions !== "" && end.instructions;
  return [
    end.option === "answer" && { name: "Answer to the agent", text: end.answer },
    end.option === "rewind" && { name: "Back to stage", text: end.stageId },
    instructions !== false && { name: "Instructions", text: instructions },
    end.option === "extend" && { name: "More time", text: moreTime(end.extendBy) },
  ].filter((said) => said !== false);
}

/** Given to the millisecond, as protobuf has it: `600s`, `0.001s`. */
function moreTime(given: string): string {
  const seconds = Number.parseFloat(given);
  return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : durationInWords(seconds);
}

const supersededWords = {
  rewound: "Nobody needed to answer: its stage was sent back",
  "pipeline-ended": "Nobody needed to answer: its pipeline ended",
  "attempt-ended": "Nobody needed to answer: the attempt ended",
} as const;
