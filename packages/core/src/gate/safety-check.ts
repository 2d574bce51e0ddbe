import { EvidenceType, type SafetyContext } from "@signalbox/contracts";
import { programsOf } from "../dispatch/required-tools.ts";
import { isCertainRule } from "../redaction/secret-rules.ts";
import { type Check, check, type Finding, type Note } from "./finding.ts";
import type { GateInput } from "./gate-input.ts";

type SafetyInput = Pick<GateInput, "result" | "safety" | "work" | "masked">;

/** GATE-12 to GATE-16. */
export function checkSafety(input: SafetyInput): Check {
  const { safety, work } = input;
  const leaks = findSecrets(input);
  const findings = findActions(input).concat(
    findTools(input),
    findSteps(safety, work.stepsTaken),
    findFailedScans(input),
    leaks.findings,
  );
  return check("safety", {
    findings,
    notes: unreported(input).concat(leaks.notes),
    seen: ["nothing prohibited or denied was reported, and no secret stood in the result"],
  });
}

const normal = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ");

const commandsOf = ({ result }: SafetyInput): string[] =>
  result.evidence?.evidencePayload.case === "items"
    ? result.evidence.evidencePayload.value.items
        .map(({ command }) => command)
        .filter((command) => command !== "")
    : [];

/** GATE-12: by the actions that were reported, and by the commands that the agent itself says it ran. */
function findActions(input: SafetyInput): Finding[] {
  const prohibited = input.safety?.prohibitedActions ?? [];
  if (prohibited.length === 0) return [];
  const taken = (input.work.actionsTaken ?? []).map((action) => ({
    text: normal(action),
    seenIn: "reported",
  }));
  const told = (input.work.commandsRun ?? []).map((command) => ({
    text: normal(command),
    seenIn: "in a command that was reported",
  }));
  const run = commandsOf(input).map((command) => ({
    text: normal(command),
    seenIn: "in the evidence's commands",
  }));
  return prohibited.flatMap((action): Finding[] => {
    const words = normal(action);
    const seen =
      words === ""
        ? undefined
        : [...taken, ...told, ...run].find(({ text }) => ` ${text} `.includes(` ${words} `));
    return seen === undefined ? [] : [{ reason: "prohibited-action", action, seenIn: seen.seenIn }];
  });
}

/** GATE-13: the list of denied tools wins; programs of commands, of the evidence or reported, are held against it, too. */
function findTools(input: SafetyInput): Finding[] {
  const { safety, work } = input;
  if (limitsOnTools(safety) === 0) return [];
  const denied = new Set(safety?.toolDenylist.map(normal));
  const allowed = new Set(safety?.toolAllowlist.map(normal));
  const used = [...new Set(work.toolsUsed)];
  const run = [...commandsOf(input), ...(work.commandsRun ?? [])].flatMap(programsOf);
  return [
    ...[...new Set([...used, ...run])]
      .filter((tool) => denied.has(normal(tool)))
      .map((tool): Finding => ({ reason: "denied-tool", tool })),
    ...used
      .filter((tool) => allowed.size > 0 && !allowed.has(normal(tool)) && !denied.has(normal(tool)))
      .map((tool): Finding => ({ reason: "tool-not-allowed", tool })),
  ];
}

const limitsOnTools = (safety: SafetyContext | undefined): number =>
  (safety?.toolDenylist.length ?? 0) + (safety?.toolAllowlist.length ?? 0);

/** GATE-14. */
function findSteps(safety: SafetyContext | undefined, steps: number | undefined): Finding[] {
  const limit = safety?.maxAutonomousSteps ?? 0;
  return limit > 0 && steps !== undefined && steps > limit
    ? [{ reason: "too-many-steps", steps, limit }]
    : [];
}

/** GATE-15: a security scan that failed is no proof of safety, whatever else passed. */
function findFailedScans({ result }: SafetyInput): Finding[] {
  const payload = result.evidence?.evidencePayload;
  const items = payload?.case === "items" ? payload.value.items : [];
  return items
    .filter(({ type, passed }) => type === EvidenceType.SECURITY && !passed)
    .map(({ type, command }) => ({ reason: "command-failed", command, type }));
}

/**
 * GATE-16: a secret that is known by its own form was leaked. What only its name or its randomness gives away is
 * masked and noted, since test output is full of `password=test`.
 */
function findSecrets({ masked }: SafetyInput): { findings: Finding[]; notes: Note[] } {
  const findings = masked.filter(({ rule }) => isCertainRule(rule));
  const notes = masked.filter(({ rule }) => !isCertainRule(rule));
  return {
    findings: findings.map(({ path, rule }) => ({ reason: "secret-in-output", path, rule })),
    notes: notes.map(({ path, rule }) => ({ note: "masked", path, rule })),
  };
}

/** GATE-17: what is limited and was not reported. */
function unreported({ safety, work }: SafetyInput): Note[] {
  const notes: Note[] = [];
  if (limitsOnTools(safety) > 0 && work.toolsUsed === undefined)
    notes.push({ note: "not-reported", what: "tools used" });
  if ((safety?.prohibitedActions.length ?? 0) > 0 && work.actionsTaken === undefined)
    notes.push({ note: "not-reported", what: "actions taken" });
  if ((safety?.maxAutonomousSteps ?? 0) > 0 && work.stepsTaken === undefined)
    notes.push({ note: "not-reported", what: `steps taken (limit ${safety?.maxAutonomousSteps})` });
  return notes;
}
