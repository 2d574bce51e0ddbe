import { LinkFailure, unreadable } from "@signalbox/engine";
import type { ProgramEnd } from "./program-process.ts";

/** A program that could not be started has seen nothing. */
export const notStarted = (error: unknown): LinkFailure =>
  new LinkFailure("not-taken", `its program could not be started: ${messageOf(error)}`, { cause: error });

/** One that ended without a readable answer works on it no more, and how it ended says whose word that is. */
export function failureOf({ output, ending, exitCode, lastLines }: ProgramEnd, cause?: unknown): LinkFailure {
  const what = output === undefined ? "wrote more than is read" : "wrote no AgentResult";
  const said = lastLines === "" ? "" : `\n${lastLines}`;
  const ended = `its program ended with ${ending} and ${what}`;
  if (output === undefined) return new LinkFailure("unreadable", `${ended}${said}`);
  if (exitCode === 0 && cause !== undefined) return unreadable(ended, cause);
  return new LinkFailure(exitCode === null ? "over" : "failed", `${ended}${said}`, { cause });
}

/** Whoever was called off and says nothing more has not failed. */
export const calledOff = (): LinkFailure => new LinkFailure("over", "it was called off");

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
