import { create } from "@bufbuild/protobuf";
import { AgentManifestSchema, HealthStatus, RiskTier } from "@signalbox/contracts";
import { decideDispatch } from "../src/dispatch/decide-dispatch.ts";
import type { InstanceFacts, InstanceRef } from "../src/dispatch/registry-facts.ts";
import type { DispatchRequest } from "../src/dispatch/request.ts";
import { compileSnapshot, withDispatches, withInstance } from "../src/dispatch/snapshot.ts";
import type { RoutingPolicy } from "../src/documents/routing-policy.ts";
import { byPack, naiveSelection } from "./naive-dispatch.ts";

const PACKS = 1000;
const INSTANCES = 20;
const ROUTES = 200;
const IN_FLIGHT = 200;
const NOW = 1_772_000_000_000;
const WARM_UP_MS = 300;
const ROUND_MS = 500;
const ROUNDS = 5;

/** A fixed sequence of numbers from 0 to 1 (mulberry32), so that every run decides on the same registry. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
const next = sequence(7);
const under = (limit: number) => Math.floor(next() * limit);

const packIds = Array.from({ length: PACKS }, (_, index) => `pack-${index}`);
const packs = packIds.map((packId) =>
  create(AgentManifestSchema, {
    packId,
    packVersion: "1.0.0",
    safetyTier: RiskTier.CRITICAL,
    providedTools: ["git", "npm", "node", "tsc", "eslint"],
    interface: {
      supportedSchemaVersions: ["^1.0.0"],
      acceptedRiskTiers: ["RISK_TIER_LOW", "RISK_TIER_NORMAL", "RISK_TIER_CRITICAL"],
    },
  }),
);
const instances = packIds.flatMap((packId) =>
  Array.from({ length: INSTANCES }, (_, index): InstanceFacts => ({
    packId,
    instanceId: `instance-${index}`,
    packVersion: "1.0.0",
    health: next() < 0.8 ? HealthStatus.HEALTHY : HealthStatus.DEGRADED,
    dispatches: under(5),
    otherTasks: 0,
    maxTasks: 4,
    avgLatencyMs: under(5000),
    availableTools: [],
    degradedTools: next() < 0.05 ? ["npm"] : [],
    leaseExpiresAt: next() < 0.95 ? NOW + 30_000 : NOW - 1,
    draining: false,
  })),
);
const policy: RoutingPolicy = {
  version: "1.0.0",
  routes: [
    ...Array.from({ length: ROUTES }, (_, index) => {
      const allowedPackIds = Array.from({ length: 3 + under(8) }, () => packIds[under(PACKS)] ?? "");
      return {
        taskType: `task-${index}`,
        allowedPackIds: [...new Set(allowedPackIds)],
        preferredPackId: allowedPackIds[0],
        minRiskTier: RiskTier.NORMAL,
        fallbackPackId: null,
      };
    }),
    {
      taskType: "open",
      allowedPackIds: packIds,
      preferredPackId: undefined,
      minRiskTier: undefined,
      fallbackPackId: null,
    },
  ],
  admission: {
    maxGlobalQueueDepth: 1_000_000,
    maxPerPackConcurrent: 1000,
    circuitBreaker: { errorThreshold: 5, windowMs: 60_000, halfOpenAfterMs: 120_000 },
    maxWaitMs: undefined,
    absenceGraceMs: undefined,
    probationAfterMs: undefined,
  },
  defaults: { fallbackPackId: null, maxCandidateAgents: 3, requireHealthy: true },
  redaction: undefined,
};
const orchestrator = { version: "0.1.0", schemaVersion: "1.0.0" };
const facts = { packs, instances };
const grouped = byPack(facts);
const request = (taskType: string): DispatchRequest => ({
  taskType,
  riskTier: RiskTier.NORMAL,
  requiredTools: ["npm", "tsc", "git"],
  queueDepth: 10,
  waitingSince: undefined,
  deadlineAt: NOW + 600_000,
});
const routed = Array.from({ length: ROUTES }, (_, index) => request(`task-${index}`));
const open = request("open");

/** Runs a second, of the best of some rounds: what disturbs a round only ever makes it slower. */
function rate(run: (turn: number) => unknown, step: number): number {
  spin(run, step, WARM_UP_MS);
  return Math.max(...Array.from({ length: ROUNDS }, () => spin(run, step, ROUND_MS)));
}

function spin(run: (turn: number) => unknown, step: number, milliseconds: number): number {
  const start = performance.now();
  let runs = 0;
  let elapsed = 0;
  while (elapsed < milliseconds) {
    for (let turn = 0; turn < step; turn++) run(runs + turn);
    runs += step;
    elapsed = performance.now() - start;
  }
  return (runs / elapsed) * 1000;
}

const snapshot = compileSnapshot(policy, orchestrator, facts);
const pick = (turn: number) => routed[turn % ROUTES] ?? open;

// A bench of a wrong answer measures nothing.
for (const asked of [...routed, open]) {
  const decision = decideDispatch(snapshot, asked, NOW);
  const naive = naiveSelection(policy, orchestrator, grouped, asked, NOW);
  const same =
    decision.kind === "selected"
      ? naive?.packId === decision.packId && naive.instanceId === decision.instanceId
      : naive === undefined;
  if (!same) throw new Error(`${asked.taskType}: ${JSON.stringify({ decision, naive })}`);
}

let current = snapshot;
const inFlight: InstanceRef[] = [];
const figures = {
  "routed, compiled": rate((turn) => decideDispatch(snapshot, pick(turn), NOW), 1000),
  "routed, naive": rate((turn) => naiveSelection(policy, orchestrator, grouped, pick(turn), NOW), 1),
  "open, compiled": rate(() => decideDispatch(snapshot, open, NOW), 20),
  "open, naive": rate(() => naiveSelection(policy, orchestrator, grouped, open, NOW), 1),
  "routed, counted in and out": rate((turn) => {
    const decision = decideDispatch(current, pick(turn), NOW);
    if (decision.kind === "selected") {
      current = withDispatches(current, decision, 1);
      inFlight.push(decision);
    }
    const done = inFlight.length > IN_FLIGHT ? inFlight.shift() : undefined;
    if (done !== undefined) current = withDispatches(current, done, -1);
  }, 1000),
  "heartbeat taken in": rate((turn) => {
    const instance = instances[turn % instances.length];
    if (instance !== undefined) current = withInstance(current, { ...instance, avgLatencyMs: turn % 1000 });
  }, 1000),
};

console.log(
  `${PACKS} packs × ${INSTANCES} instances, ${ROUTES} routes of 3 to 10 packs, one open to all; one core`,
);
for (const [name, perSecond] of Object.entries(figures)) {
  console.log(`${name.padEnd(32)}${Math.round(perSecond).toLocaleString("en").padStart(12)}/s`);
}
const report = (kind: "routed" | "open", target: number) => {
  const compiled = figures[`${kind}, compiled`];
  const ratio = compiled / figures[`${kind}, naive`];
  const verdict = compiled >= target ? "reached" : "missed";
  console.log(
    `${kind}: ${ratio.toFixed(0)} × naive; target of ${target.toLocaleString("en")} decisions/s: ${verdict}`,
  );
};
report("routed", 500_000);
report("open", 5_000);
