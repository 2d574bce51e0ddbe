import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import addCompletion from "@bomb.sh/tab/commander";
import type { Command } from "commander";

/** `signalbox completion bash|zsh|fish|powershell` prints a script; the shell then asks `signalbox complete -- …`. */
export function addCompletionCommand(program: CommandUnknownOpts): void {
  // One class with two sets of types: commander's own, and those that know the options.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  addCompletion(program as unknown as Command, { completionCommandName: "completion" });
}
