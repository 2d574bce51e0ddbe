import type { Database, DispatchKey, PipelineKey } from "@signalbox/db";
import {
  countWaitingStages,
  dueOpenDispatches,
  duePipelines,
  dueStages,
  lockOpenDispatches,
  wokenStages,
} from "@signalbox/db";
import { dispatchIdOf, type PipelineEvent } from "@signalbox/core";
import type { Clock } from "../clock.ts";
import type { Committer } from "./committer.ts";
import { keyText } from "./draft.ts";
import type { QueueDepths } from "./queue-depths.ts";
import type { Step } from "./step.ts";
import { type Change, done } from "./work.ts";

export type Sweeps = {
  /** Somebody may be free for what waits: looked at soon, and not in the next round. */
  wake(tenantId: string): void;
  stop(): Promise<void>;
};

export type SweepOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly committer: Committer;
  readonly depths: QueueDepths;
  readonly onFailure: (error: unknown) => void;
};

const EVERY_MS = 250;
/** In how many rounds everything that waits is looked at, woken or not: another node may have freed somebody. */
const ALL_WAITING_EVERY = 4;
/** In how many rounds the queues are counted anew. */
const RECOUNT_EVERY = 20;
const EACH = 50;
const TOTAL = 400;
/** Of a line that was woken, so many at first, and twice as many while all of them could be sent. */
const FIRST_PAGE = 4;
const LARGEST_PAGE = 256;

/**
 * Finds what is due by the database's clock: stages that backed off, dispatches whose lease or time is over, deadlines.
 * Every node looks, and whoever has the pipeline's lock first acts; the others find nothing to do.
 */
export function startSweeps({ database, clock, committer, depths, onFailure }: SweepOptions): Sweeps {
  const underWay = new Set<string>();
  const woken = new Set<string>();
  /** Woken, and nothing is known of what waits there: what an earlier process left, say. */
  const uncounted = new Set<string>();
  let round = 0;
  let running: Promise<void> | undefined;
  let stopped = false;

  async function sweep(
    change: Change<boolean>,
    way: "sweep" | "sweepInOrder" = "sweep",
  ): Promise<boolean | undefined> {
    const text = keyText(change.key);
    if (underWay.has(text)) return undefined;
    underWay.add(text);
    try {
      return await committer[way](change);
    } finally {
      underWay.delete(text);
    }
  }

  async function sweepDue(): Promise<void> {
    const bounds = { each: EACH, total: TOTAL };
    const [stages, dispatches, pipelines] = await Promise.all([
      dueStages(database, bounds),
      dueOpenDispatches(database, bounds),
      duePipelines(database, bounds),
    ]);
    await Promise.all([
      ...byPipeline(dispatches).map((due) => sweep(endDue(due))),
      ...pipelines.map((key) => sweep(passDeadline(key))),
      ...byPipeline(stages).map(([key]) => sweep(sendDue(key, false))),
    ]);
  }

  async function sweepWoken(): Promise<void> {
    const all = round % ALL_WAITING_EVERY === 0;
    const lines = depths.waiting().filter(({ tenantId }) => all || woken.has(tenantId));
    woken.clear();
    await Promise.all(lines.map((line) => serveLine(line)));
  }

  async function serveLine(line: { tenantId: string; taskType: string }): Promise<void> {
    for (let page = FIRST_PAGE; ; page = Math.min(2 * page, LARGEST_PAGE)) {
      const head = await wokenStages(database, [line], page);
      const sent = await Promise.all(
        byPipeline(head).map(([key]) => sweep(sendDue(key, true), "sweepInOrder")),
      );
      if (stopped || head.length < page || !sent.every((one) => one === true)) return;
    }
  }

  /** What waits is counted in memory, and other nodes change it too: now and then the database tells. */
  async function recount(): Promise<void> {
    const tenantIds = [...uncounted, ...(round % RECOUNT_EVERY === 0 ? depths.tenants() : [])];
    if (tenantIds.length === 0) return;
    const counted = await database.inTenants(tenantIds, (tx) => countWaitingStages(tx));
    const byTenant = Map.groupBy(counted, ({ tenantId }) => tenantId);
    for (const tenantId of tenantIds) {
      const own = byTenant.get(tenantId) ?? [];
      depths.set(tenantId, new Map(own.map(({ taskType, waiting }) => [taskType, waiting])));
      uncounted.delete(tenantId);
    }
  }

  async function runRound(): Promise<void> {
    round += 1;
    try {
      await recount();
      await sweepDue();
      await sweepWoken();
    } catch (error) {
      onFailure(error);
    }
  }

  function start(): void {
    if (stopped || running !== undefined) return;
    running = runRound().finally(() => {
      running = undefined;
      if (woken.size > 0) soon();
    });
  }

  let planned: (() => void) | undefined;
  function soon(): void {
    planned ??= clock.after(5, () => {
      planned = undefined;
      start();
    });
  }

  const stopRepeating = clock.repeat(EVERY_MS, start);
  return {
    wake(tenantId) {
      if (!depths.knows(tenantId)) uncounted.add(tenantId);
      else if (depths.total(tenantId) === 0) return;
      woken.add(tenantId);
      soon();
    },
    async stop() {
      stopped = true;
      stopRepeating();
      planned?.();
      await running;
    },
  };
}

/** What is due of one pipeline is looked at together: it is locked once. */
function byPipeline<K extends PipelineKey>(keys: readonly K[]): (readonly [K, ...K[]])[] {
  return [...Map.groupBy(keys, keyText).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, ...others] as const],
  );
}

/** True when something could be sent: then others of the same line may be sent as well. */
const sendDue = ({ tenantId, pipelineId }: PipelineKey, atHead: boolean): Change<boolean> => ({
  kind: "change",
  way: "sweep",
  atHead,
  key: { tenantId, pipelineId },
  decide: () => done(false),
  conclude: ({ sent }) => sent.length > 0,
});

const passDeadline = (key: PipelineKey): Change<boolean> => ({
  kind: "change",
  way: "sweep",
  atHead: true,
  key,
  decide: (step) => done(step.decide({ kind: "deadline-reached" }) === undefined),
});

/** A2A 3.2, step 6, and D8: the time is over, the lease was not renewed, or nobody ever took it. */
function endDue(keys: readonly [DispatchKey, ...DispatchKey[]]): Change<boolean> {
  const [{ tenantId, pipelineId }] = keys;
  const events: { readonly at: DispatchKey; readonly kind: Ending; readonly leaseExpiredAt: number }[] = [];
  return {
    kind: "change",
    way: "sweep",
    atHead: true,
    key: { tenantId, pipelineId },
    prepare: async (tx, { now }) => {
      events.length = 0;
      for (const open of await lockOpenDispatches(tx, keys)) {
        const { handedAt, leaseExpiresAt, timeoutAt, dueAt } = open;
        if (dueAt === null || dueAt > now) continue;
        if (timeoutAt !== null && timeoutAt <= now) {
          events.push({ at: open, kind: "dispatch-timed-out", leaseExpiredAt: now });
        } else if (handedAt === null) {
          events.push({ at: open, kind: "transport-failed", leaseExpiredAt: now });
        } else if (leaseExpiresAt !== null && leaseExpiresAt <= now) {
          events.push({ at: open, kind: "lease-lost", leaseExpiredAt: leaseExpiresAt });
        }
      }
    },
    decide: (step) => {
      const refusals = events.map((event) => step.decide(eventOf(step, event)));
      return done(refusals.includes(undefined));
    },
  };
}

type Ending = "dispatch-timed-out" | "transport-failed" | "lease-lost";

function eventOf(
  { draft }: Step,
  { at, kind, leaseExpiredAt }: { at: DispatchKey; kind: Ending; leaseExpiredAt: number },
): PipelineEvent {
  const fence = {
    stageId: draft.state.plan.stages[at.stageOrder]?.stageId ?? "",
    dispatchId: dispatchIdOf(at),
    attemptNumber: at.attemptNumber,
  };
  switch (kind) {
    case "dispatch-timed-out":
      return { kind, ...fence };
    case "lease-lost":
      return { kind, ...fence, leaseExpiredAt };
    case "transport-failed":
      return { kind, ...fence, detail: "its instance did not take it in time" };
  }
}
