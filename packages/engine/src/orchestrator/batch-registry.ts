import type { HealthStatus } from "@signalbox/contracts";
import {
  type BreakerEvent,
  type BreakerSettings,
  type BreakerState,
  closedBreaker,
  findInstance,
  type CurrentDispatch,
  type InstanceRef,
  type Snapshot,
  stepBreaker,
  withBreaker,
  withInstance,
} from "@signalbox/core";
import type { TransactionCounts } from "../registry/open-counts.ts";
import type { TenantRegistries } from "../registry/tenant-registries.ts";
import type { QueueDepths } from "./queue-depths.ts";

type DispatchEnding = "succeeded" | "failed" | "cancelled";

/** A tenant's registry as one batch sees and changes it. */
export type BatchRegistry = {
  readonly snapshot: () => Snapshot;
  /** Stages that nobody can take yet: of the tenant, and of one of its task types. */
  readonly queueDepth: () => number;
  waiting(taskType: string): number;
  /** Whether the instance works on probation (D7), so that its next valid result ends that. */
  onProbation(ref: InstanceRef): boolean;
  /** An instance that was quarantined or restored in this batch: what is sent after that knows it. */
  stands(ref: InstanceRef, health: HealthStatus): void;
  began(dispatch: CurrentDispatch, taskType: string, now: number): void;
  ended(dispatch: CurrentDispatch, taskType: string, how: DispatchEnding, now: number): void;
  /** Breakers that this batch moved, to be written. */
  readonly breakers: () => readonly MovedBreaker[];
};

/** What moved a breaker: other lanes and nodes move it too, so that it is written by doing the same to what is stored. */
export type MovedBreaker = {
  readonly packId: string;
  readonly taskType: string;
  readonly settings: BreakerSettings;
  readonly steps: readonly { readonly event: BreakerEvent; readonly now: number }[];
  /** As this batch saw it become. */
  readonly state: BreakerState;
};

export function openBatchRegistry(
  tenantId: string,
  registries: TenantRegistries,
  counts: TransactionCounts,
  depths: QueueDepths,
): BatchRegistry {
  const moved = new Map<string, MovedBreaker>();
  const standing = new Map<string, InstanceRef & { readonly health: HealthStatus }>();
  const opened = registries.latest(tenantId);
  if (opened === undefined) throw new Error(`the registry of tenant ${tenantId} was not loaded`);
  /** What was forgotten since is still what this batch was opened with. */
  const latest = (): Snapshot => registries.latest(tenantId) ?? opened;
  const snapshot = (): Snapshot =>
    moved.size + standing.size === 0
      ? latest()
      : [...standing.values()].reduce(withHealth, [...moved.values()].reduce(withBreaker, latest()));

  function step(
    { packId, dispatchId }: CurrentDispatch,
    taskType: string,
    kind: "dispatched" | DispatchEnding,
    now: number,
  ): void {
    const before = breakerOf(snapshot(), packId, taskType);
    const settings = latest().policy.admission.circuitBreaker;
    const event = { kind, dispatchId };
    const state = stepBreaker(before, event, settings, now);
    if (state === before) return;
    const name = JSON.stringify([packId, taskType]);
    const steps = [...(moved.get(name)?.steps ?? []), { event, now }];
    moved.set(name, { packId, taskType, settings, steps, state });
  }

  return {
    snapshot,
    queueDepth: () => depths.total(tenantId),
    waiting: (taskType) => depths.of(tenantId, taskType),
    onProbation: (ref) => registries.onProbation(tenantId, ref),
    stands: ({ packId, instanceId }, health) =>
      void standing.set(JSON.stringify([packId, instanceId]), { packId, instanceId, health }),
    began(dispatch, taskType, now) {
      counts.dispatched(tenantId, refOf(dispatch));
      step(dispatch, taskType, "dispatched", now);
    },
    ended(dispatch, taskType, how, now) {
      counts.ended(tenantId, refOf(dispatch));
      step(dispatch, taskType, how, now);
    },
    breakers: () => [...moved.values()],
  };
}

function withHealth(snapshot: Snapshot, one: InstanceRef & { readonly health: HealthStatus }): Snapshot {
  const facts = findInstance(snapshot, one);
  return facts === undefined ? snapshot : withInstance(snapshot, { ...facts, health: one.health });
}

const refOf = ({ packId, instanceId }: CurrentDispatch): InstanceRef => ({ packId, instanceId });

const breakerOf = ({ packs, places }: Snapshot, packId: string, taskType: string) =>
  packs[places.get(packId) ?? -1]?.breakers?.get(taskType) ?? closedBreaker;
