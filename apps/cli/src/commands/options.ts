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
