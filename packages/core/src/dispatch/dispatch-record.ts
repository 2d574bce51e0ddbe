import { create } from "@bufbuild/protobuf";
import {
  type ContextLevel,
  type DispatchSnapshot,
  DispatchSnapshotSchema,
  HealthStatus,
  type RefFreshnessCheck,
  RiskTier,
} from "@signalbox/contracts";
import { z } from "zod";
import {
  type CandidateJudgement,
  type Explanation,
  type InstanceJudgement,
  packsWeighed,
} from "./explain-dispatch.ts";
import type { InstanceFacts } from "./registry-facts.ts";
import type { DispatchRequest } from "./request.ts";
import type { BreakerFacts } from "./snapshot.ts";

const reference = z.object({ packId: z.string(), instanceId: z.string() });

/** An entry is written for every dispatch and read for few: what is zero, empty or unsaid is left out. */
const instance = z.object({
  id: z.string(),
  reason: z.string().optional(),
  version: z.string().optional(),
  health: z.number().pipe(z.enum(HealthStatus)).optional(),
  dispatches: z.number().optional(),
  others: z.number().optional(),
  max: z.number().optional(),
  latencyMs: z.number().optional(),
  available: z.array(z.string()).optional(),
  degraded: z.array(z.string()).optional(),
  /** From the decision to the lease's end. */
  leaseMs: z.number(),
  draining: z.literal(true).optional(),
});

const breaker = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("closed"), failures: z.array(z.number()) }),
  z.object({ kind: z.literal("open"), openedAt: z.number() }),
  z.object({ kind: z.literal("probing"), openedAt: z.number(), dispatchId: z.string() }),
]);

const pack = z.object({
  id: z.string(),
  role: z.enum(["allowed", "fallback"]),
  preferred: z.literal(true).optional(),
  reason: z.string().optional(),
  breaker: breaker.optional(),
  versions: z.array(
    z.object({ version: z.string(), reason: z.string().optional(), instances: z.array(instance) }),
  ),
  strays: z.array(instance).optional(),
});

const record = z.object({
  outcome: z.string(),
  at: z.number(),
  listeningSince: z.number().optional(),
  request: z.object({
    taskType: z.string(),
    riskTier: z.number().pipe(z.enum(RiskTier)),
    requiredTools: z.array(z.string()),
    queueDepth: z.number(),
    waitingSince: z.number().optional(),
    deadlineAt: z.number().optional(),
    excluded: z.array(reference).optional(),
    onlyPackId: z.string().optional(),
  }),
  orchestrator: z.object({ version: z.string(), schemaVersion: z.string() }),
  riskTier: z.number(),
  ranking: z.array(reference.extend({ packVersion: z.string() })),
  packs: z.array(pack),
});

type InstanceRecord = z.input<typeof instance>;
type PackRecord = z.input<typeof pack>;
/** The JSON in `DispatchSnapshot.rejection_reasons`. */
type DispatchRecord = z.input<typeof record>;

/** What the attempt adds to its decision on record. */
export type AttemptRecord = {
  readonly attemptNumber: number;
  readonly contextLevel: ContextLevel;
  readonly refFreshness: readonly RefFreshnessCheck[];
};

/**
 * DSP-60 (A2A 5.4): the decision as the audit keeps it. The contract gives reasons one text, so that text is JSON:
 * every candidate, each with its reason and the facts it was judged on.
 */
export function dispatchSnapshot(explanation: Explanation, attempt: AttemptRecord): DispatchSnapshot {
  const { decision, policyVersion } = explanation;
  return create(DispatchSnapshotSchema, {
    selectedPackId: decision.kind === "selected" ? decision.packId : "",
    candidatePackIds: packsWeighed(explanation),
    routingPolicyVersion: policyVersion,
    rejectionReasons: JSON.stringify(recordOf(explanation)),
    contextLevelApplied: attempt.contextLevel,
    attemptNumber: attempt.attemptNumber,
    refFreshness: [...attempt.refFreshness],
  });
}

const recordOf = (explanation: Explanation): DispatchRecord => ({
  outcome: outcomeOf(explanation),
  at: explanation.decidedAt,
  listeningSince: explanation.listeningSince,
  request: {
    ...explanation.request,
    requiredTools: [...explanation.request.requiredTools],
    excluded: listOrAbsent(explanation.request.excluded ?? []),
  },
  orchestrator: explanation.orchestrator,
  riskTier: explanation.riskTier,
  ranking: [...explanation.ranking],
  packs: explanation.candidates.map((candidate) => packRecord(candidate, explanation.decidedAt)),
});

function outcomeOf({ decision }: Explanation): string {
  if (decision.kind !== "selected") return `${decision.kind}: ${decision.reason}`;
  return decision.viaFallback ? "selected: fallback" : "selected";
}

const packRecord = (judged: CandidateJudgement, at: number): PackRecord => ({
  id: judged.packId,
  role: judged.role,
  preferred: judged.preferred || undefined,
  reason: judged.reason,
  breaker: judged.breaker && structuredBreaker(judged.breaker),
  versions: judged.versions.map(({ version, reason, instances }) => ({
    version,
    reason,
    instances: instances.map((one) => instanceRecord(one, at)),
  })),
  strays: listOrAbsent(
    judged.strays.map((facts) => instanceRecord({ reason: "version-not-registered", facts }, at)),
  ),
});

const structuredBreaker = (state: NonNullable<CandidateJudgement["breaker"]>): z.input<typeof breaker> =>
  state.kind === "closed" ? { kind: "closed", failures: [...state.failures] } : state;

const instanceRecord = ({ reason, facts }: InstanceJudgement, at: number): InstanceRecord => ({
  id: facts.instanceId,
  reason,
  version: facts.packVersion,
  health: facts.health || undefined,
  dispatches: facts.dispatches || undefined,
  others: facts.otherTasks || undefined,
  max: facts.maxTasks,
  latencyMs: facts.avgLatencyMs || undefined,
  available: listOrAbsent(facts.availableTools),
  degraded: listOrAbsent(facts.degradedTools),
  leaseMs: facts.leaseExpiresAt - at,
  draining: facts.draining || undefined,
});

const listOrAbsent = <T>(list: readonly T[]): T[] | undefined => (list.length === 0 ? undefined : [...list]);

/** What is needed to take a recorded decision again, beside the manifests, which never change. */
export type RecordedFacts = {
  readonly decidedAt: number;
  readonly outcome: string;
  /**
   * Whom the policy chose; nobody where it chose none. The stage may have stayed for all that: for a reference that nobody
   * trusts, or behind those who came before.
   */
  readonly chosenPackId: string | undefined;
  readonly request: DispatchRequest;
  readonly orchestrator: { readonly version: string; readonly schemaVersion: string };
  /** Every pack that was weighed, registered or not. */
  readonly weighedPackIds: readonly string[];
  readonly packVersions: readonly { readonly packId: string; readonly packVersion: string }[];
  readonly instances: readonly InstanceFacts[];
  readonly breakers: readonly BreakerFacts[];
  readonly listeningSince: number;
};

/** Reads `DispatchSnapshot.rejection_reasons` back; throws when the text is no record of a decision. */
export function readDispatchRecord(text: string): RecordedFacts {
  const read = record.parse(JSON.parse(text));
  // The fallback may be an allowed pack as well; its facts are the same.
  const packs = [...new Map(read.packs.map((one) => [one.id, one])).values()];
  const { request } = read;
  return {
    decidedAt: read.at,
    outcome: read.outcome,
    chosenPackId: read.outcome.startsWith("selected") ? read.ranking[0]?.packId : undefined,
    request: {
      ...request,
      waitingSince: request.waitingSince,
      deadlineAt: request.deadlineAt,
      excluded: request.excluded ?? [],
    },
    orchestrator: read.orchestrator,
    weighedPackIds: packs.map(({ id }) => id),
    packVersions: packs.flatMap(({ id, versions }) =>
      versions.map(({ version }) => ({ packId: id, packVersion: version })),
    ),
    instances: packs.flatMap(({ id, versions, strays }) =>
      [...versions.flatMap(({ instances }) => instances), ...(strays ?? [])].map((one) =>
        factsOf(id, one, read.at),
      ),
    ),
    breakers: packs.flatMap(({ id, breaker: state }) =>
      state === undefined ? [] : [{ packId: id, taskType: request.taskType, state }],
    ),
    listeningSince: read.listeningSince ?? Number.NEGATIVE_INFINITY,
  };
}

const factsOf = (packId: string, read: z.output<typeof instance>, at: number): InstanceFacts => ({
  packId,
  instanceId: read.id,
  packVersion: read.version,
  health: read.health ?? HealthStatus.UNSPECIFIED,
  dispatches: read.dispatches ?? 0,
  otherTasks: read.others ?? 0,
  maxTasks: read.max,
  avgLatencyMs: read.latencyMs ?? 0,
  availableTools: read.available ?? [],
  degradedTools: read.degraded ?? [],
  leaseExpiresAt: at + read.leaseMs,
  draining: read.draining ?? false,
});
