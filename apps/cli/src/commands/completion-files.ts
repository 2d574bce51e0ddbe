import type { CommandUnknownOpts } from "@commander-js/extra-typings";

type Option = CommandUnknownOpts["options"][number];

/** What a shell offers by itself where the words end: names of files, of folders, or neither. */
export function wantedFrom(
  program: CommandUnknownOpts,
  words: readonly string[],
): "file" | "folder" | undefined {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? "";
  let command = program;
  let places = 0;
  for (let at = 0; at < before.length; at += 1) {
    const word = before[at] ?? "";
    const option = optionOf(command, word);
    if (option !== undefined && takesValue(option) && !word.includes("=")) {
      at += 1;
      if (at === before.length) return kindOf(option.flags);
    } else if (!word.startsWith("-") || word === "-") {
      const inner = places === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      if (inner === undefined) places += 1;
      else command = inner;
    }
  }
  if (current.startsWith("-") && current !== "-") {
    const option = current.includes("=") ? optionOf(command, current) : undefined;
    return option && kindOf(option.flags);
  }
  return kindOf(`<${command.registeredArguments[places]?.name() ?? ""}>`);
}

const optionOf = (command: CommandUnknownOpts, word: string): Option | undefined =>
  command.options.find(({ short, long }) => [short, long].includes(word.split("=")[0]));

const takesValue = ({ required, optional }: Option): boolean => required || optional;

const kindOf = (flags: string): "file" | "folder" | undefined =>
  /<file>/.test(flags) ? "file" : /<folder>/.test(flags) ? "folder" : undefined;
