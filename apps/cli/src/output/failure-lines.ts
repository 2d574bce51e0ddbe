import { exitCodes } from "../exit-codes.ts";
import type { CommandFailure } from "../failure.ts";
import { cleanText } from "./clean-text.ts";
import type { Paint } from "./paint.ts";

/** What a person reads of a failure: what is wrong, each fault by its field, and where to go on. */
export function failureLines({ message, problem, hints }: CommandFailure, paint: Paint): string[] {
  const faults = (problem?.violations ?? []).map(
    ({ field, message: fault }) =>
      `  ${field === "" ? "" : `${paint("strong", cleanText(field))}: `}${cleanText(fault)}`,
  );
  const code = problem === undefined ? "" : paint("quiet", ` (${cleanText(problem.code)})`);
  return [
    `${paint("bad", "✗")} ${cleanText(message)}${code}`,
    ...faults,
    ...hints.map((hint) => `  ${paint("quiet", "→")} ${cleanText(hint)}`),
  ];
}

/** The same for programs, on one line. */
export const failureValue = ({ message, problem, hints, ending }: CommandFailure) => ({
  error: {
    code: problem?.code ?? ending.toUpperCase(),
    detail: message,
    violations: problem?.violations ?? [],
    hints,
    exitCode: exitCodes[ending],
    requestId: problem?.requestId ?? null,
  },
});
