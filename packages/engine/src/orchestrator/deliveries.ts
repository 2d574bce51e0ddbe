import type { TaskEnvelope } from "@signalbox/contracts";
import type { InstanceRef } from "@signalbox/core";
import type { Delivery } from "./draft.ts";

type Waiting = {
  /** Resolves with what came, or with nothing once `end` was called. */
  readonly envelopes: Promise<readonly TaskEnvelope[]>;
  /** No more is wanted: the time is over, or the caller went away. What is being committed still arrives. */
  readonly end: () => void;
};

export type Deliveries = {
  wait(tenantId: string, ref: InstanceRef, room: number, leaseMs: number): Waiting;
  /** A place with an instance that waits here; undefined when nobody does, or it has no room. */
  reserve(tenantId: string, ref: InstanceRef, envelope: TaskEnvelope): Delivery | undefined;
  readonly waiting: number;
};

type Waiter = {
  room: number;
  readonly leaseMs: number;
  pending: number;
  ended: boolean;
  readonly ready: TaskEnvelope[];
  readonly settle: (envelopes: readonly TaskEnvelope[]) => void;
};

const textOf = (tenantId: string, { packId, instanceId }: InstanceRef): string =>
  JSON.stringify([tenantId, packId, instanceId]);

/**
 * Agents that wait in this process for work. What is decided for one of them is handed over in the very transaction that
 * sends it: there is no second one between the decision and the agent.
 */
export function createDeliveries(): Deliveries {
  const waiters = new Map<string, Waiter[]>();
  let waiting = 0;

  function settleIfOver(text: string, waiter: Waiter): void {
    if (waiter.pending > 0 || (waiter.ready.length === 0 && !waiter.ended)) return;
    const others = (waiters.get(text) ?? []).filter((one) => one !== waiter);
    if (others.length === 0) waiters.delete(text);
    else waiters.set(text, others);
    waiting -= 1;
    waiter.settle(waiter.ready);
  }

  return {
    get waiting() {
      return waiting;
    },
    wait(tenantId, ref, room, leaseMs) {
      const text = textOf(tenantId, ref);
      const { promise, resolve } = Promise.withResolvers<readonly TaskEnvelope[]>();
      const waiter: Waiter = { room, leaseMs, pending: 0, ended: false, ready: [], settle: resolve };
      waiters.set(text, [...(waiters.get(text) ?? []), waiter]);
      waiting += 1;
      return {
        envelopes: promise,
        end() {
          if (waiter.ended) return;
          waiter.ended = true;
          waiter.room = 0;
          if (waiter.ready.length === 0) settleIfOver(text, waiter);
        },
      };
    },
    reserve(tenantId, ref, envelope) {
      const text = textOf(tenantId, ref);
      const waiter = waiters.get(text)?.find(({ room }) => room > 0);
      if (waiter === undefined) return undefined;
      waiter.room -= 1;
      waiter.pending += 1;
      const over = (): void => {
        waiter.pending -= 1;
        settleIfOver(text, waiter);
      };
      return {
        leaseMs: waiter.leaseMs,
        committed() {
          waiter.ready.push(envelope);
          over();
        },
        failed() {
          if (!waiter.ended) waiter.room += 1;
          over();
        },
      };
    },
  };
}
