import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import tab from "@bomb.sh/tab";
import addCompletion from "@bomb.sh/tab/commander";
import type { Command } from "commander";
import { bashCompletion } from "./completion-bash.ts";
import { wantedFrom } from "./completion-files.ts";

/** `signalbox completion bash|zsh|fish|powershell` prints a script; the shell then asks `signalbox complete -- …`. */
export function addCompletionCommand(program: CommandUnknownOpts): void {
  // One class with two sets of types: commander's own, and those that know the options.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  addCompletion(program as unknown as Command, { completionCommandName: "completion" });
  const command = program.commands.find((one) => one.name() === "completion");
  command?.action((...[shell]: unknown[]) => {
    if (shell === "bash") process.stdout.write(bashCompletion);
    else tab.setup(program.name(), program.name(), String(shell));
  });
  const complete = program.commands.find((one) => one.name() === "complete");
  complete?.action((...[words]: unknown[]) => {
    const typed = Array.isArray(words) ? words.map(String) : [];
    const wanted = wantedFrom(program, typed);
    // The library says "no files" wherever it has nothing to offer; these are the shells' words for the opposite.
    if (wanted === undefined) tab.parse(typed);
    else process.stdout.write(wanted === "file" ? ":0\n" : ":16\n");
  });
}
