import { HealthStatus, SignalboxError } from "@signalbox/contracts";
import type { Running } from "./agent.ts";
import type { Condition } from "./agent-settings.ts";
import { carryOut, troubleOf } from "./carry-out.ts";
import { durationOf } from "./recent-work.ts";
import { backoffMs, mayPass, retrying } from "./retrying.ts";
import { monotonicMs, wait } from "./wait.ts";

/** Says again and again that the instance is there, and hears what must be stopped. */
export async function keepBeating(running: Running): Promise<void> {
  const { over, timing } = running;
  while (!over.aborted) {
    // A fleet that was started at once must not beat as one.
    await wait(timing.heartbeatEveryMs * (0.9 + 0.2 * Math.random()), over);
    if (over.aborted) return;
    try {
      await beat(running);
    } catch (thrown) {
      // Called off by the end of the agent, which is no fault of it.
      if (!over.aborted) throw thrown;
    }
  }
}

export async function beat(running: Running): Promise<void> {
  const { client, over, held } = running;
  const answer = await retrying(() => client.heartbeat(heartbeatOf(running), over), {
    signal: over,
    onRetry: (error) => running.trouble(error, "sending a heartbeat"),
  });
  held.stop(answer.cancelDispatchIds, "was cancelled");
  running.setTold(answer.drain);
}

export function heartbeatOf(running: Running) {
  const { instance, held, settings, timing, recentWork, capacity } = running;
  const { health, availableTools = [] } = conditionOf(running);
  return {
    ...instance,
    packVersion: settings.pack.packVersion,
    health: { status: HealthStatus.HEALTHY, ...recentWork.figures(), ...health },
    capacity: { activeTasks: held.atWork(), maxTasks: running.takesMore() ? capacity : 0 },
    leaseTtl: durationOf(Math.max(1_000, 3 * timing.heartbeatEveryMs)),
    availableTools,
  };
}

/** Who cannot tell how they are is not well; to fall silent over it would lose the work at hand, and the way out of a drain. */
function conditionOf({ settings, trouble }: Running): Condition {
  try {
    return settings.condition?.() ?? {};
  } catch (thrown) {
    trouble(troubleOf(thrown), "asking for the agent's condition");
    return { health: { status: HealthStatus.DEGRADED } };
  }
}

/** Takes as much work as there is room for, and waits for it. */
export async function keepLeasing(running: Running): Promise<void> {
  const { held, capacity, timing, client, instance, noMore } = running;
  let failures = 0;
  while (!noMore.aborted) {
    const free = capacity - held.size();
    if (free <= 0 || !running.takesMore()) {
      await held.nextChange(timing.heartbeatEveryMs, noMore);
      continue;
    }
    try {
      const wanted = { maxTasks: Math.min(free, 100), waitSeconds: timing.leaseWaitSeconds };
      const { envelopes, until = 0 } = await client.lease(instance, wanted, noMore);
      failures = 0;
      for (const envelope of envelopes) {
        const dispatch = held.take(envelope, until);
        if (dispatch !== undefined) running.underWay(carryOut(running, dispatch));
      }
      // A server that drains answers at once and with nothing.
      if (envelopes.length === 0) await wait(50, noMore);
    } catch (thrown) {
      if (noMore.aborted) return;
      failures = await afterFailure(running, thrown, failures);
    }
  }
}

async function afterFailure(running: Running, thrown: unknown, failures: number): Promise<number> {
  if (!isPassing(thrown)) throw thrown;
  running.trouble(thrown, "asking for work");
  await wait(backoffMs(failures), running.noMore);
  return failures + 1;
}

const isPassing = (thrown: unknown): thrown is SignalboxError =>
  thrown instanceof SignalboxError && mayPass(thrown);

/** Keeps the leases of what is at hand; what could not be kept is stopped, for others may be given it. */
export async function keepRenewing(running: Running): Promise<void> {
  const { held, over, timing } = running;
  while (!over.aborted) {
    const firstEnd = Math.min(...held.wanted().map(({ until }) => until));
    const dueInMs = Math.min(timing.renewEveryMs, Math.max((firstEnd - monotonicMs()) / 3, 200));
    const dueAt = monotonicMs() + dueInMs;
    await held.nextChange(dueInMs, over);
    // Woken by something that was taken or released: its lease may end before the others'.
    if (over.aborted || monotonicMs() < dueAt - 1 || held.wanted().length === 0) continue;
    await renew(running);
    const now = monotonicMs();
    held.stop(
      held.wanted().flatMap(({ dispatchId, until }) => (until < now ? [dispatchId] : [])),
      "could not be renewed before its lease ended",
    );
  }
}

/** The contract's bound on one request. */
const mostAtOnce = 1_000;

async function renew(running: Running): Promise<void> {
  const { client, held, instance, over } = running;
  const asked = held.wanted().slice(0, mostAtOnce);
  try {
    const { lostDispatchIds, until } = await client.renew(instance, asked, over);
    held.stop(lostDispatchIds, "is no longer this instance's");
    const lost = new Set(lostDispatchIds);
    for (const one of asked) if (!lost.has(one.dispatchId)) one.until = until ?? one.until;
  } catch (thrown) {
    if (over.aborted) return;
    if (!isPassing(thrown)) throw thrown;
    running.trouble(thrown, "renewing leases");
  }
}
