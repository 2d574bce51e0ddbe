import { availableParallelism } from "node:os";
import type { TaskEnvelope } from "@signalbox/contracts";
import { type Database, type EnvelopeRequest, renewLeases, waitingLines } from "@signalbox/db";
import { type DocumentCache, documentsOf } from "./documents/document-cache.ts";
import { type Deliverer, startDeliverer } from "./link/deliverer.ts";
import { observeBatch } from "./metrics/observe-batch.ts";
import { tellEnded } from "./trace/ended-pipelines.ts";
import { runBatch } from "./orchestrator/batch.ts";
import { type Committer, createCommitter } from "./orchestrator/committer.ts";
import { createDeliveries, type Deliveries } from "./orchestrator/deliveries.ts";
import { giveBack } from "./orchestrator/give-back.ts";
import type { PipelineKey } from "./orchestrator/draft.ts";
import type { WantedRefs } from "./orchestrator/dispatch-ready.ts";
import { createInboxes, type Inboxes } from "./orchestrator/inboxes.ts";
import { DISPATCH_LEASE_MS, TAKE_WITHIN_MS } from "./orchestrator/lease-tasks.ts";
import { joinAsNode, NODE_LEASE_MS, type Node } from "./orchestrator/node.ts";
import type { Orchestrator } from "./orchestrator/orchestrator.ts";
import { createPipelineCache } from "./orchestrator/pipeline-cache.ts";
import { createQueueDepths } from "./orchestrator/queue-depths.ts";
import { refreshRefs } from "./orchestrator/refresh-refs.ts";
import { noRefSource, type RefSource } from "./orchestrator/refs.ts";
import { startSweeps, type Sweeps } from "./orchestrator/sweeps.ts";
import { takeTogether } from "./orchestrator/take-together.ts";
import { createTemplates, type Templates } from "./orchestrator/templates.ts";
import { type GroupCommit, groupCommit } from "./registry/group-commit.ts";
import { onInstancesReturned } from "./registry/returned-instances.ts";
import { createTenantRegistries, type TenantRegistries } from "./registry/tenant-registries.ts";
import { createFeeds, type Feeds } from "./stream/feed.ts";
import { SCHEMA_VERSION } from "./schema-version.ts";
import { type HeardWatch, watchHeard } from "./stream/heard.ts";
import { type Standings, watchStandings } from "./stream/standings.ts";
import { newTimeOrderedId } from "./time-ordered-id.ts";
import type { System } from "./system.ts";
import { reach } from "./transaction.ts";

/** The part of a process that works on pipelines; commands that do take it where others take the `System`. */
export type Engine = System & {
  /** The engine's own connections. */
  readonly batches: Database;
  readonly documents: DocumentCache;
  readonly templates: Templates;
  readonly registries: TenantRegistries;
  readonly committer: Committer;
  readonly deliveries: Deliveries;
  readonly inboxes: Inboxes;
  readonly node: Node;
  readonly renewals: GroupCommit<Renewal, number | null>;
  /** What readers of the stream are told. */
  readonly feeds: Feeds;
  readonly standings: Standings;
  readonly heard: HeardWatch;
  readonly takes: GroupCommit<EnvelopeRequest, readonly TaskEnvelope[]>;
  /** A dispatch is an agent's for so long, unless it renews. */
  readonly dispatchLeaseMs: number;
  /** An instance takes what is sent to it within so long, or it is sent elsewhere. */
  readonly takeWithinMs: number;
  readonly schemaVersion: string;
  readonly newId: () => string;
  readonly newTraceId: () => string;
  /** Called when the engine begins to stop: who waits for something must not keep it. */
  readonly onStopping: (work: () => void) => () => void;
  /** Sends those who wait for work away with nothing, so that a process that drains is not kept by them. */
  readonly release: () => void;
  /** What agents that are called are at work on is waited for until `untilCut` settles; not at all where nothing is said. */
  readonly stop: (untilCut?: Promise<void>) => Promise<void>;
};

type Renewal = Parameters<typeof renewLeases>[1][number];

export type EngineOptions = {
  readonly system: System;
  /** Opened with a short `idleInTransactionTimeoutMs`: what a frozen process holds is given back by the server. */
  readonly batches: Database;
  readonly refSource?: RefSource;
  /** Whether this process looks for what is due; another one may do that for it. */
  readonly loops?: boolean;
  readonly nodeId?: string;
  readonly nodeLeaseMs?: number;
  readonly dispatchLeaseMs?: number;
  readonly takeWithinMs?: number;
  readonly onFailure: (error: unknown, what: string) => void;
};

/**
 * Transactions side by side: as many as there are cores, and at most four. More only wait for each other, and make each batch
 * smaller: on two cores a pipeline cost a tenth less with two lanes than with four.
 */
const LANES = Math.min(4, Math.max(2, availableParallelism()));
/** With a thousand pipelines under way, three hundredths more of them a second than with 200, and a tenth more than with 100. */
const LARGEST_BATCH = 300;
const LONGEST_QUEUE = 20_000;
const HELD_PIPELINES = 5_000;
const KNOWN_INBOXES = 20_000;
const LARGEST_RENEWAL = 500;
const LARGEST_TAKE = 100;
const RECOUNT_EVERY_MS = 1_000;
/** Of one line. A queue's limit beyond it is not seen to the last stage. */
const MOST_COUNTED = 100_000;

/** Joins the nodes at work on this database. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { system, batches, onFailure, refSource = noRefSource, takeWithinMs = TAKE_WITHIN_MS } = options;
  const { loops = true } = options;
  const { clock } = system;
  const stopping = new Set<() => void>();
  const release = (): void => {
    for (const work of stopping) work();
  };
  const inboxes = createInboxes(KNOWN_INBOXES);
  const depths = createQueueDepths();
  const documents = documentsOf(system);
  let registries: TenantRegistries | undefined;
  const forget = (): void => {
    registries?.forget();
    depths.forget();
    inboxes.forget();
  };
  const node = await joinAsNode({
    database: system.database,
    clock,
    nodeId: options.nodeId ?? newTimeOrderedId(system),
    leaseMs: options.nodeLeaseMs ?? NODE_LEASE_MS,
    loops,
    onLoops: (atWork) => system.readiness.noteLoops(atWork),
    onRejoined: forget,
    onFailure: (error) => onFailure(error, "node lease"),
  });
  registries = createTenantRegistries({
    orchestrator: { version: system.orchestrator.version, schemaVersion: SCHEMA_VERSION },
    documents,
    othersLive: node.othersLive,
  });
  let sweeps: Sweeps | undefined;
  let deliverer: Deliverer | undefined;
  const orchestrator: Orchestrator = {
    database: batches,
    node,
    registries,
    templates: createTemplates(documents),
    documents,
    cache: createPipelineCache(HELD_PIPELINES),
    depths,
    deliveries: createDeliveries({
      clock,
      giveBack: (...given) => giveBack({ ...system, batches, inboxes, takeWithinMs }, ...given),
    }),
    inboxes,
    takeWithinMs,
    wake: (tenantId) => sweeps?.wake(tenantId),
    onCancelled: (tenantId, dispatches) => deliverer?.cancelled(tenantId, dispatches),
    onCommitted: (committed) => {
      observeBatch(system, committed);
      tellEnded(system, committed);
    },
    onBlocked: (error, { pipelineId }) => onFailure(error, `masking what came for pipeline ${pipelineId}`),
    onBroken: (error, { key }, stageId) =>
      onFailure(error, `sending stage ${stageId} of pipeline ${key.pipelineId}`),
  };
  const onWanted = (wanted: readonly (PipelineKey & WantedRefs)[]): void => {
    for (const one of wanted) {
      refreshRefs(committer, refSource, one).catch((error: unknown) =>
        onFailure(error, "fetching refs anew"),
      );
    }
  };
  const committer = createCommitter({
    lanes: LANES,
    largestBatch: LARGEST_BATCH,
    longestQueue: LONGEST_QUEUE,
    run: (works) => runBatch(orchestrator, works),
    onWanted,
    onAway: () => {
      forget();
      void node.look();
      void system.readiness.look();
    },
  });
  /** What waits is counted in memory, and other nodes change it too: the database tells, in every process. */
  const recount = async (): Promise<void> => {
    const takeIn = depths.counting();
    // An answer that does not come takes nothing in, and the next one does.
    takeIn(await waitingLines(batches, MOST_COUNTED));
  };
  const stopCounting = clock.repeat(RECOUNT_EVERY_MS, () => {
    recount().catch((error: unknown) => onFailure(error, "counting what waits"));
  });
  const stopHearing = onInstancesReturned(system, (instances) => {
    for (const { tenantId } of instances) sweeps?.wake(tenantId);
  });
  if (loops) {
    sweeps = startSweeps({
      database: batches,
      clock,
      committer,
      depths,
      recount,
      onFailure: (error) => onFailure(error, "sweep"),
    });
  }
  const feeds = createFeeds(system, onFailure);
  const standings = watchStandings(system, onFailure);
  const heard = watchHeard(system, onFailure);
  const engine: Engine = {
    ...system,
    feeds,
    standings,
    heard,
    batches,
    documents,
    templates: orchestrator.templates,
    registries,
    committer,
    deliveries: orchestrator.deliveries,
    inboxes,
    node,
    renewals: groupCommit({
      most: LARGEST_RENEWAL,
      bound: LONGEST_QUEUE,
      write: (renewals) => renewTogether(system, batches, renewals),
    }),
    takes: groupCommit({
      most: LARGEST_TAKE,
      bound: LONGEST_QUEUE,
      write: (requests) => reach(system, () => takeTogether(batches, requests)),
    }),
    dispatchLeaseMs: options.dispatchLeaseMs ?? DISPATCH_LEASE_MS,
    takeWithinMs,
    schemaVersion: SCHEMA_VERSION,
    newId: () => newTimeOrderedId(system),
    newTraceId: () => Buffer.from(system.randomBytes(16)).toString("hex"),
    onStopping(work) {
      stopping.add(work);
      return () => void stopping.delete(work);
    },
    release,
    async stop(untilCut) {
      release();
      standings.stop();
      heard.stop();
      await feeds.stop();
      await deliverer?.stop(untilCut);
      stopHearing();
      stopCounting();
      await sweeps?.stop();
      await committer.drain();
      await orchestrator.deliveries.drain();
      await node.leave();
    },
  };
  if (system.adapters !== undefined && system.adapters.size > 0)
    deliverer = startDeliverer(engine, system.adapters, onFailure);
  return engine;
}

/** Of each, until when its lease holds now; null where it ended before. */
function renewTogether(
  system: System,
  batches: Database,
  renewals: readonly Renewal[],
): Promise<(number | null)[]> {
  const tenantIds = [...new Set(renewals.map(({ tenantId }) => tenantId))];
  const nameOf = ({ tenantId, pipelineId, stageOrder, attemptNumber }: Omit<Renewal, "leaseMs">) =>
    `${tenantId}/${pipelineId}/${stageOrder}/${attemptNumber}`;
  return reach(system, () =>
    batches.inTenants(tenantIds, async (tx) => {
      const renewed = await renewLeases(tx, renewals);
      const until = new Map(renewed.map((one) => [nameOf(one), one.leaseExpiresAt]));
      return renewals.map((one) => until.get(nameOf(one)) ?? null);
    }),
  );
}
