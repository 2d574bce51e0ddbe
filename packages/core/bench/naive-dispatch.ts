import { type AgentManifest, HealthStatus, RiskTier, RiskTierSchema } from "@signalbox/contracts";
import { gt, lte, rcompare, satisfies } from "semver";
import { breakerPhase } from "../src/dispatch/breaker.ts";
import type { InstanceFacts, OrchestratorIdentity } from "../src/dispatch/registry-facts.ts";
import type { DispatchRequest } from "../src/dispatch/request.ts";
import type { BreakerFacts, RegistryFacts } from "../src/dispatch/snapshot.ts";
import { parsePackReference } from "../src/documents/pack-reference.ts";
import type { Route, RoutingPolicy } from "../src/documents/routing-policy.ts";

export type FactsByPack = {
  readonly manifests: ReadonlyMap<string, readonly AgentManifest[]>;
  readonly instances: ReadonlyMap<string, readonly InstanceFacts[]>;
  readonly breakers: readonly BreakerFacts[];
};

export const byPack = ({ packs, instances, breakers }: RegistryFacts): FactsByPack => ({
  manifests: Map.groupBy(packs, ({ packId }) => packId),
  instances: Map.groupBy(instances, ({ packId }) => packId),
  breakers: breakers ?? [],
});

/** What the rules say, read off them one after another with no thought of speed. */
export function naiveSelection(
  policy: RoutingPolicy,
  orchestrator: OrchestratorIdentity,
  facts: FactsByPack,
  request: DispatchRequest,
  now: number,
): { packId: string; packVersion: string; instanceId: string; viaFallback: boolean } | undefined {
  const route = policy.routes.find(({ taskType }) => taskType === request.taskType);
  if (route === undefined) return undefined;
  const best = naiveBest(route.allowedPackIds, route, policy, orchestrator, facts, request, now);
  if (best !== undefined) return { ...best, viaFallback: false };
  const fallback = route.fallbackPackId === undefined ? policy.defaults.fallbackPackId : route.fallbackPackId;
  if (fallback === undefined || fallback === null) return undefined;
  const other = naiveBest(
    [fallback],
    { ...route, preferredPackId: undefined },
    policy,
    orchestrator,
    facts,
    request,
    now,
  );
  return other && { ...other, viaFallback: true };
}

type Able = { instance: InstanceFacts; manifest: AgentManifest; ratio: number; preferred: boolean };

function naiveBest(
  references: readonly string[],
  route: Route,
  policy: RoutingPolicy,
  orchestrator: OrchestratorIdentity,
  facts: FactsByPack,
  request: DispatchRequest,
  now: number,
) {
  const able: Able[] = [];
  for (const text of references) {
    const reference = parsePackReference(text);
    if (request.onlyPackId !== undefined && request.onlyPackId !== reference.packId) continue;
    const instances = facts.instances.get(reference.packId) ?? [];
    const running = instances.reduce((sum, { dispatches }) => sum + dispatches, 0);
    if (running >= policy.admission.maxPerPackConcurrent) continue;
    const breaker = facts.breakers.find(
      (one) => one.packId === reference.packId && one.taskType === request.taskType,
    );
    const phase = breaker && breakerPhase(breaker.state, policy.admission.circuitBreaker, now);
    if (phase === "open" || phase === "probing") continue;
    const manifests = (facts.manifests.get(reference.packId) ?? []).toSorted((one, other) =>
      rcompare(one.packVersion, other.packVersion),
    );
    for (const manifest of manifests) {
      if (reference.versions !== undefined && !satisfiesRange(manifest.packVersion, reference.versions))
        continue;
      const ofVersion = instances.filter(
        ({ packVersion }) => (packVersion ?? manifests[0]?.packVersion) === manifest.packVersion,
      );
      const fit = ofVersion.filter((instance) =>
        isCompatible(manifest, instance, route, policy, orchestrator, request, now),
      );
      if (fit.length === 0) continue;
      for (const instance of fit) {
        const preferred = reference.packId === route.preferredPackId;
        able.push({
          instance,
          manifest,
          ratio: loadOf(instance) / capacityOf(manifest, instance),
          preferred,
        });
      }
      break;
    }
  }
  const [best] = able.toSorted(inOrder);
  return (
    best && {
      packId: best.manifest.packId,
      packVersion: best.manifest.packVersion,
      instanceId: best.instance.instanceId,
    }
  );
}

const loadOf = ({ dispatches, otherTasks }: InstanceFacts) => dispatches + otherTasks;
const capacityOf = (manifest: AgentManifest, { maxTasks }: InstanceFacts) => {
  const promised = manifest.interface?.maxConcurrentTasks ?? 0;
  if (maxTasks === undefined) return promised === 0 ? 1 : promised;
  return promised === 0 ? maxTasks : Math.min(maxTasks, promised);
};

function isCompatible(
  manifest: AgentManifest,
  instance: InstanceFacts,
  route: Route,
  policy: RoutingPolicy,
  orchestrator: OrchestratorIdentity,
  request: DispatchRequest,
  now: number,
): boolean {
  const tier = Math.max(request.riskTier, route.minRiskTier ?? 0) || RiskTier.NORMAL;
  const tools = new Set([...manifest.providedTools, ...instance.availableTools]);
  for (const tool of instance.degradedTools) tools.delete(tool);
  const minimum = manifest.minOrchestratorVersion;
  return (
    (manifest.interface?.supportedSchemaVersions ?? []).some((range) =>
      satisfiesRange(orchestrator.schemaVersion, range),
    ) &&
    (minimum === "" || !gt(minimum, orchestrator.version)) &&
    (minimum === "" || lte(minimum, orchestrator.version)) &&
    (manifest.interface?.acceptedRiskTiers ?? []).some((name) => name === tierName(tier)) &&
    manifest.safetyTier >= tier &&
    request.requiredTools.every((tool) => tools.has(tool)) &&
    instance.health !== HealthStatus.UNHEALTHY &&
    instance.health !== HealthStatus.QUARANTINED &&
    (!policy.defaults.requireHealthy || instance.health === HealthStatus.HEALTHY) &&
    instance.leaseExpiresAt > now &&
    !instance.draining &&
    loadOf(instance) < capacityOf(manifest, instance) &&
    request.excluded?.some(
      (ref) => ref.packId === instance.packId && ref.instanceId === instance.instanceId,
    ) !== true
  );
}

function inOrder(one: Able, other: Able): number {
  const health =
    Number(other.instance.health === HealthStatus.HEALTHY) -
    Number(one.instance.health === HealthStatus.HEALTHY);
  const ids = (able: Able) => [able.instance.packId, able.instance.instanceId] as const;
  return (
    health ||
    one.ratio - other.ratio ||
    one.instance.avgLatencyMs - other.instance.avgLatencyMs ||
    Number(other.preferred) - Number(one.preferred) ||
    compareText(ids(one)[0], ids(other)[0]) ||
    compareText(ids(one)[1], ids(other)[1])
  );
}

const tierName = (tier: number) => RiskTierSchema.values.find(({ number }) => number === tier)?.name;

/** semver parses both of its texts each time, which would be most of what is measured. */
const satisfied = new Map<string, boolean>();
function satisfiesRange(version: string, range: string): boolean {
  const key = `${version} ${range}`;
  const known = satisfied.get(key) ?? satisfies(version, range, { includePrerelease: true });
  satisfied.set(key, known);
  return known;
}

const compareText = (one: string, other: string) => (one < other ? -1 : Number(one > other));
