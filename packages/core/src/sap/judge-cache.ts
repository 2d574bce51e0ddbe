import { SignalboxError } from "@signalbox/contracts";
import type { Alignment, Result, Task } from "@signalbox/contracts/sap";
import type { CapabilityRule, PrincipleRule } from "../documents/sap-section.ts";
import { redact, type Redactor } from "../redaction/redactor.ts";
import { type Guardrail, guardrailAgainst, type KeptAnswer } from "../sacp/guardrails.ts";
import { checksFor, principlesOf } from "./principle.ts";
import { escalating } from "./pressure.ts";

type Context = Task["constitutionalContext"];

/** What a cache record says of how its output came about. */
export type CacheFacts = {
  readonly storedAt: number;
  readonly alignment: Alignment;
  readonly context: Pick<
    Context,
    "pressureLevel" | "constraints" | "objectives" | "references" | "riskTolerance"
  >;
  readonly policyChecks: readonly {
    readonly principle?: string | undefined;
    readonly status?: string | undefined;
    /** Those that testified; a member of our own, which the schema leaves open. */
    readonly checks?: unknown;
  }[];
};

export type CacheDecision =
  | { readonly kind: "hit"; readonly ageSec: number }
  | (Unfit & { readonly kind: "compute"; readonly keeps: boolean })
  | (Unfit & { readonly kind: "miss" });

type Unfit = {
  readonly why: string;
  /** It is for how this record came about, so that one of before may fit. */
  readonly earlierMayFit: boolean;
};

const noneFits = (why: string): Unfit => ({ why, earlierMayFit: false });
const thisDoesNot = (why: string): Unfit => ({ why, earlierMayFit: true });

const levels = ["instant", "consulted", "deliberated"] as const satisfies Context["pressureLevel"][];

/** SAP-42: whether the cache has a part in the task at all; of one that held a secret it has none (SAP-45). */
export const usesCache = ({ cachePolicy }: Context): boolean =>
  cachePolicy !== undefined && cachePolicy.mode !== "bypass";

/** SAP-42 to SAP-44 (SAP V2.0 §6): what becomes of a task, given a record under its key. */
export function judgeCache(
  context: Context,
  { maxCacheAgeMs }: Pick<CapabilityRule, "maxCacheAgeMs">,
  rules: readonly PrincipleRule[],
  record: CacheFacts | undefined,
  now: number,
): CacheDecision {
  const { cachePolicy } = context;
  if (cachePolicy === undefined || cachePolicy.mode === "bypass")
    return { kind: "compute", ...noneFits("the task bypasses the cache"), keeps: false };
  const unfit = (said: Unfit): CacheDecision =>
    cachePolicy.mode === "only" ? { kind: "miss", ...said } : { kind: "compute", ...said, keeps: true };
  if (record === undefined) return unfit(noneFits("nothing is cached under the key"));
  if (record.alignment !== "VALID") return unfit(noneFits("what is cached was not found VALID"));
  const ageMs = Math.max(0, now - record.storedAt);
  const limits = [
    cachePolicy.maxAgeSec === undefined ? undefined : cachePolicy.maxAgeSec * 1_000,
    maxCacheAgeMs,
  ].filter((limit) => limit !== undefined);
  const limit = Math.min(...limits);
  if (limits.length > 0 && ageMs >= limit)
    return unfit(
      noneFits(
        `what is cached is ${Math.ceil(ageMs / 1_000)} s old; younger than ${Math.floor(limit / 1_000)} s is asked for`,
      ),
    );
  const amiss =
    personDecides(context, rules, record) ??
    (cachePolicy.mustAlign === true ? misalignment(context, rules, record) : undefined);
  return amiss === undefined ? { kind: "hit", ageSec: Math.floor(ageMs / 1_000) } : unfit(amiss);
}

/** What every answer is held against before anybody is told it. */
export type AnswerRules = { readonly redactor: Redactor; readonly guardrails: readonly Guardrail[] };

/**
 * SAP-49 (D16): what a record says is written and told anew, by the rules of now; one that holds what they mask or would change, or
 * that they cannot be applied to, gives no answer. Looked at as the result that it came in, whose fields the rules name.
 */
export function judgeAnew(
  decision: CacheDecision,
  { cachePolicy }: Context,
  { work }: Pick<CapabilityRule, "work">,
  { redactor, guardrails }: AnswerRules,
  {
    output,
    ...found
  }: { readonly output: unknown; readonly violations: unknown; readonly citations: unknown },
): CacheDecision {
  if (decision.kind !== "hit") return decision;
  // Of a template's several last stages each has its own data.
  const parts: readonly unknown[] =
    work.case === "templateId" && isObject(output) ? Object.values(output) : [];
  const said = [output, ...parts];
  const answers = said.map((data) => ({ response: { data } }));
  const broken = said.map((one) => (isKept(one) ? guardrailAgainst(one, guardrails) : undefined));
  const rule = broken.find((name) => name !== undefined);
  const why = isMaskedBy(redactor, { answers, ...found })
    ? "what is cached holds what the redaction policy in force masks"
    : rule && `what is cached breaks guardrail "${rule}" of the policy in force`;
  if (why === undefined) return decision;
  const unfit = thisDoesNot(why);
  return cachePolicy?.mode === "only"
    ? { kind: "miss", ...unfit }
    : { kind: "compute", ...unfit, keeps: true };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isKept = (value: unknown): value is KeptAnswer => typeof value === "string" || isObject(value);

function isMaskedBy(redactor: Redactor, value: unknown): boolean {
  try {
    return redact(redactor, value, { root: "AgentResult" }).marks.length > 0;
  } catch (error) {
    if (error instanceof SignalboxError) return true;
    throw error;
  }
}

/** SAP-46: a threshold is the operator's: what they put to a person no cache answers, whatever the issuer asks for. */
function personDecides(
  context: Context,
  rules: readonly PrincipleRule[],
  { context: under }: CacheFacts,
): Unfit | undefined {
  const [pressed] = escalating(context, rules);
  if (pressed !== undefined) return noneFits(`"${pressed}" is under so much pressure that a person decides`);
  return context.pressureLevel === "deliberated" ? lowerLevel(context, under) : undefined;
}

const lowerLevel = (
  { pressureLevel: asked }: Pick<Context, "pressureLevel">,
  { pressureLevel: had }: Pick<Context, "pressureLevel">,
): Unfit | undefined =>
  levels.indexOf(asked) > levels.indexOf(had)
    ? thisDoesNot(`what is cached was decided as ${had}; the task is ${asked}`)
    : undefined;

/** SAP-44: why the record does not stand under what this task asks, if it does not. */
function misalignment(
  context: Context,
  rules: readonly PrincipleRule[],
  { context: under, policyChecks }: CacheFacts,
): Unfit | undefined {
  const judged = new Map(policyChecks.map((one) => [one.principle, one]));
  const unnamed = context.principles?.find((principle) => checksFor(principle, rules) === undefined);
  if (unnamed !== undefined)
    return noneFits(`the policy names no principle "${unnamed}", so that nothing aligns with it`);
  const unproved = context.principles?.find(
    (principle) => !["PASS", "OVERRULED"].includes(judged.get(principle)?.status ?? ""),
  );
  if (unproved !== undefined)
    return thisDoesNot(`what is cached was not judged by "${unproved}", or failed it`);
  const otherwise = context.principles?.find((principle) => {
    const said = judged.get(principle)?.checks;
    const testified: readonly unknown[] = Array.isArray(said) ? said : [];
    return checksFor(principle, rules)?.some((check) => !testified.includes(check));
  });
  if (otherwise !== undefined)
    return thisDoesNot(
      `what is cached was not judged by every check that the policy names for "${otherwise}"`,
    );
  const unheld = context.constraints?.find((constraint) => under.constraints?.includes(constraint) !== true);
  if (unheld !== undefined)
    return thisDoesNot("what is cached was not made under one of the task's constraints");
  const unsought = context.objectives?.find((objective) => under.objectives?.includes(objective) !== true);
  if (unsought !== undefined)
    return thisDoesNot("what is cached was not made for one of the task's objectives");
  const ungrounded = context.references?.find((reference) => under.references?.includes(reference) !== true);
  if (ungrounded !== undefined)
    return thisDoesNot("what is cached was not grounded in one of the task's references");
  return moreRisk(context, under) ?? lowerLevel(context, under);
}

const tolerances = ["low", "medium", "high"] as const satisfies Context["riskTolerance"][];

/** Of a record that says nothing, nothing is known: it may have been made with any. */
const moreRisk = (
  { riskTolerance: asked = "high" }: Pick<Context, "riskTolerance">,
  { riskTolerance: had = "high" }: Pick<Context, "riskTolerance">,
): Unfit | undefined =>
  tolerances.indexOf(had) > tolerances.indexOf(asked)
    ? thisDoesNot(`what is cached may have taken more risk; the task's tolerance is ${asked}`)
    : undefined;

/** SAP-47: of the principles of the task that it answers, what the record found; of others it says nothing. */
export const checksOnHit = (
  context: Context,
  { policyChecks }: CacheFacts,
): { principle?: string | undefined; status?: string | undefined; notes?: string | undefined }[] =>
  principlesOf(context).map(
    (principle) =>
      policyChecks.find((one) => one.principle === principle) ?? {
        principle,
        status: "NOT_JUDGED",
        notes: "what is cached was not judged by it",
      },
  );

/** SAP-30: nobody worked on what the cache alone was asked for and did not have. */
export const checksOnMiss = (context: Context): { principle: string; status: string; notes: string }[] =>
  principlesOf(context).map((principle) => ({
    principle,
    status: "NOT_JUDGED",
    notes: "nothing was cached that fits, and nobody worked on the task",
  }));

export type Making = {
  /** What was masked may be all that told two payloads apart. */
  readonly masked: boolean;
  /** What a handler said of work that failed is no answer to the next who asks. */
  readonly whole: boolean;
};

/** SAP-45: whether a Result is kept for others who ask the same. */
export const becomesRecord = (
  { status, constitutionalEvidence, output }: Result,
  context: Context,
  { masked, whole }: Making,
): boolean =>
  status === "SUCCEEDED" &&
  constitutionalEvidence.alignment === "VALID" &&
  output !== undefined &&
  whole &&
  !masked &&
  usesCache(context);
