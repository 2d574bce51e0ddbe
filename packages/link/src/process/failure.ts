import { LinkFailure } from "@signalbox/engine";
import type { ProgramEnd } from "./program-process.ts";

/** A program that could not be started has seen nothing. */
export const notStarted = (error: unknown): LinkFailure =>
  new LinkFailure("not-taken", `its program could not be started: ${messageOf(error)}`, { cause: error });

/** One that ended without a readable answer works on it no more. */
export function failureOf({ output, ending, lastLines }: ProgramEnd, cause?: unknown): LinkFailure {
  const what = output === undefined ? "wrote more than is read" : "wrote no AgentResult";
  const said = lastLines === "" ? "" : `\n${lastLines}`;
  return new LinkFailure("over", `its program ended with ${ending} and ${what}${said}`, { cause });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
