import { type TaskEnvelope, SignalboxError } from "@signalbox/contracts";
import type { InstanceRef } from "@signalbox/core";
import { authorise } from "../authorise.ts";
import { requirePack } from "../registry/registered-packs.ts";
import type { Engine } from "../engine.ts";
import { holdsNul } from "../storable.ts";
import type { Asked } from "../system.ts";
import { noteDispatchedPack } from "./dispatched-packs.ts";
import { giveBack } from "./give-back.ts";
import { watchLetIn } from "./let-in.ts";

export type LeaseRequest = InstanceRef & {
  /** At most so many envelopes. */
  readonly maxTasks: number;
  /** How long to wait for the first. */
  readonly waitMs: number;
};

export type LeasedTasks = {
  readonly envelopes: readonly TaskEnvelope[];
  /** Each dispatch is the agent's for so long, unless it renews. */
  readonly leaseMs: number;
};

export const DISPATCH_LEASE_MS = 60_000;
export const TAKE_WITHIN_MS = 30_000;
/** How often a wait looks up: other nodes may have sent something, or may only now be at work. */
const LOOK_EVERY_MS = 500;

/** An agent asks for work, and waits for it. Whoever goes away while waiting leaves what comes for the next. */
export async function leaseTasks(
  engine: Engine,
  asked: Asked,
  request: LeaseRequest,
  gone?: AbortSignal,
): Promise<LeasedTasks> {
  const { caller } = asked;
  authorise(caller, "dispatch.lease", { packId: request.packId });
  refuseOutOfRange(request);
  const { tenantId, packIds } = caller;
  // Who asks by a wrong name would wait for ever.
  await requirePack(engine, tenantId, { packId: request.packId, packVersion: undefined });
  const { signal, refuseEnded, leave } = watchLetIn(engine, asked, gone);
  const given = await takeOrWait(engine, tenantId, request, signal).finally(leave);
  refuseEnded();
  if (packIds === undefined) return given;
  for (const { execution } of given.envelopes)
    noteDispatchedPack(engine, tenantId, execution?.dispatchId ?? "", request.packId);
  return given;
}

async function takeOrWait(
  engine: Engine,
  tenantId: string,
  request: LeaseRequest,
  signal: AbortSignal,
): Promise<LeasedTasks> {
  const { inboxes } = engine;
  const until = engine.clock.now().getTime() + request.waitMs;
  const stopping = new AbortController();
  const forget = engine.onStopping(() => stopping.abort());
  // Who comes once the process drains is not woken again: only what is there is theirs.
  const isOver = () => signal.aborted || stopping.signal.aborted || isDraining(engine);
  try {
    for (;;) {
      // What this process sent it knows of; what another node sent is only in the database.
      const taken =
        inboxes.mayHold(tenantId, request) || engine.node.othersLive()
          ? await takeBesideWaiting(engine, tenantId, request)
          : [];
      if (taken.length > 0 && signal.aborted) {
        await giveBack(engine, tenantId, request, taken);
        return leased(engine, []);
      }
      const left = until - engine.clock.now().getTime();
      if (taken.length > 0 || left <= 0 || isOver()) return leased(engine, taken);
      // Something arrived while we looked, perhaps too late to be seen.
      if (inboxes.mayHold(tenantId, request)) continue;
      const arrived = await waitFor(engine, tenantId, request, left, signal);
      if (arrived.length > 0 && signal.aborted) {
        await giveBack(engine, tenantId, request, arrived);
        return leased(engine, []);
      }
      if (arrived.length > 0) return leased(engine, arrived);
    }
  } finally {
    forget();
  }
}

const isDraining = ({ readiness }: Engine): boolean => readiness.current().status === "draining";

const leased = ({ dispatchLeaseMs }: Engine, envelopes: readonly TaskEnvelope[]): LeasedTasks => ({
  envelopes,
  leaseMs: dispatchLeaseMs,
});

/**
 * What the database holds, and what is decided while it is asked: an agent that only ever took what is there would find, each
 * time it comes back, that more was laid down meanwhile, and each of its dispatches would cost a second transaction.
 */
async function takeBesideWaiting(
  engine: Engine,
  tenantId: string,
  request: LeaseRequest,
): Promise<readonly TaskEnvelope[]> {
  const { packId, instanceId, maxTasks } = request;
  const { dispatchLeaseMs: leaseMs } = engine;
  const take = (max: number) =>
    engine.inboxes.look(tenantId, request, () =>
      engine.takes.submit({ tenantId, packId, instanceId, max, leaseMs }),
    );
  const beside = Math.floor((maxTasks * 3) / 4);
  const waiting = engine.deliveries.wait(tenantId, request, { most: beside, leaseMs, answeredAtOnce: false });
  const laidDown = maxTasks - beside;
  let taken: readonly TaskEnvelope[];
  try {
    taken = await take(laidDown);
  } catch (error) {
    const given = waiting.leave();
    if (given.length === 0) throw error;
    return given;
  }
  const found = [...taken, ...waiting.leave()];
  if (taken.length < laidDown || found.length === maxTasks) return found;
  // What it has is its own already: that more could not be had does not take it away again.
  return [...found, ...(await take(maxTasks - found.length).catch(() => []))];
}

async function waitFor(
  engine: Engine,
  tenantId: string,
  request: LeaseRequest,
  leftMs: number,
  signal: AbortSignal,
): Promise<readonly TaskEnvelope[]> {
  const waiting = engine.deliveries.wait(tenantId, request, {
    most: request.maxTasks,
    leaseMs: engine.dispatchLeaseMs,
    answeredAtOnce: true,
  });
  const stops = [
    engine.inboxes.listen(tenantId, request, waiting.end),
    engine.clock.after(Math.min(leftMs, LOOK_EVERY_MS), waiting.end),
    engine.onStopping(waiting.end),
  ];
  signal.addEventListener("abort", waiting.end);
  try {
    return await waiting.envelopes;
  } finally {
    for (const stop of stops) stop();
    signal.removeEventListener("abort", waiting.end);
  }
}

function refuseOutOfRange({ packId, instanceId, maxTasks, waitMs }: LeaseRequest): void {
  const violations = [
    ...(packId === "" ? [fault("packId", "must not be empty")] : []),
    ...(instanceId === "" ? [fault("instanceId", "must not be empty")] : []),
    ...(holdsNul(packId) ? [fault("packId", NO_NUL)] : []),
    ...(holdsNul(instanceId) ? [fault("instanceId", NO_NUL)] : []),
    ...(Number.isInteger(maxTasks) && maxTasks >= 1 && maxTasks <= 100
      ? []
      : [fault("maxTasks", `is ${maxTasks}; a whole number from 1 to 100 is allowed`)]),
    ...(waitMs >= 0 && waitMs <= 60_000
      ? []
      : [fault("waitSeconds", `is ${waitMs / 1000}; 0 to 60 is allowed`)]),
  ];
  if (violations.length > 0)
    throw new SignalboxError("VALIDATION_FAILED", "The lease cannot be given.", { violations });
}

const NO_NUL = "must not contain the character U+0000";
const fault = (field: string, message: string) => ({ field, rule: "range", message });
