import { CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { exitCodes } from "./exit-codes.ts";
import { CommandEnded, CommandFailure, usageFailure } from "./failure.ts";
import { failureLines, failureValue } from "./output/failure-lines.ts";
import { paintFor } from "./output/paint.ts";
import { programFor } from "./program.ts";
import type { World } from "./world.ts";

/** Runs one command line to its end; resolves with the exit code. */
export async function run(words: readonly string[], world: World): Promise<number> {
  const written: Promise<void>[] = [];
  const asJson = words.includes("--json");
  const program = programFor(world);
  everyCommand(program, (command) => {
    command.exitOverride().showHelpAfterError(`(${HOW_TO_USE})`);
    command.configureOutput({
      writeOut: (text) => written.push(world.out.write(text)),
      // A program is told by the value that stands for the failure.
      writeErr: (text) => asJson || written.push(world.err.write(text)),
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
    return await endingOf(error, asJson, world);
  } finally {
    await Promise.all(written);
  }
}

async function endingOf(error: unknown, asJson: boolean, world: World): Promise<number> {
  if (error instanceof CommandEnded) return exitCodes[error.ending];
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.done;
    if (asJson) await world.err.write(`${JSON.stringify(failureValue(misused(error)))}\n`);
    return exitCodes.usage;
  }
  if (world.interrupted.aborted) return exitCodes.interrupted;
  const failure =
    error instanceof CommandFailure
      ? error
      : new CommandFailure("failed", `This is a fault of the command itself: ${traceOf(error)}`, {
          cause: error,
        });
  const text = asJson
    ? JSON.stringify(failureValue(failure))
    : failureLines(failure, paintFor(world.err, world.environment)).join("\n");
  await world.err.write(`${text}\n`);
  return exitCodes[failure.ending];
}

const HOW_TO_USE = "--help says how it is used";

/** What the parser of words prints for a person, on lines of its own. */
function misused({ code, message }: CommanderError): CommandFailure {
  if (code === "commander.help") return usageFailure("Name a command", [HOW_TO_USE]);
  const [what = "", ...more] = message.replace(/^error: /, "").split("\n");
  return usageFailure(what, [...more.map((line) => line.replace(/^\((.*)\)$/, "$1")), HOW_TO_USE]);
}

const traceOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));

function everyCommand(command: CommandUnknownOpts, use: (command: CommandUnknownOpts) => void): void {
  use(command);
  for (const inner of command.commands) everyCommand(inner, use);
}
