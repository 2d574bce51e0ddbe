import type { Problem } from "@signalbox/contracts";
import type { Ending } from "./exit-codes.ts";

/** What the server said no with; a server of another version may know codes that this one does not. */
export type SaidNo = Pick<Problem, "detail" | "violations" | "requestId" | "status" | "title"> & {
  code: string;
};

/** Why a command did not do what was asked. `message` says what to change; `hints` say where to go on. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly ending: Ending;
  readonly hints: readonly string[];
  readonly problem: SaidNo | undefined;
  /** It was sent, and nobody knows whether it arrived. */
  readonly unanswered: boolean;

  constructor(
    ending: Ending,
    message: string,
    {
      hints = [],
      problem,
      cause,
      unanswered = false,
    }: { hints?: readonly string[]; problem?: SaidNo; cause?: unknown; unanswered?: boolean } = {},
  ) {
    super(message, { cause });
    this.ending = ending;
    this.hints = hints;
    this.problem = problem;
    this.unanswered = unanswered;
  }
}

/** The command has said everything already, and ends like this. */
export class CommandEnded extends Error {
  override readonly name = "CommandEnded";
  readonly ending: Ending;

  constructor(ending: Ending) {
    super(ending);
    this.ending = ending;
  }
}

export const usageFailure = (message: string, hints: readonly string[] = []) =>
  new CommandFailure("usage", message, { hints });
