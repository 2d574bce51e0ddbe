import type { InstanceRef, OrchestratorIdentity, Redactor, Snapshot } from "@signalbox/core";
import {
  type BatchTransaction,
  loadBreakersSince,
  loadInstancesSince,
  loadPacksSince,
  openDispatchCounts,
  readRegistryChanges,
  type RegistryChange,
} from "@signalbox/db";
import { type DocumentCache, type PolicyInForce, withoutPolicy } from "../documents/document-cache.ts";
import {
  type HeldRegistry,
  newRegistry,
  prune,
  type RegistryNews,
  takeCounts,
  takeDelta,
  takeListeningSince,
  takeNews,
  takePolicy,
} from "./held-registry.ts";
import { instanceKey, type OpenCounts, pendingCounts, type TransactionCounts } from "./open-counts.ts";
import { breakerOf, knownInstance, manifestOf } from "./stored-rows.ts";

/** The registries of the tenants that this process works for, compiled and as new as the database at each batch. */
export type TenantRegistries = {
  /** Since when heartbeats are heard, by the database's clock; where nobody says it, since the first `current`. */
  listenFrom(now: number): void;
  /**
   * Every tenant's snapshot as the transaction sees it; takes no lock. Once a transaction, before it writes to the
   * registry: what is rolled back afterwards would be remembered as it never was.
   */
  current(
    tx: BatchTransaction,
    tenantIds: readonly string[],
    now: number,
  ): Promise<ReadonlyMap<string, Snapshot>>;
  /** The newest in memory, with every count so far; undefined where `current` was never asked for it. */
  latest(tenantId: string): Snapshot | undefined;
  /** Whether the instance works on probation, as `current` last saw it. */
  onProbation(tenantId: string, ref: InstanceRef): boolean;
  /** What masks the tenant's writes: its active policy's, as `current` last saw it. */
  redactor(tenantId: string): Redactor;
  /** The counts of one transaction. */
  counts(): TransactionCounts;
  /** As after a start: everything is loaded anew, and heartbeats are heard from the next `current` on. */
  forget(): void;
};

export type TenantRegistriesOptions = {
  orchestrator: OrchestratorIdentity;
  documents: DocumentCache;
  /** Whether other nodes dispatch too, whose counts only the database tells. */
  othersLive: () => boolean;
  /** Tenants that are kept in memory; beyond them, who was not asked for longest goes. */
  most?: number;
};

const usualMost = 1_000;
const recountEveryMs = 1_000;
const pruneEveryMs = 10 * 60_000;
const idleAfterMs = 10 * 60_000;
/** Before any change: rows of the time before changes were counted have 0. */
const beforeAll = -1;

export function createTenantRegistries({
  orchestrator,
  documents,
  othersLive,
  most = usualMost,
}: TenantRegistriesOptions): TenantRegistries {
  const tenants = new Map<string, HeldRegistry>();
  let listeningSince: number | undefined;
  const pending = pendingCounts(({ tenantId, ref, change }) => {
    const held = tenants.get(tenantId);
    if (held !== undefined) takeDelta(held, ref, change);
  });

  async function inForce(
    tx: BatchTransaction,
    { tenantId, policyVersion }: RegistryChange,
  ): Promise<PolicyInForce> {
    if (policyVersion === null) return withoutPolicy;
    return documents.load(tx, tenantId, "routing-policy", policyVersion);
  }

  async function load(tx: BatchTransaction, seen: RegistryChange, now: number): Promise<HeldRegistry> {
    const [news, policy, counted] = await Promise.all([
      loadNews(tx, seen.tenantId, beforeAll),
      inForce(tx, seen),
      count(tx, seen.tenantId),
    ]);
    // Another lane may have been faster; what it holds has heard of every delta since, which these counts have not.
    const held = tenants.get(seen.tenantId);
    if (held !== undefined && !held.stale && held.change >= seen.change) return held;
    const made = newRegistry(orchestrator, {
      inForce: policy,
      policyVersion: seen.policyVersion ?? undefined,
      listeningSince: listeningSince ?? now,
      news,
      ...counted(),
      change: seen.change,
      now,
    });
    tenants.set(seen.tenantId, made);
    return made;
  }

  /**
   * The open dispatches, told when they are asked for: what this process did since the database was read is on top. They
   * are exact where nothing of it was under way meanwhile.
   */
  async function count(
    tx: BatchTransaction,
    tenantId: string,
  ): Promise<() => { open: OpenCounts; countsExact: boolean }> {
    const mark = pending.quietMark(tenantId);
    const rows = await openDispatchCounts(tx, tenantId);
    const stored = new Map(rows.map((row) => [instanceKey(row), row.open]));
    return () => ({
      open: pending.onTop(tenantId, stored),
      countsExact: mark !== undefined && mark === pending.quietMark(tenantId),
    });
  }

  async function catchUp(
    tx: BatchTransaction,
    held: HeldRegistry,
    seen: RegistryChange,
    now: number,
  ): Promise<void> {
    const { tenantId } = seen;
    const since = held.change;
    const isRecountDue = (!held.countsExact || othersLive()) && now - held.countedAt >= recountEveryMs;
    if (isRecountDue) held.countedAt = now;
    const [news, policy, counted] = await Promise.all([
      since < seen.change ? loadNews(tx, tenantId, since) : undefined,
      held.policyVersion === (seen.policyVersion ?? undefined) ? undefined : inForce(tx, seen),
      isRecountDue ? count(tx, tenantId) : undefined,
    ]);
    if (news !== undefined) takeNews(held, news, seen.change);
    // A lane that saw less must not bring an earlier policy back.
    if (policy !== undefined && held.change <= seen.change)
      takePolicy(held, policy, seen.policyVersion ?? undefined);
    if (counted !== undefined) takeCounts(held, counted());
    if (now - held.prunedAt >= pruneEveryMs) prune(held, now);
  }

  async function bringUp(tx: BatchTransaction, seen: RegistryChange, now: number): Promise<HeldRegistry> {
    const found = tenants.get(seen.tenantId);
    const held = found?.stale === false ? found : undefined;
    if (held !== undefined) await catchUp(tx, held, seen, now);
    const up = held ?? (await load(tx, seen, now));
    up.usedAt = now;
    // The map's order is that of the last use. What was replaced meanwhile has missed deltas, and does not come back.
    if (tenants.get(seen.tenantId) === up) {
      tenants.delete(seen.tenantId);
      tenants.set(seen.tenantId, up);
    }
    return up;
  }

  function dropIdle(now: number): void {
    for (const [tenantId, { usedAt }] of tenants) {
      if (tenants.size <= most && now - usedAt < idleAfterMs) return;
      tenants.delete(tenantId);
      pending.drop(tenantId);
    }
  }

  return {
    listenFrom: (now) => {
      listeningSince = now;
      for (const held of tenants.values()) takeListeningSince(held, now);
    },
    current: async (tx, tenantIds, now) => {
      listeningSince ??= now;
      const seen = await readRegistryChanges(tx, tenantIds);
      const up = await Promise.all(
        seen.map(async (change) => [change.tenantId, await bringUp(tx, change, now)] as const),
      );
      dropIdle(now);
      return new Map(up.map(([tenantId, { snapshot }]) => [tenantId, snapshot]));
    },
    latest: (tenantId) => tenants.get(tenantId)?.snapshot,
    onProbation: (tenantId, ref) => tenants.get(tenantId)?.onProbation.has(instanceKey(ref)) ?? false,
    redactor: (tenantId) => {
      const held = tenants.get(tenantId);
      // A policy that is not known must not be taken for none (D21).
      if (held === undefined) throw new Error(`the registry of tenant ${tenantId} was not loaded`);
      return held.inForce.redactor;
    },
    counts: () => pending.begin(),
    forget: () => {
      // Batches that are under way still ask for them.
      for (const held of tenants.values()) held.stale = true;
      listeningSince = undefined;
    },
  };
}

async function loadNews(tx: BatchTransaction, tenantId: string, since: number): Promise<RegistryNews> {
  const [packs, instances, breakers] = await Promise.all([
    loadPacksSince(tx, tenantId, since),
    loadInstancesSince(tx, tenantId, since),
    loadBreakersSince(tx, tenantId, since),
  ]);
  return {
    packs: packs.map(manifestOf),
    instances: instances.map((row) => ({ change: row.change, value: knownInstance(row) })),
    breakers: breakers.map((row) => ({ change: row.change, value: breakerOf(row) })),
  };
}
