import type { TaskEnvelope } from "@signalbox/contracts";
import { SignalboxError } from "@signalbox/contracts";
import { endWithoutResult } from "../orchestrator/end-without-result.ts";
import { leaseTasks } from "../orchestrator/lease-tasks.ts";
import { renewDispatch } from "../orchestrator/renew-dispatch.ts";
import { reportResult } from "../orchestrator/report-result.ts";
import { transact } from "../transaction.ts";
import type { Inbound } from "./agent-adapter.ts";
import { backOffMs } from "./back-off.ts";
import { type HandOver, handOver, pause, refusalOf } from "./hand-over.ts";
import { findDispatches } from "@signalbox/db";
import { readDispatchId } from "@signalbox/core";

/** One instance that is called rather than asking: leases for it what it would lease itself, and hands it over. */
export type Line = {
  /** The instance was heard, and stands for so long again. */
  heard(leaseMs: number): void;
  /** Nobody waits for this dispatch any more. */
  cancel(dispatchId: string): void;
  /** Takes no more. Calls that are open are cut once `untilCut` settles. */
  close(untilCut?: Promise<void>): Promise<void>;
};

export type LineOptions = HandOver & {
  /** The instance was silent for longer than its lease. */
  readonly onSilent: () => void;
};

/** So many calls of one instance are open at once; its capacity is dispatch's to keep. */
const MOST_AT_ONCE = 100;
const LONGEST_WAIT_MS = 60_000;
/** Whoever was told to stop may still say how it ended. */
const CANCEL_GRACE_MS = 10_000;
const MOST_TOLD = 1_000;

type AtWork = { readonly attemptNumber: number; readonly call: AbortController };

export function openLine(options: LineOptions, leaseMs: number): Line {
  const { engine, adapter, to, asked, random, onFailure, onSilent } = options;
  const { clock } = engine;
  const closing = new AbortController();
  const atWork = new Map<string, AtWork>();
  const told = new Set<string>();
  const calls = new Set<Promise<void>>();
  const whom = `instance ${to.instanceId} of pack ${to.packId}`;
  let until = clock.now().getTime() + leaseMs;
  let failures = 0;
  let onRoom: (() => void) | undefined;
  const forget = adapter.listen?.(to, inboundOf(options));

  async function push(envelope: TaskEnvelope): Promise<void> {
    const { dispatchId = "", attemptNumber = 0 } = envelope.execution ?? {};
    const call = new AbortController();
    atWork.set(dispatchId, { attemptNumber, call });
    try {
      const { end, error } = await handOver(options, envelope, {
        signal: call.signal,
        onLost: () => tellToStop(dispatchId),
      });
      if (end === "not-taken") failures += 1;
      else failures = 0;
      // Of a row of failures the first is told: the others say the same.
      if (error !== undefined && !call.signal.aborted && failures <= 1) onFailure(error, `reaching ${whom}`);
    } finally {
      atWork.delete(dispatchId);
      onRoom?.();
    }
  }

  async function untilRoom(): Promise<number> {
    while (atWork.size >= MOST_AT_ONCE && !closing.signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      onRoom = resolve;
      closing.signal.addEventListener("abort", () => resolve(), { once: true });
      await promise;
    }
    return MOST_AT_ONCE - atWork.size;
  }

  async function takeSome(): Promise<void> {
    const maxTasks = await untilRoom();
    const left = until - clock.now().getTime();
    if (closing.signal.aborted || left <= 0) return;
    const waitMs = Math.min(LONGEST_WAIT_MS, left);
    const { packId, instanceId } = to;
    const { envelopes } = await leaseTasks(
      engine,
      asked,
      { packId, instanceId, maxTasks, waitMs },
      closing.signal,
    );
    const begun = envelopes.map((envelope) => {
      const call = push(envelope)
        .catch((error: unknown) => onFailure(error, `reaching ${whom}`))
        .finally(() => calls.delete(call));
      calls.add(call);
      return call;
    });
    // Whoever cannot be reached is left alone for a while before it is tried again.
    if (failures > 0) {
      await Promise.race([Promise.all(begun), pause(clock, 1_000, closing.signal)]);
      if (failures > 0) await pause(clock, backOffMs(failures, random), closing.signal);
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted && engine.readiness.current().status !== "draining") {
      if (clock.now().getTime() >= until) {
        onSilent();
        return;
      }
      try {
        await takeSome();
      } catch (error) {
        onFailure(error, `leasing for ${whom}`);
        await pause(clock, 1_000, closing.signal);
      }
    }
  }

  function tellToStop(dispatchId: string): void {
    if (told.has(dispatchId)) return;
    const open = atWork.get(dispatchId);
    const attemptNumber = open?.attemptNumber ?? readDispatchId(dispatchId)?.attemptNumber ?? 1;
    if (told.size >= MOST_TOLD) told.clear();
    told.add(dispatchId);
    const reason = "nobody waits for this attempt any more";
    adapter.cancel(to, { dispatchId, attemptNumber, reason }).catch((error: unknown) => {
      // The next heartbeat's signals name it again.
      told.delete(dispatchId);
      onFailure(error, `telling ${whom} to stop`);
    });
    clock.after(CANCEL_GRACE_MS, () => open?.call.abort());
  }

  const running = run();
  return {
    heard(ms) {
      until = clock.now().getTime() + ms;
    },
    cancel: tellToStop,
    async close(untilCut) {
      closing.abort();
      if (untilCut !== undefined) {
        await running;
        await Promise.race([Promise.all(calls), untilCut]);
      }
      for (const { call } of atWork.values()) call.abort();
      forget?.();
      await running;
      await Promise.all(calls);
    },
  };
}

/** What an instance says by itself counts for its own dispatches only, whoever else's it names. */
function inboundOf({ engine, to, asked }: LineOptions): Inbound {
  const { tenantId, packId, instanceId } = to;

  async function requireOwn(dispatchId: string): Promise<void> {
    const place = readDispatchId(dispatchId);
    const found =
      place === undefined
        ? []
        : await transact(engine, tenantId, (tx) => findDispatches(tx, [{ tenantId, ...place }]));
    if (found.some((sent) => sent.packId === packId && sent.instanceId === instanceId)) return;
    throw new SignalboxError("NOT_FOUND", `There is no dispatch "${dispatchId.slice(0, 100)}".`);
  }

  return {
    async report(dispatchId, result) {
      await requireOwn(dispatchId);
      try {
        await reportResult(engine, asked, dispatchId, result);
      } catch (error) {
        const { kind, message } = refusalOf(error);
        // Nobody waits for an answer, so nobody could send a better one.
        if (kind === "unreadable")
          await endWithoutResult(engine, asked, dispatchId, { kind, detail: message });
        throw error;
      }
    },
    async renew(dispatchId) {
      await requireOwn(dispatchId);
      await renewDispatch(engine, asked, dispatchId);
    },
  };
}
