import {
  type AgentResult,
  type Contract,
  type EvidenceItem,
  EvidenceType,
  Outcome,
} from "@signalbox/contracts";
import { type Check, check, type Finding, type Note } from "./finding.ts";

type Named = { readonly command: string; readonly type: EvidenceType };

const named = (type: EvidenceType, ...commands: readonly (string | undefined)[]): Named[] =>
  [...new Set(commands.map((command) => spaced(command ?? "")))]
    .filter((command) => command !== "")
    .map((command) => ({ command, type }));

/** What the contract names for a check, which it thereby makes necessary. */
function namedCommands({ environment, tests }: Contract, wanted: "tests" | "static" | "build"): Named[] {
  switch (wanted) {
    case "tests":
      return named(EvidenceType.TEST, environment?.testCommand, ...(tests?.testsToRun ?? []));
    case "static":
      return [
        ...named(EvidenceType.LINT, environment?.lintCommand),
        ...named(EvidenceType.TYPECHECK, environment?.typecheckCommand),
      ];
    case "build":
      return named(EvidenceType.BUILD, environment?.buildCommand);
  }
}

const spaced = (command: string): string => command.trim().replaceAll(/\s+/g, " ");

/** GATE-4: what was run is the named command, with assignments before it and arguments behind it, and nothing else. */
export function proves(run: string, wanted: string): boolean {
  const command = withoutAssignments(spaced(run));
  if (command === wanted) return true;
  return command.startsWith(`${wanted} `) && !/[;&|<>`$()\\]/.test(command.slice(wanted.length));
}

function withoutAssignments(command: string): string {
  const words = command.split(" ");
  const first = words.findIndex((word) => !/^[A-Za-z_][A-Za-z0-9_]*=[^'"`$]*$/.test(word));
  return words.slice(Math.max(0, first)).join(" ");
}

const itemsOf = ({ evidence }: AgentResult): readonly EvidenceItem[] =>
  evidence?.evidencePayload.case === "items" ? evidence.evidencePayload.value.items : [];

/** GATE-5: of several runs of one command the last counts, since the agent may have mended what an earlier one found. */
function lastRuns(items: readonly EvidenceItem[]): EvidenceItem[] {
  const runs = new Map<string, EvidenceItem>();
  for (const item of items) {
    const run = `${item.type} ${spaced(item.command)}`;
    runs.delete(run);
    runs.set(run, item);
  }
  return [...runs.values()];
}

/** GATE-2, GATE-3. */
export function checkEvidence(result: AgentResult): Check {
  const items = itemsOf(result);
  const payload = result.evidence?.evidencePayload;
  const said = payload?.case === "noneWithReason" ? payload.value : "";
  const isSuccess = result.status?.outcome === Outcome.SUCCESS;
  if (items.length === 0) {
    if (isSuccess || said === "") return check("evidence", { findings: [{ reason: "no-evidence", said }] });
    return check("evidence", { findings: [], notes: [{ note: "failure-explained", said }] });
  }
  const passed = lastRuns(items).filter((item) => item.passed).length;
  const findings: Finding[] = isSuccess && passed === 0 ? [{ reason: "nothing-passed" }] : [];
  return check("evidence", { findings, seen: [`${passed} of ${lastRuns(items).length} commands passed`] });
}

const covered: Record<"tests" | "static" | "build", { types: readonly EvidenceType[]; what: string }> = {
  tests: { types: [EvidenceType.TEST], what: "test command" },
  static: { types: [EvidenceType.LINT, EvidenceType.TYPECHECK], what: "lint or typecheck command" },
  build: { types: [EvidenceType.BUILD], what: "build command" },
};

/** GATE-4 to GATE-6: each named command was run and passed, and nothing of the kind failed. */
function checkCommands(
  name: "tests" | "static" | "build",
  input: { result: AgentResult; contract: Contract },
): Check {
  const { types, what } = covered[name];
  const commands = namedCommands(input.contract, name);
  const runs = lastRuns(itemsOf(input.result)).filter(({ type }) => types.includes(type));
  const failed = runs
    .filter((run) => !run.passed)
    .map(({ command, type }): Finding => ({ reason: "command-failed", command: spaced(command), type }));
  const unproved = commands
    .filter(({ command, type }) => !runs.some((run) => run.type === type && proves(run.command, command)))
    .map(({ command, type }): Finding => ({ reason: "command-not-proved", command, type }));
  const notes: Note[] = commands.length === 0 ? [{ note: "not-required", what }] : [];
  return check(name, {
    findings: [...failed, ...unproved],
    notes,
    seen: runs.map((run) => `${JSON.stringify(spaced(run.command))} passed`),
  });
}

export const checkTests = (input: { result: AgentResult; contract: Contract }): Check =>
  checkCommands("tests", input);
export const checkStatic = (input: { result: AgentResult; contract: Contract }): Check =>
  checkCommands("static", input);
export const checkBuild = (input: { result: AgentResult; contract: Contract }): Check =>
  checkCommands("build", input);
