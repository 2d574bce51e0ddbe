import {
  type AgentResult,
  type Contract,
  type EvidenceItem,
  EvidenceType,
  Outcome,
} from "@signalbox/contracts";
import { type Check, check, type Finding, type Note } from "./finding.ts";

type CommandCheck = "tests" | "static" | "build";
type Named = { readonly command: string; readonly type: EvidenceType };

const named = (type: EvidenceType, command: string | undefined): Named[] => {
  const text = spaced(command ?? "");
  return text === "" ? [] : [{ command: text, type }];
};

const eachOnce = (commands: readonly Named[]): readonly Named[] =>
  commands.length < 2 ? commands : [...new Map(commands.map((one) => [one.command, one])).values()];

/** What the contract names for a check, which it thereby makes necessary. */
function namedCommands({ environment, tests }: Contract, wanted: CommandCheck): readonly Named[] {
  switch (wanted) {
    case "tests":
      return eachOnce(
        [environment?.testCommand, ...(tests?.testsToRun ?? [])].flatMap((command) =>
          named(EvidenceType.TEST, command),
        ),
      );
    case "static":
      return [
        ...named(EvidenceType.LINT, environment?.lintCommand),
        ...named(EvidenceType.TYPECHECK, environment?.typecheckCommand),
      ];
    case "build":
      return named(EvidenceType.BUILD, environment?.buildCommand);
  }
}

const spaces = /\s+/g;
const spaced = (command: string): string => command.trim().replaceAll(spaces, " ");

/** GATE-4: what was run is the named command, with assignments before it and arguments behind it, and nothing else. */
export const proves = (run: string, wanted: string): boolean => isProof(spaced(run), spaced(wanted));

function isProof(run: string, wanted: string): boolean {
  for (let command = run; ;) {
    if (isWith(command, wanted)) return true;
    const assigned = ASSIGNMENT.exec(command);
    if (assigned === null) return false;
    command = command.slice(assigned[0].length);
  }
}

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*=[^ '"`$]* /;

/** The command itself, or with arguments behind it. A command may set variables itself, and is proved with them alone. */
function isWith(run: string, wanted: string): boolean {
  if (run === wanted) return true;
  return run.startsWith(`${wanted} `) && !/[;&|<>`$()\\]/.test(run.slice(wanted.length));
}

const itemsOf = ({ evidence }: AgentResult): readonly EvidenceItem[] =>
  evidence?.evidencePayload.case === "items" ? evidence.evidencePayload.value.items : [];

/** What was run, in one spelling. */
type Run = Named & { readonly passed: boolean };

/** GATE-5: of several runs of one command the last counts, since the agent may have mended what an earlier one found. */
export function lastRuns(result: AgentResult): readonly Run[] {
  const runs = itemsOf(result).map(({ type, command, passed }): Run => ({
    type,
    command: spaced(command),
    passed,
  }));
  if (runs.length < 2) return runs;
  const last = new Map<string, Run>();
  for (const run of runs) {
    const name = `${run.type} ${run.command}`;
    last.delete(name);
    last.set(name, run);
  }
  return [...last.values()];
}

/** GATE-2, GATE-3. */
export function checkEvidence(result: AgentResult, runs = lastRuns(result)): Check {
  const payload = result.evidence?.evidencePayload;
  const said = payload?.case === "noneWithReason" ? payload.value : "";
  const isSuccess = result.status?.outcome === Outcome.SUCCESS;
  if (runs.length === 0) {
    if (isSuccess || said === "") return check("evidence", { findings: [{ reason: "no-evidence", said }] });
    return check("evidence", { findings: [], notes: [{ note: "failure-explained", said }] });
  }
  const passed = runs.filter((run) => run.passed).length;
  const findings: Finding[] = isSuccess && passed === 0 ? [{ reason: "nothing-passed" }] : [];
  return check("evidence", { findings, seen: [`${passed} of ${runs.length} commands passed`] });
}

const covered: Record<CommandCheck, { types: readonly EvidenceType[]; what: string }> = {
  tests: { types: [EvidenceType.TEST], what: "test command" },
  static: { types: [EvidenceType.LINT, EvidenceType.TYPECHECK], what: "lint or typecheck command" },
  build: { types: [EvidenceType.BUILD], what: "build command" },
};

const notRequired = (what: string): Note[] => [{ note: "not-required", what }];
const unaskedFor = (name: CommandCheck): Check =>
  check(name, { findings: [], notes: notRequired(covered[name].what) });

/** Where no command is named and none was run, which is so of most tasks and most of their checks. */
const unasked: Readonly<Record<CommandCheck, Check>> = {
  tests: unaskedFor("tests"),
  static: unaskedFor("static"),
  build: unaskedFor("build"),
};

/** GATE-4 to GATE-6: each named command was run and passed, and nothing of the kind failed. */
function checkCommands(name: CommandCheck, { result, contract }: Judged, all = lastRuns(result)): Check {
  const { types, what } = covered[name];
  const commands = namedCommands(contract, name);
  const runs = all.filter(({ type }) => types.includes(type));
  if (commands.length + runs.length === 0) return unasked[name];
  const failed = runs
    .filter(({ passed }) => !passed)
    .map(({ command, type }): Finding => ({ reason: "command-failed", command, type }));
  const unproved = commands
    .filter(({ command, type }) => !runs.some((run) => run.type === type && isProof(run.command, command)))
    .map(({ command, type }): Finding => ({ reason: "command-not-proved", command, type }));
  const notes = commands.length === 0 ? notRequired(what) : [];
  return check(name, {
    findings: failed.concat(unproved),
    notes,
    seen: runs.map(({ command }) => `${JSON.stringify(command)} passed`),
  });
}

type Judged = { readonly result: AgentResult; readonly contract: Contract };

export const checkTests = (judged: Judged, runs?: readonly Run[]): Check =>
  checkCommands("tests", judged, runs);
export const checkStatic = (judged: Judged, runs?: readonly Run[]): Check =>
  checkCommands("static", judged, runs);
export const checkBuild = (judged: Judged, runs?: readonly Run[]): Check =>
  checkCommands("build", judged, runs);
