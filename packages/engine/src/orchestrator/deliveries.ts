import type { TaskEnvelope } from "@signalbox/contracts";
import type { InstanceRef } from "@signalbox/core";
import type { Clock } from "../clock.ts";
import type { Delivery } from "./draft.ts";

type Waiting = {
  /** Resolves with what came, or with nothing once `end` was called. */
  readonly envelopes: Promise<readonly TaskEnvelope[]>;
  /** No more is wanted: the time is over, or the caller went away. What is being committed for it still arrives. */
  readonly end: () => void;
  /** What came so far; what is being committed for it is for whoever asks next. */
  readonly leave: () => readonly TaskEnvelope[];
};

type Room = {
  readonly most: number;
  readonly leaseMs: number;
  /** Answered with the first that comes; else it gathers until it leaves. */
  readonly answeredAtOnce: boolean;
};

export type Deliveries = {
  wait(tenantId: string, ref: InstanceRef, room: Room): Waiting;
  /** A place with an instance that waits here; undefined when nobody does, or it has no room. */
  reserve(tenantId: string, ref: InstanceRef, envelope: TaskEnvelope): Delivery | undefined;
  /** Gives back what nobody asked for any more. */
  drain(): Promise<void>;
  readonly waiting: number;
};

export type DeliveriesOptions = {
  readonly clock: Pick<Clock, "after">;
  /** These were sent to an instance that had gone by then, and are to be had again. */
  readonly giveBack: (
    tenantId: string,
    ref: InstanceRef,
    envelopes: readonly TaskEnvelope[],
  ) => Promise<void>;
};

type Waiter = {
  room: number;
  readonly leaseMs: number;
  readonly answeredAtOnce: boolean;
  pending: number;
  state: "open" | "ended" | "settled";
  readonly ready: TaskEnvelope[];
  readonly settle: (envelopes: readonly TaskEnvelope[]) => void;
};

/** An instance's: who waits for it, and what came when nobody did. */
type Box = {
  readonly tenantId: string;
  readonly ref: InstanceRef;
  readonly waiters: Waiter[];
  pending: number;
  held: TaskEnvelope[];
  stopHolding: () => void;
};

/** An agent that was given something asks again at once, or it is no longer there. */
const HELD_MS = 1_000;

/**
 * Agents that wait in this process for work. What is decided for one of them is handed over in the very transaction that
 * sends it: there is no second one between the decision and the agent. Whoever was given something is answered at
 * once; what other transactions are still committing for it is kept until it asks again.
 */
export function createDeliveries({ clock, giveBack }: DeliveriesOptions): Deliveries {
  const boxes = new Map<string, Box>();
  const returning = new Set<Promise<void>>();
  let waiting = 0;

  function boxOf(tenantId: string, ref: InstanceRef): Box {
    const text = textOf(tenantId, ref);
    const found = boxes.get(text);
    if (found !== undefined) return found;
    const made: Box = { tenantId, ref, waiters: [], pending: 0, held: [], stopHolding: () => {} };
    boxes.set(text, made);
    return made;
  }

  function dropIfEmpty(box: Box): void {
    if (box.waiters.length + box.pending + box.held.length === 0) boxes.delete(textOf(box.tenantId, box.ref));
  }

  function settle(box: Box, waiter: Waiter): void {
    if (waiter.state === "settled") return;
    waiter.state = "settled";
    waiter.room = 0;
    box.waiters.splice(box.waiters.indexOf(waiter), 1);
    waiting -= 1;
    waiter.settle(waiter.ready);
    dropIfEmpty(box);
  }

  function give(box: Box, waiter: Waiter, envelope: TaskEnvelope): void {
    waiter.ready.push(envelope);
    // What the same transaction sent comes in the same turn, and is one answer.
    if (waiter.answeredAtOnce && waiter.ready.length === 1) queueMicrotask(() => settle(box, waiter));
  }

  function hold(box: Box, envelope: TaskEnvelope): void {
    box.held.push(envelope);
    if (box.held.length === 1) box.stopHolding = clock.after(HELD_MS, () => letGo(box));
  }

  function letGo(box: Box): void {
    const { tenantId, ref, held } = box;
    box.stopHolding();
    box.held = [];
    dropIfEmpty(box);
    if (held.length === 0) return;
    const returned = giveBack(tenantId, ref, held)
      // They come back when their lease ends.
      .catch(() => {})
      .finally(() => returning.delete(returned));
    returning.add(returned);
  }

  return {
    get waiting() {
      return waiting;
    },
    wait(tenantId, { packId, instanceId }, { most, leaseMs, answeredAtOnce }) {
      const box = boxOf(tenantId, { packId, instanceId });
      const { promise, resolve } = Promise.withResolvers<readonly TaskEnvelope[]>();
      const waiter: Waiter = {
        room: most,
        leaseMs,
        answeredAtOnce,
        pending: 0,
        state: "open",
        ready: [],
        settle: resolve,
      };
      box.waiters.push(waiter);
      waiting += 1;
      const kept = box.held.splice(0, most);
      waiter.room -= kept.length;
      for (const envelope of kept) give(box, waiter, envelope);
      if (kept.length > 0 && box.held.length === 0) box.stopHolding();
      return {
        envelopes: promise,
        end() {
          if (waiter.state !== "open") return;
          waiter.state = "ended";
          waiter.room = 0;
          if (waiter.pending + waiter.ready.length === 0) settle(box, waiter);
        },
        leave() {
          settle(box, waiter);
          return waiter.ready;
        },
      };
    },
    reserve(tenantId, ref, envelope) {
      const box = boxes.get(textOf(tenantId, ref));
      const waiter = box?.waiters.find(({ room }) => room > 0);
      if (box === undefined || waiter === undefined) return undefined;
      waiter.room -= 1;
      waiter.pending += 1;
      box.pending += 1;
      const over = (): void => {
        waiter.pending -= 1;
        box.pending -= 1;
      };
      return {
        leaseMs: waiter.leaseMs,
        committed() {
          over();
          if (waiter.state !== "settled") return give(box, waiter, envelope);
          const other = box.waiters.find(({ room }) => room > 0);
          if (other === undefined) return hold(box, envelope);
          other.room -= 1;
          give(box, other, envelope);
        },
        failed() {
          over();
          if (waiter.state === "open") waiter.room += 1;
          else if (waiter.state === "ended" && waiter.pending + waiter.ready.length === 0)
            settle(box, waiter);
          else dropIfEmpty(box);
        },
      };
    },
    async drain() {
      for (const box of boxes.values()) letGo(box);
      await Promise.all(returning);
    },
  };
}

const textOf = (tenantId: string, { packId, instanceId }: InstanceRef): string =>
  JSON.stringify([tenantId, packId, instanceId]);
