import type { EscalationOption } from "@signalbox/core";

export const answerOptions = [
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
] as const satisfies readonly EscalationOption[];
