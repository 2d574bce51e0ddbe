import type { Result, Task } from "@signalbox/contracts/sap";
import type { CapabilityRule } from "../../documents/sap-section.ts";
import { canonicalJson } from "../canonical-json.ts";
import { essenceOf } from "../essence.ts";
import { becomesRecord, type Making, usesCache } from "../judge-cache.ts";
import { type Members, membersOf } from "./members.ts";

/** What signals are aggregated by (SAP V2.0 §7); a task without a territory is of the territory "". */
export type SignalKey = {
  readonly capability: string;
  readonly territory: string;
  /** SHA-256 of the payload's essence, with the attachments where there are some, in hexadecimal. */
  readonly fingerprint: string;
};

/** Readings in PSI, by principle. */
export type Pressure = Readonly<Record<string, number>>;

/** SAP-50: what a Result that is final says of how the work went. */
export type OutcomeSignal = {
  readonly kind: "outcome";
  readonly status: Result["status"];
  readonly alignment: Result["constitutionalEvidence"]["alignment"];
  readonly latencyMs: number;
  readonly attempts: number;
  readonly retries: number;
  readonly rejections: number;
  readonly nextActions: number;
  readonly pressure: Pressure;
  readonly checks: readonly { readonly principle: string; readonly status: string }[];
  readonly violations: { readonly low: number; readonly medium: number; readonly high: number };
  /** The cache was asked, and had nothing that fitted. */
  readonly missed: boolean;
  /** It became a record of the cache. */
  readonly kept: boolean;
  /** What was asked and what came of it, as digests; null where nothing may be read from them. */
  readonly sample: Sample | null;
};

export type Sample = { readonly output: string; readonly folded: string; readonly members: Members };

/** SAP-51: answers of the cache that were given together; a hit is written a thousand times a second. */
type CacheSignal = { readonly kind: "cache"; readonly hit: boolean; readonly times: number };

/** What a person says of a result. At least one of the three is there. */
export type Rating = {
  /** From 1, useless, to 5, exactly right. */
  readonly score: number | null;
  readonly approved: boolean | null;
  /** What should have been otherwise. */
  readonly note: string | null;
};

/** SAP-52 */
export type RatingSignal = Rating & {
  readonly kind: "rating";
  readonly pressure: Pressure;
  /** What the same person said of the same result before, which counts no more. */
  readonly replaces: Rating | null;
  /** By how much it changes the number of results that went well by their own record and are poor to people. */
  readonly poor: -1 | 0 | 1;
};

export type Signal = OutcomeSignal | CacheSignal | RatingSignal;

const MOST_READINGS = 50;
const LONGEST_PRINCIPLE = 200;

export const pressureIn = ({ pressure = {} }: Task["constitutionalContext"]): Pressure =>
  Object.fromEntries(Object.entries(pressure).slice(0, MOST_READINGS));

export function violationCounts({
  violations = [],
}: Result["constitutionalEvidence"]): OutcomeSignal["violations"] {
  const counted = (wanted: string): number => violations.filter(({ severity }) => severity === wanted).length;
  return { low: counted("low"), medium: counted("medium"), high: counted("high") };
}

const countIn = (metrics: Result["metrics"], name: string): number => {
  const value = metrics?.[name];
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
};

type Facts = {
  readonly task: Task;
  readonly result: Result;
  readonly rule: Pick<CapabilityRule, "essence"> | undefined;
  /** Of a task of which something was masked, or that was not done as a whole, nothing is compared; nor where attachments are part of what was asked. */
  readonly made: Making;
  readonly digestOf: (text: string) => string;
};

/** SAP-50: the signal of a final Result. */
export function outcomeSignal({ task, result, rule, made, digestOf }: Facts): OutcomeSignal {
  const { status, constitutionalEvidence: evidence, metrics, nextActions = [], output } = result;
  const { constitutionalContext: context } = task;
  return {
    kind: "outcome",
    status,
    alignment: evidence.alignment,
    latencyMs: countIn(metrics, "latencyMs"),
    attempts: countIn(metrics, "attempts"),
    retries: countIn(metrics, "retries"),
    rejections: countIn(metrics, "rejections"),
    nextActions: nextActions.length,
    pressure: pressureIn(context),
    checks: (evidence.policyChecks ?? [])
      .slice(0, MOST_READINGS)
      .map(({ principle = "", status: found = "" }) => ({
        principle: principle.slice(0, LONGEST_PRINCIPLE),
        status: found,
      })),
    violations: violationCounts(evidence),
    missed: usesCache(context),
    kept: becomesRecord(result, context, made),
    sample:
      made.masked ||
      !made.whole ||
      (task.attachments ?? []).length > 0 ||
      rule === undefined ||
      output === undefined ||
      status !== "SUCCEEDED"
        ? null
        : sampleOf(essenceOf(task.payload, rule.essence), output, digestOf),
  };
}

function sampleOf(
  essence: Readonly<Record<string, unknown>>,
  output: unknown,
  digestOf: (text: string) => string,
): Sample | null {
  const members = membersOf(essence, digestOf);
  if (members === null) return null;
  const folded = essenceOf(essence, { include: undefined, exclude: [], foldText: true });
  return {
    output: digestOf(canonicalJson(output)),
    folded: digestOf(canonicalJson(folded)),
    members,
  };
}
