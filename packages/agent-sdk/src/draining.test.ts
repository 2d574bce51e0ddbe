import { describe, expect, test, vi } from "vitest";
import { prepare, settled, withFakeTimers, workByHand } from "./testing/scripted-agent.ts";
import { envelopeJson, leased } from "./testing/scripted-signalbox.ts";

withFakeTimers();

describe("draining", () => {
  test("takes no more at once, says so, finishes what is at hand and renews it meanwhile", async () => {
    const { begun, work } = workByHand();
    const { signalbox, start } = prepare({ capacity: 2, work });
    signalbox.meet("leases", leased(envelopeJson("d-1")));
    const agent = await start();
    await vi.advanceTimersByTimeAsync(1_000);
    const asked = signalbox.sent("leases").length;
    const drained = agent.drain();
    await vi.advanceTimersByTimeAsync(45_000);
    expect(signalbox.sent("leases")).toHaveLength(asked);
    expect(signalbox.sent("heartbeats")[1]?.body).toMatchObject({ capacity: { activeTasks: 1 } });
    expect(signalbox.sent("heartbeats")[1]?.body).not.toHaveProperty("capacity.maxTasks");
    expect(signalbox.sent("renewals").length).toBeGreaterThan(0);
    begun[0]?.end();
    await settled(drained);
    expect(signalbox.sent("result")).toHaveLength(1);
    expect(signalbox.all().at(-1)).toBe("heartbeats");
  });

  test("work that does not end in time is called off and handed back as a failure that may be tried again", async () => {
    const { signalbox, start } = prepare({
      timing: { drainWithinMs: 10_000 },
      work: ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    });
    signalbox.meet("leases", leased(envelopeJson("d-1")));
    const agent = await start();
    await settled(agent.drain());
    expect(signalbox.sent("result")[0]?.body).toMatchObject({
      status: { outcome: "OUTCOME_RETRYABLE_FAILURE", failureCode: "INSTANCE_STOPPED" },
    });
  });

  test("leaves no timer behind, so that a process with nothing else to do ends", async () => {
    const { signalbox, start } = prepare({
      timing: { drainWithinMs: 60_000 },
      work: () => new Promise(() => undefined),
    });
    const idle = await start();
    await settled(idle.drain());
    expect(vi.getTimerCount()).toBe(0);
    signalbox.meet("leases", leased(envelopeJson("d-1")));
    const atWork = await start();
    await settled(atWork.drain());
    expect(vi.getTimerCount()).toBe(0);
  });

  test("work that never ends holds nothing up", async () => {
    const { signalbox, start } = prepare({
      timing: { drainWithinMs: 1_000 },
      work: () => new Promise(() => undefined),
    });
    signalbox.meet("leases", leased(envelopeJson("d-1")));
    const agent = await start();
    await settled(agent.drain());
    expect(signalbox.sent("result")).toEqual([]);
    expect(signalbox.all().at(-1)).toBe("heartbeats");
  });

  test("a heartbeat that is under way at the end is called off, and is no fault of the agent's", async () => {
    const { signalbox, start, trouble } = prepare();
    const agent = await start();
    const beats = signalbox.sent("heartbeats").length;
    signalbox.meet("heartbeats", "lost");
    await vi.waitFor(
      async () => {
        await vi.advanceTimersByTimeAsync(500);
        expect(signalbox.sent("heartbeats")).toHaveLength(beats + 1);
      },
      { interval: 1, timeout: 10_000 },
    );
    await settled(agent.drain());
    await expect(agent.done).resolves.toBeUndefined();
    expect(trouble).toEqual([]);
  });

  test("Signalbox itself may ask for it, and take it back", async () => {
    const { signalbox, start } = prepare({ timing: { leaseWaitSeconds: 1 } });
    const agent = await start();
    signalbox.meet(
      "heartbeats",
      { json: { drain: true } },
      { json: { drain: true } },
      { json: { drain: false } },
    );
    await vi.advanceTimersByTimeAsync(12_000);
    const asked = signalbox.sent("leases").length;
    await vi.advanceTimersByTimeAsync(8_000);
    expect(signalbox.sent("leases")).toHaveLength(asked);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(signalbox.sent("leases").length).toBeGreaterThan(asked);
    await settled(agent.drain());
  });

  test("a signal that is aborted drains", async () => {
    const stop = new AbortController();
    const { signalbox, start } = prepare({ signal: stop.signal });
    const agent = await start();
    stop.abort();
    await settled(agent.done);
    expect(signalbox.sent("heartbeats").at(-1)?.body).toMatchObject({ leaseTtl: "1s" });
  });
});
