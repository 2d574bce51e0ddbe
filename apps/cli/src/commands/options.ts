import { priorities, riskTiers } from "../tasks/task-words.ts";
import { type Command, InvalidArgumentError, Option, type OptionValues } from "@commander-js/extra-typings";

/** What every command that asks the server takes. */
export const withConnection = <
  Args extends unknown[],
  Opts extends OptionValues,
  Globals extends OptionValues,
>(
  command: Command<Args, Opts, Globals>,
) =>
  command
    .option("--url <address>", "where the server is (SIGNALBOX_URL; http://127.0.0.1:7400)")
    .option("--key-file <file>", "file with the key; without it SIGNALBOX_KEY is used")
    .option("--json", "answer in JSON");

/** What every list takes. */
export const withPage = <Args extends unknown[], Opts extends OptionValues, Globals extends OptionValues>(
  command: Command<Args, Opts, Globals>,
) =>
  command
    .addOption(
      new Option("--limit <count>", "how many at most").argParser(wholeNumber(1, 10_000)).default(50),
    )
    .option("--cursor <cursor>", "go on where an earlier answer ended");

export const wholeNumber = (least: number, most: number) => (text: string) => {
  const number = Number(text);
  if (/^\d{1,9}$/.test(text) && number >= least && number <= most) return number;
  throw new InvalidArgumentError(`a whole number from ${least} to ${most} is allowed.`);
};

/** An option that may be given again and again. */
export const collected = (text: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  text,
];

export const examples = (...lines: readonly (readonly [command: string, what: string])[]) =>
  `\nExamples:\n${lines.map(([command, what]) => `  $ ${command}\n      ${what}`).join("\n")}\n`;

/** A task, from a file or from flags. */
export const withTask = <Args extends unknown[], Opts extends OptionValues, Globals extends OptionValues>(
  command: Command<Args, Opts, Globals>,
) =>
  command
    .argument("[file]", "a task in JSON or YAML; - reads what is piped in")
    .option("--template <id>", "the template whose stages do the work")
    .option("--task-type <type>", "instead of a template: one stage of this type")
    .option("--id <id>", "the task as you know it; made of the title where it is left out")
    .option("--title <text>", "one line that a person recognises it by");

export const withTaskTerms = <
  Args extends unknown[],
  Opts extends OptionValues,
  Globals extends OptionValues,
>(
  command: Command<Args, Opts, Globals>,
) =>
  command
    .addOption(
      new Option(
        "--criterion <text>",
        "what must hold for it to be accepted; give it again for each",
      ).argParser(collected),
    )
    .addOption(new Option("--risk <tier>", "how much is at stake").choices(riskTiers))
    .addOption(new Option("--priority <priority>", "what the agents are told").choices(priorities))
    .addOption(
      new Option("--timeout <seconds>", "how long one attempt may take").argParser(
        wholeNumber(1, 31_536_000),
      ),
    );
