import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  Confidence,
  ConfidenceSchema,
  type GateSnapshotSchema,
  Outcome,
  RiskTier,
  RiskTierSchema,
} from "@signalbox/contracts";
import { isFailure } from "../outcomes.ts";
import type { Judgement } from "../pipeline/judgement.ts";
import { checkBuild, checkEvidence, checkStatic, checkTests, lastRuns } from "./evidence-checks.ts";
import { evidenceText, findingText } from "./finding-text.ts";
import { type Check, isBreach } from "./finding.ts";
import type { GateInput } from "./gate-input.ts";
import { rewindTarget } from "./rewind-target.ts";
import { checkSafety } from "./safety-check.ts";
import { checkScope } from "./scope-check.ts";
import { flagsThatCall } from "./security-flags.ts";

/** Why a person is asked, for the page and for counting. */
export type AskReason = "partial" | "breach" | "security-flag" | "not-confident" | "critical";

export type GateDecision = {
  readonly checks: readonly Check[];
  readonly tier: RiskTier;
  /** What the pipeline is told; `null` where the outcome alone decides (a failure without a breach, or blocked by policy). */
  readonly judgement: Judgement | null;
  readonly snapshot: MessageInitShape<typeof GateSnapshotSchema>;
  readonly askedBecause: readonly AskReason[];
};

/** The review gate (D14): six checks, then the tier. Pure, so that a record of its input repeats it. */
export function judgeResult(input: GateInput): GateDecision {
  const { result } = input;
  const tier = settledTier(input.tier);
  const runs = lastRuns(result);
  const checks = [
    checkEvidence(result, runs),
    checkTests(input, runs),
    checkStatic(input, runs),
    checkBuild(input, runs),
    checkScope(input),
    checkSafety(input),
  ];
  const snapshot = {
    checks: checks.map((one) => ({ gateName: one.name, passed: one.passed, evidence: evidenceText(one) })),
    tier: RiskTierSchema.value[tier]?.localName ?? "CRITICAL",
    passed: checks.every(({ passed }) => passed),
  };
  const asked = reasonsToAsk(input, tier, checks);
  const judgement = decide(input, checks, snapshot, asked);
  return {
    checks,
    tier,
    judgement,
    askedBecause: judgement?.verdict === "ask" ? asked : [],
    snapshot: {
      ...snapshot,
      passed: judgement?.verdict === "advance",
      rejectReason: rejectReason(judgement),
      rewindTargetStage: judgement?.verdict === "reject" ? judgement.targetStageId : "",
    },
  };
}

/** A tier that nobody named is NORMAL (D4); one that this version does not know may be dearer than any it knows. */
function settledTier(tier: RiskTier): RiskTier {
  if (tier === RiskTier.LOW) return tier;
  return tier === RiskTier.UNSPECIFIED || tier === RiskTier.NORMAL ? RiskTier.NORMAL : RiskTier.CRITICAL;
}

function rejectReason(judgement: Judgement | null): string {
  if (judgement === null || judgement.verdict === "advance" || judgement.verdict === "clarify") return "";
  return judgement.verdict === "ask" ? judgement.problem : judgement.rationale;
}

type Snapshot = {
  readonly checks: { gateName: string; passed: boolean; evidence: string }[];
  readonly tier: string;
  readonly passed: boolean;
};

function decide(
  input: GateInput,
  checks: readonly Check[],
  gate: Snapshot,
  asked: readonly AskReason[],
): Judgement | null {
  const { result } = input;
  const isBreached = asked.includes("breach");
  // GATE-23 (D12): a question of the agent comes before any judgement of what it has so far.
  if (result.response?.status === "clarification_needed") {
    const question = result.response.message || "The agent asks for clarification";
    const besides = isBreached ? `\nBesides, the agent did what it must not do. ${failedText(checks)}` : "";
    return { verdict: "clarify", question: question + besides };
  }
  switch (result.status?.outcome) {
    case Outcome.SUCCESS:
    case Outcome.PARTIAL:
      break;
    case Outcome.RETRYABLE_FAILURE:
    case Outcome.NON_RETRYABLE_FAILURE:
      // GATE-19: who calls it a failure is not sent again unseen for it.
      return isBreached ? ask(input, checks, gate, asked) : sendBack(input, gate, failureText(input));
    // GATE-22: blocked by policy pauses (4.3), whatever the checks say.
    case Outcome.POLICY_BLOCKED:
      return null;
    case Outcome.UNSPECIFIED:
    case undefined:
    default:
      return { verdict: "fail", gate: { ...gate, passed: false }, rationale: "The result names no outcome" };
  }
  if (asked.includes("partial") || isBreached) return ask(input, checks, gate, asked);
  if (!gate.passed) {
    const instructions = failedText(checks);
    const rationale = `The gate found: ${instructions}`;
    return (
      sendBack(input, gate, rationale) ?? {
        verdict: "retry",
        gate: { ...gate, passed: false },
        rationale,
        instructions,
      }
    );
  }
  if (asked.length > 0) return ask(input, checks, gate, asked);
  return { verdict: "advance", gate, rationale: `All six checks passed at tier ${gate.tier}` };
}

/** GATE-24, GATE-25: where the result itself names an earlier stage that this one rests on, the work goes back to it. */
function sendBack(input: GateInput, gate: Snapshot, rationale: string): Judgement | null {
  const target = rewindTarget(input.result, input);
  if (target.stageId === input.stageId) return null;
  return {
    verdict: "reject",
    gate: { ...gate, passed: false },
    rationale: `Stage "${input.stageId}" sends the work back to "${target.stageId}". ${rationale}`,
    targetStageId: target.stageId,
    instructions: instructionsOf(input, rationale),
  };
}

const failedText = (checks: readonly Check[]): string =>
  checks
    .flatMap(({ name, findings }) => findings.map((finding) => `${name}: ${findingText(finding)}`))
    .join("; ");

function failureText({ result: { status } }: GateInput): string {
  const said = status?.failureReason || status?.summary || "no reason given";
  const code = status?.failureCode ?? "";
  // Of a failure that only the answer says, the code says nothing besides.
  return code === "" || code === "SACP_FAILURE" ? said : `${code}: ${said}`;
}

const blockersOf = ({ result }: GateInput): string[] =>
  result.blockers.map(({ description, suggestedResolution }) =>
    suggestedResolution === "" ? description : `${description} (${suggestedResolution})`,
  );

/** What is there and what is missing, in the agent's own words. */
function toldOf(input: GateInput): string[] {
  const summary = input.result.status?.summary ?? "";
  const blockers = blockersOf(input).filter((text) => text !== "");
  return [
    ...(summary === "" ? [] : [`Its agent says: ${summary}`]),
    ...(blockers.length === 0 ? [] : [`In its way: ${blockers.join("; ")}`]),
  ];
}

/** What the next attempt is told: what was found, and what stood in the reviewer's way. */
function instructionsOf(input: GateInput, rationale: string): string {
  return [rationale, ...blockersOf(input)].filter((text) => text !== "").join("\n");
}

/** GATE-18 to GATE-21, in the order in which they weigh. */
function reasonsToAsk(
  { result, safety, escalateOnFlags }: GateInput,
  tier: RiskTier,
  checks: readonly Check[],
): AskReason[] {
  const reasons: AskReason[] = [];
  if (checks.some(({ findings }) => findings.some(isBreach))) reasons.push("breach");
  if (result.status?.outcome === Outcome.PARTIAL) reasons.push("partial");
  if (flagsThatCall(safety, escalateOnFlags).length > 0) reasons.push("security-flag");
  if (tier === RiskTier.CRITICAL) reasons.push("critical");
  else if (tier === RiskTier.NORMAL && result.status?.confidence !== Confidence.CONFIDENT)
    reasons.push("not-confident");
  return reasons;
}

function ask(
  input: GateInput,
  checks: readonly Check[],
  gate: Snapshot,
  reasons: readonly AskReason[],
): Judgement {
  const why = reasons.map((reason) => askText(input, reason)).join("; ");
  const found = gate.passed ? "All six checks passed" : failedText(checks);
  const failure = isFailure(input.result.status?.outcome) ? [`It failed, too: ${failureText(input)}`] : [];
  const told = reasons.includes("partial") || isBlocked(input) ? toldOf(input) : [];
  const unseen = checks.flatMap(({ name, notes }) =>
    notes.flatMap((note) => (note.note === "not-reported" ? `${name}: ${note.what} not reported` : [])),
  );
  const target = rewindTarget(input.result, input);
  return {
    verdict: "ask",
    gate,
    problem: [`Stage "${input.stageId}": ${why}`, found, ...failure, ...told, ...unseen].join(". "),
    recommended:
      gate.passed && !reasons.includes("partial") && !isBlocked(input)
        ? "advance"
        : target.stageId === input.stageId
          ? "retry"
          : "rewind",
  };
}

const isBlocked = ({ result: { status } }: GateInput): boolean => status?.confidence === Confidence.BLOCKED;

function askText({ result, safety, escalateOnFlags }: GateInput, reason: AskReason): string {
  switch (reason) {
    case "breach":
      return "the agent did what it must not do";
    case "partial":
      return "the work is done in part";
    case "security-flag":
      return `the task is flagged ${flagsThatCall(safety, escalateOnFlags).join(", ")}`;
    case "critical":
      return "the tier is CRITICAL, so a person other than the submitter decides";
    case "not-confident":
      return `the tier is NORMAL and the agent's confidence is ${ConfidenceSchema.value[result.status?.confidence ?? Confidence.UNSPECIFIED]?.localName ?? "unknown"}`;
  }
}
