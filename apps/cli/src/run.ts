import { CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { exitCodes } from "./exit-codes.ts";
import { CommandEnded, CommandFailure } from "./failure.ts";
import { failureLines, failureValue } from "./output/failure-lines.ts";
import { paintFor } from "./output/paint.ts";
import { programFor } from "./program.ts";
import type { World } from "./world.ts";

/** Runs one command line to its end; resolves with the exit code. */
export async function run(words: readonly string[], world: World): Promise<number> {
  const written: Promise<void>[] = [];
  const program = programFor(world);
  everyCommand(program, (command) => {
    command.exitOverride().showHelpAfterError("(--help says how it is used)");
    command.configureOutput({
      writeOut: (text) => written.push(world.out.write(text)),
      writeErr: (text) => written.push(world.err.write(text)),
      getOutHelpWidth: () => world.out.columns ?? 100,
      getErrHelpWidth: () => world.err.columns ?? 100,
      getOutHasColors: () => world.out.isTerminal && !world.environment.colourless,
      getErrHasColors: () => world.err.isTerminal && !world.environment.colourless,
    });
  });
  try {
    await program.parseAsync(words, { from: "user" });
    return exitCodes.done;
  } catch (error) {
    return await endingOf(error, words, world);
  } finally {
    await Promise.all(written);
  }
}

async function endingOf(error: unknown, words: readonly string[], world: World): Promise<number> {
  if (error instanceof CommandEnded) return exitCodes[error.ending];
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  if (world.interrupted.aborted) return exitCodes.interrupted;
  const failure =
    error instanceof CommandFailure
      ? error
      : new CommandFailure("failed", `This is a fault of the command itself: ${traceOf(error)}`, {
          cause: error,
        });
  const text = words.includes("--json")
    ? JSON.stringify(failureValue(failure))
    : failureLines(failure, paintFor(world.err, world.environment)).join("\n");
  await world.err.write(`${text}\n`);
  return exitCodes[failure.ending];
}

const traceOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));

function everyCommand(command: CommandUnknownOpts, use: (command: CommandUnknownOpts) => void): void {
  use(command);
  for (const inner of command.commands) everyCommand(inner, use);
}
