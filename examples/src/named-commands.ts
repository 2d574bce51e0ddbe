import { type Dispatch, evidenceFrom, type EvidenceItemInit, EvidenceType } from "@signalbox/agent-sdk";
import { runCommand } from "./run-command.ts";

/** A program of the repository and its arguments. A task is somebody else's text: nothing else is run for it. */
const allowed = /^node (--test|[\w-]+(?:\/[\w-]+)*\.m?js)(?: [\w=-]+)*$/;

export class RefusedCommand extends Error {
  override readonly name = "RefusedCommand";
}

/** What the repository itself is checked by: a task that names no command is held to it. */
const ownCommands: readonly { readonly type: EvidenceType; readonly command: string }[] = [
  { type: EvidenceType.LINT, command: "node lint.mjs" },
  { type: EvidenceType.TEST, command: "node --test" },
];

/** Runs what the contract names, in the order in which it is cheapest to fail, each as a tool call with its lines. */
export async function runNamedCommands(dispatch: Dispatch, folder: string): Promise<EvidenceItemInit[]> {
  const { environment, tests } = dispatch.envelope.contract ?? {};
  const named: [EvidenceType, string | undefined][] = [
    [EvidenceType.LINT, environment?.lintCommand],
    [EvidenceType.TYPECHECK, environment?.typecheckCommand],
    [EvidenceType.BUILD, environment?.buildCommand],
    [EvidenceType.TEST, environment?.testCommand],
    ...(tests?.testsToRun ?? []).map((command): [EvidenceType, string] => [EvidenceType.TEST, command]),
  ];
  const asked = named.flatMap(([type, command = ""]) => (command === "" ? [] : [{ type, command }]));
  const commands = asked.length === 0 ? ownCommands : asked;
  const refused = commands.find(({ command }) => !allowed.test(command));
  if (refused !== undefined)
    throw new RefusedCommand(`"${refused.command}" is not a program of this repository`);
  const evidence: EvidenceItemInit[] = [];
  for (const { type, command } of commands) evidence.push(await runNamed(dispatch, folder, type, command));
  return evidence;
}

/** One command as evidence: what was run, what it printed, and whether it ended well. */
export async function runNamed(
  dispatch: Dispatch,
  folder: string,
  type: EvidenceType,
  command: string,
): Promise<EvidenceItemInit> {
  const words = command.split(" ");
  const [program = ""] = words;
  const run = () => runCommand(words, { cwd: folder, signal: dispatch.signal, onLine: dispatch.pulse });
  return evidenceFrom({ type, ...(await dispatch.tool(program, { command }, run)) });
}

export const failuresOf = (evidence: readonly EvidenceItemInit[]): readonly EvidenceItemInit[] =>
  evidence.filter(({ passed }) => passed !== true);

/** The last lines of what failed: the runner's own summary of it. */
export const tailOf = ({ command = "", output = "" }: EvidenceItemInit, lines = 20): string =>
  `${command}:\n${output.trimEnd().split("\n").slice(-lines).join("\n")}`;
