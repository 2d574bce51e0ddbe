import { DURATION_EXAMPLES, type EscalationOption, parseDuration, type Resolution } from "@signalbox/core";

/** What an option needs beside the comment, as it is asked at the terminal. */
type Part = {
  readonly name: "instructions" | "stageId" | "answer" | "extendBy";
  readonly question: string;
  readonly needed: boolean;
};

const instructions: Part = {
  name: "instructions",
  question: "What must the next attempt know (empty: nothing)? ",
  needed: false,
};

export const partsOf: Readonly<Record<EscalationOption, readonly Part[]>> = {
  retry: [instructions],
  rewind: [{ name: "stageId", question: "Which stage to begin at? ", needed: true }, instructions],
  answer: [{ name: "answer", question: "The answer? ", needed: true }],
  extend: [{ name: "extendBy", question: `How much longer (${DURATION_EXAMPLES})? `, needed: true }],
  advance: [],
  skip: [],
  accept: [],
  restore: [],
  resume: [],
  abort: [],
};

export type Said = { readonly [name in Part["name"]]?: string };

/** The option with what was said to it; undefined where that cannot be used. */
export function resolutionFrom(option: EscalationOption, said: Said): Resolution | undefined {
  switch (option) {
    case "retry":
      return { option, instructions: said.instructions ?? "" };
    case "rewind":
      return { option, stageId: said.stageId ?? "", instructions: said.instructions ?? "" };
    case "answer":
      return { option, answer: said.answer ?? "" };
    case "extend": {
      const byMs = parseDuration(said.extendBy ?? "");
      return byMs === undefined || byMs <= 0 ? undefined : { option, byMs };
    }
    case "advance":
    case "skip":
    case "accept":
    case "restore":
    case "resume":
    case "abort":
      return { option };
  }
}
