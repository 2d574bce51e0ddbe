import {
  checkMessage,
  type DispatchAttempt,
  type LeaseRequest,
  LeaseRequestSchema,
  SignalboxError,
  type TaskEnvelope,
} from "@signalbox/contracts";
import { readDispatchId } from "@signalbox/core";
import { authorise } from "../authorise.ts";
import type { Engine } from "../engine.ts";
import type { Asked } from "../system.ts";
import { leaseTasks } from "./lease-tasks.ts";
import { renewDispatch } from "./renew-dispatch.ts";

export type RenewedAndLeased = {
  readonly envelopes: readonly TaskEnvelope[];
  /** The first end of all leases that were renewed and given here; undefined where there is none. */
  readonly leaseExpiresAt: Date | undefined;
  /** Of those to be renewed: what is the agent's no longer. */
  readonly lostDispatchIds: readonly string[];
};

/** What an agent says between two envelopes: it is at work on these still, and takes more. */
export async function renewAndLease(
  engine: Engine,
  asked: Asked,
  request: LeaseRequest,
  signal?: AbortSignal,
): Promise<RenewedAndLeased> {
  const { packId, instanceId, maxTasks, waitSeconds, renew } = request;
  authorise(asked.caller, "dispatch.lease", { packId });
  checkMessage(LeaseRequestSchema, request);
  const renewed = await Promise.all(
    renew.map(async (attempt) => ({ attempt, until: await renewOrLose(engine, asked, attempt) })),
  );
  // Nothing is asked for by who renews nothing and takes nothing: the lease's own rule says so.
  const takes = maxTasks > 0 || renew.length === 0;
  const { envelopes, leaseMs } = takes
    ? await leaseTasks(engine, asked, { packId, instanceId, maxTasks, waitMs: waitSeconds * 1_000 }, signal)
    : { envelopes: [], leaseMs: 0 };
  const ends = renewed.flatMap(({ until }) => (until === undefined ? [] : [until.getTime()]));
  if (envelopes.length > 0) ends.push(engine.clock.now().getTime() + leaseMs);
  return {
    envelopes,
    leaseExpiresAt: ends.length === 0 ? undefined : new Date(Math.min(...ends)),
    lostDispatchIds: renewed.flatMap(({ attempt, until }) =>
      until === undefined ? [attempt.dispatchId] : [],
    ),
  };
}

/** Until when it is the agent's; undefined where it is so no longer, or is another attempt than the agent believes. */
async function renewOrLose(
  engine: Engine,
  asked: Asked,
  { dispatchId, attemptNumber }: DispatchAttempt,
): Promise<Date | undefined> {
  if (readDispatchId(dispatchId)?.attemptNumber !== attemptNumber) return undefined;
  try {
    const { leaseExpiresAt } = await renewDispatch(engine, asked, dispatchId);
    return leaseExpiresAt;
  } catch (error) {
    if (error instanceof SignalboxError && lost.has(error.code)) return undefined;
    throw error;
  }
}

const lost: ReadonlySet<string> = new Set(["NOT_FOUND", "STALE_DISPATCH"]);
