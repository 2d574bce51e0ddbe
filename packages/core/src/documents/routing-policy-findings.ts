import { type AgentManifest, type FieldPath, HealthStatus, RiskTier } from "@signalbox/contracts";
import { decideDispatch } from "../dispatch/decide-dispatch.ts";
import { explainDispatch } from "../dispatch/explain-dispatch.ts";
import { rejectionsText } from "../dispatch/reason-text.ts";
import type { InstanceFacts, OrchestratorIdentity } from "../dispatch/registry-facts.ts";
import type { DispatchRequest } from "../dispatch/request.ts";
import { compileSnapshot, type Snapshot } from "../dispatch/snapshot.ts";
import { readDocumentText } from "./document-text.ts";
import { parsePackReference } from "./pack-reference.ts";
import type { Route, RoutingPolicy } from "./routing-policy.ts";
import { unservedCapabilities } from "./sap-section-findings.ts";

/**
 * What a policy leaves open, though nothing in it is wrong. `note`: it holds as long as everybody is well; `warning`:
 * whatever happens, a person is asked, a pack that is named never gets a task, or a task is refused.
 */
export type PolicyFinding = {
  readonly rule: "dead_end" | "unqualified_pack" | "no_route" | "single_pack" | "unserved_capability";
  readonly severity: "warning" | "note";
  readonly line: number;
  readonly column: number;
  readonly path: FieldPath;
  readonly taskType: string;
  readonly message: string;
};

/** What a policy is held against: what is registered, the active templates, and the task types that they ask for, with who asks. */
export type PolicySurroundings = {
  readonly packs: readonly AgentManifest[];
  readonly orchestrator: OrchestratorIdentity;
  readonly wanted: ReadonlyMap<string, string>;
  readonly templates: ReadonlySet<string>;
};

type Found = Omit<PolicyFinding, "line" | "column">;

const MOST_FINDINGS = 200;
const tiers = [RiskTier.LOW, RiskTier.NORMAL, RiskTier.CRITICAL];
const tierNames: Readonly<Record<number, string>> = {
  [RiskTier.LOW]: "low",
  [RiskTier.NORMAL]: "normal",
  [RiskTier.CRITICAL]: "critical",
};

/**
 * DOC-31 to DOC-35: every task type at every risk tier, with everybody well and with the best pack away, put to the very
 * decision that dispatch takes. What is found is a counterexample and not a suspicion.
 */
export function examineRoutingPolicy(
  policy: RoutingPolicy,
  text: string,
  surroundings: PolicySurroundings,
): PolicyFinding[] {
  const snapshot = compileSnapshot(policy, surroundings.orchestrator, {
    packs: surroundings.packs,
    instances: surroundings.packs.map(wellInstance),
  });
  const manifests = Map.groupBy(surroundings.packs, ({ packId }) => packId);
  const found: Found[] = [
    ...unservedCapabilities(policy, surroundings.templates),
    ...withoutRoute(policy, surroundings),
  ];
  for (const [index, route] of policy.routes.entries()) {
    if (found.length >= MOST_FINDINGS) break;
    found.push(...examineRoute(snapshot, route, index, manifests));
  }
  const source = readDocumentText(text);
  return found.slice(0, MOST_FINDINGS).map((finding) => {
    const place =
      source.kind === "read" ? source.document.place(finding.path, "value") : { line: 1, column: 1 };
    return Object.assign(finding, place);
  });
}

/** One of each version, idle and in perfect health. */
const wellInstance = ({ packId, packVersion }: AgentManifest): InstanceFacts => ({
  packId,
  instanceId: packVersion,
  packVersion,
  health: HealthStatus.HEALTHY,
  dispatches: 0,
  otherTasks: 0,
  maxTasks: undefined,
  avgLatencyMs: 0,
  availableTools: [],
  degradedTools: [],
  leaseExpiresAt: Number.MAX_SAFE_INTEGER,
  draining: false,
});

const ask = (taskType: string, riskTier: RiskTier): DispatchRequest => ({
  taskType,
  riskTier,
  requiredTools: [],
  queueDepth: 0,
  waitingSince: undefined,
  deadlineAt: undefined,
});

function* withoutRoute({ routes }: RoutingPolicy, { packs, wanted }: PolicySurroundings): Generator<Found> {
  const routed = new Set(routes.map(({ taskType }) => taskType));
  const path = ["routing_policy", "routes"];
  for (const [taskType, who] of wanted) {
    if (routed.has(taskType)) continue;
    const message = `no route for "${taskType}", which ${who} asks for: each such task asks a person`;
    yield { rule: "no_route", severity: "warning", path, taskType, message };
  }
  const offered = new Map(
    packs.flatMap(({ packId, supportedTaskTypes }) => supportedTaskTypes.map((type) => [type, packId])),
  );
  for (const [taskType, packId] of offered) {
    if (routed.has(taskType) || wanted.has(taskType)) continue;
    const message = `no route for "${taskType}", which ${packId} says it can do`;
    yield { rule: "no_route", severity: "note", path, taskType, message };
  }
}

function* examineRoute(
  snapshot: Snapshot,
  route: Route,
  index: number,
  manifests: ReadonlyMap<string, readonly AgentManifest[]>,
): Generator<Found> {
  const { taskType, minRiskTier = RiskTier.LOW } = route;
  const at = (...path: FieldPath): FieldPath => ["routing_policy", "routes", index, ...path];
  const asked = tiers.filter((tier) => tier >= minRiskTier);
  const dead = asked.flatMap((tier) => {
    const explanation = explainDispatch(snapshot, ask(taskType, tier), 0);
    return explanation.decision.kind === "selected" ? [] : [{ tier, why: rejectionsText(explanation) }];
  });
  for (const [why, same] of Map.groupBy(dead, (one) => one.why)) {
    const message = `at ${tierList(same.map(({ tier }) => tier))} risk a "${taskType}" has nowhere to go, though everybody is well: a person is asked. ${why}`;
    yield { rule: "dead_end", severity: "warning", path: at("task_type"), taskType, message: message.trim() };
  }
  yield* unqualified(snapshot, route, asked, at, manifests);
  const alone = Map.groupBy(
    asked.flatMap((tier) => {
      const packId = onlyPack(snapshot, ask(taskType, tier));
      return packId === undefined ? [] : [{ tier, packId }];
    }),
    ({ packId }) => packId,
  );
  for (const [packId, same] of alone) {
    const message = `at ${tierList(same.map(({ tier }) => tier))} risk only ${packId} takes a "${taskType}": when it is away for too long, a person is asked`;
    yield { rule: "single_pack", severity: "note", path: at("allowed_pack_ids"), taskType, message };
  }
}

/** DOC-34: the counterexample of one pack away. */
function onlyPack(snapshot: Snapshot, request: DispatchRequest): string | undefined {
  const best = decideDispatch(snapshot, request, 0);
  if (best.kind !== "selected") return undefined;
  const pack = snapshot.packs[snapshot.places.get(best.packId) ?? -1];
  const excluded = pack?.versions.flatMap(({ instances }) => instances.map(({ facts }) => facts)) ?? [];
  const other = decideDispatch(snapshot, { ...request, excluded }, 0);
  return other.kind === "selected" ? undefined : best.packId;
}

/** DOC-32: a pack that the route names and that no task of it can ever reach. */
function* unqualified(
  snapshot: Snapshot,
  { taskType, allowedPackIds }: Route,
  asked: readonly RiskTier[],
  at: (...path: FieldPath) => FieldPath,
  manifests: ReadonlyMap<string, readonly AgentManifest[]>,
): Generator<Found> {
  const judged = asked.map((tier) => explainDispatch(snapshot, ask(taskType, tier), 0));
  for (const [place, reference] of allowedPackIds.entries()) {
    const { packId } = parsePackReference(reference);
    const versions = manifests.get(packId);
    // That it is not registered is a fault, and is told as one.
    if (versions === undefined) continue;
    const path = at("allowed_pack_ids", place);
    const reasons = judged.map((explanation) => {
      const candidate = explanation.candidates.find((one) => one.packId === packId && one.role === "allowed");
      const takes = candidate?.versions.some(({ reason }) => reason === undefined) === true;
      return takes ? undefined : rejectionsText({ ...explanation, candidates: candidate ? [candidate] : [] });
    });
    if (reasons.every((reason) => reason !== undefined)) {
      const message = `never gets a "${taskType}", at whatever risk. ${reasons[0] ?? ""}`.trim();
      yield { rule: "unqualified_pack", severity: "warning", path, taskType, message };
      continue;
    }
    const does = new Set(versions.flatMap(({ supportedTaskTypes }) => supportedTaskTypes));
    if (does.size === 0 || does.has(taskType)) continue;
    const message = `${packId} does not say that it can do "${taskType}"; it says: ${[...does].slice(0, 10).join(", ")}`;
    yield { rule: "unqualified_pack", severity: "warning", path, taskType, message };
  }
}

const tierList = (found: readonly RiskTier[]): string =>
  found.length === tiers.length ? "whatever" : found.map((tier) => tierNames[tier] ?? "").join(" and ");
