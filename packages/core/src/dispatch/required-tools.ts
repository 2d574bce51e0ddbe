import type { Contract } from "@signalbox/contracts";
import { simpleCommands } from "./shell-words.ts";

/** What the shell does by itself (POSIX sh 2.9.4, 2.14): no agent need bring it. */
const builtIn = new Set(
  ": . [ alias bg break case cd continue done echo esac exit export false fg fi for function hash jobs printf pwd read readonly return set shift source test times trap true type ulimit umask unalias unset wait }".split(
    " ",
  ),
);
/** Words that another command follows. */
const prefixes = new Set("! { builtin command do elif else exec if then until while".split(" "));
const assignment = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;

/** The same for all who need none, so that what is kept by the list is kept once. */
const none: readonly string[] = [];

/** DSP-20, DSP-21 (D3): the tools without which the contract cannot be worked on, each once, in order of name. */
export function requiredTools({ environment, tests, io }: Contract): readonly string[] {
  const commands = [
    environment?.lintCommand,
    environment?.typecheckCommand,
    environment?.testCommand,
    environment?.buildCommand,
    ...(tests?.testsToRun ?? []),
  ];
  const dependencies = (io?.dependencies ?? []).map((name) => name.trim()).filter((name) => name !== "");
  const tools = new Set([...commands.flatMap((command) => programsOf(command ?? "")), ...dependencies]);
  return tools.size === 0 ? none : [...tools].toSorted();
}

/** The programs that a command line names, without assignments and paths. */
export const programsOf = (line: string): string[] =>
  line === "" ? [] : simpleCommands(line).flatMap(programOf);

function programOf(words: readonly string[]): string[] {
  const at = words.findIndex((word) => !prefixes.has(word) && !assignment.test(word));
  const name = baseName(words[at] ?? "");
  if (name === "env") return programOf(afterEnv(words.slice(at + 1)));
  return name === "" || builtIn.has(name) ? [] : [name];
}

/** `env` names the program behind its options and assignments; -u and -C take a word of their own (POSIX env, GNU env). */
function afterEnv(words: readonly string[]): readonly string[] {
  let at = 0;
  while (words[at]?.startsWith("-")) at += /^-[uC]$|^--(unset|chdir)$/.test(words[at] ?? "") ? 2 : 1;
  return words.slice(at);
}

const baseName = (word: string): string => word.slice(word.lastIndexOf("/") + 1);
