import type { Database, DispatchKey, PipelineKey } from "@signalbox/db";
import {
  dueOpenDispatches,
  duePipelines,
  dueStages,
  lockOpenDispatches,
  type OpenDispatch,
  wokenStages,
} from "@signalbox/db";
import { dispatchIdOf, type Overdue, overdueEvent, redactRationale } from "@signalbox/core";
import type { Clock } from "../clock.ts";
import { notedRefusal } from "../link/refusals.ts";
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

type Line = { readonly tenantId: string; readonly taskType: string };

export type SweepOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly committer: Committer;
  readonly depths: QueueDepths;
  /** Has the queues counted by the database. */
  readonly recount: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
};

const EVERY_MS = 250;
/** How often everything that waits is looked at, woken or not: another node may have freed somebody. */
const ALL_WAITING_EVERY_MS = 1_000;
const EACH = 50;
const TOTAL = 400;
/** Of a line that was woken, so many at first, and twice as many while all of them could be sent. */
const FIRST_PAGE = 4;
const LARGEST_PAGE = 64;

/**
 * Finds what is due by the database's clock: stages that backed off, dispatches whose lease or time is over, deadlines.
 * Every node looks, and whoever has the pipeline's lock first acts; the others find nothing to do.
 */
export function startSweeps(options: SweepOptions): Sweeps {
  const { database, clock, committer, depths, recount, onFailure } = options;
  const underWay = new Set<string>();
  const woken = new Set<string>();
  /** Woken, and nothing is known of what waits there: what an earlier process left, say. */
  let uncounted = false;
  let lookedAtAll = 0;
  let running: Promise<void> | undefined;
  let stopped = false;

  /** One that cannot be decided is told of, and stops none of the others. */
  async function sweep(
    change: Change<boolean>,
    way: "sweep" | "sweepInOrder" = "sweep",
  ): Promise<boolean | undefined> {
    const text = keyText(change.key);
    if (underWay.has(text)) return undefined;
    underWay.add(text);
    try {
      return await committer[way](change);
    } catch (error) {
      onFailure(error);
      return undefined;
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
      ...byPipeline(dispatches).map((due) => sweep(endDue(database, due))),
      ...pipelines.map((key) => sweep(passDeadline(key))),
      ...byPipeline(stages).map(([key]) => sweep(sendDue(key, false))),
    ]);
  }

  async function sweepWaiting(): Promise<void> {
    if (uncounted) {
      uncounted = false;
      await recount();
    }
    const now = clock.now().getTime();
    const regular = Math.abs(now - lookedAtAll) >= ALL_WAITING_EVERY_MS;
    if (regular) lookedAtAll = now;
    const lines = depths.waiting().filter(({ tenantId }) => regular || woken.has(tenantId));
    woken.clear();
    await Promise.all(lines.map((line) => (regular ? serve(line, LARGEST_PAGE) : serveHeads(line))));
  }

  /** Those who stand first are sent while there is somebody for them. */
  async function serveHeads(line: Line): Promise<void> {
    for (let page = FIRST_PAGE; ; page = Math.min(2 * page, LARGEST_PAGE)) {
      const sent = await serve(line, page);
      if (stopped || sent.length < page || !sent.every((one) => one === true)) return;
    }
  }

  /**
   * They are decided on in one batch, on one registry, in the order in which they stand: whoever asks for what nobody has
   * free does not hold up those behind, and nobody overtakes who could have been sent as well.
   */
  async function serve(line: Line, most: number): Promise<(boolean | undefined)[]> {
    const heads = await wokenStages(database, [line], most);
    return Promise.all(byPipeline(heads).map(([key]) => sweep(sendDue(key, true), "sweepInOrder")));
  }

  async function runRound(): Promise<void> {
    for (const part of [sweepDue, sweepWaiting]) await part().catch(onFailure);
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
      if (!depths.knows(tenantId)) uncounted = true;
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

/** What is known of them is read under their locks: a lease that is renewed at this moment is seen. */
function endDue(database: Database, keys: readonly [DispatchKey, ...DispatchKey[]]): Change<boolean> {
  const [{ tenantId, pipelineId }] = keys;
  let open: readonly OpenDispatch[] = [];
  return {
    kind: "change",
    way: "sweep",
    atHead: true,
    key: { tenantId, pipelineId },
    prepare: async (tx) => {
      open = await lockOpenDispatches(tx, keys);
    },
    decide: (step) => {
      const events = open
        .flatMap((one) => overdueEvent(fenceOf(step, one), one, step.now) ?? [])
        .map((event) => sayingWhy(database, tenantId, event, step));
      const refusals = events.map((event) => step.decide(event));
      return done(refusals.includes(undefined));
    },
  };
}

/** What the last call of it came to is said beside that nobody took it, as far as it can be said (D21). */
function sayingWhy(database: Database, tenantId: string, event: Overdue, { redactor }: Step): Overdue {
  const why = notedRefusal(database, tenantId, event.dispatchId);
  if (event.kind !== "transport-failed" || why === undefined) return event;
  try {
    return { ...event, detail: `${event.detail}: ${redactRationale(redactor, why)}` };
  } catch {
    return event;
  }
}

const fenceOf = ({ draft }: Step, at: DispatchKey) => ({
  stageId: draft.state.plan.stages[at.stageOrder]?.stageId ?? "",
  dispatchId: dispatchIdOf(at),
  attemptNumber: at.attemptNumber,
});
