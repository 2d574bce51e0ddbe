import type { SignalboxError } from "@signalbox/contracts";
import { describe, expect, test, vi } from "vitest";
import { prepare, settled, withFakeTimers, workByHand } from "./testing/scripted-agent.ts";
import { envelopeJson, leased, renewed } from "./testing/scripted-signalbox.ts";

withFakeTimers();

describe("leases", () => {
  test("D8 are renewed by themselves, all in one request, for as long as the work goes on", async () => {
    const { begun, work } = workByHand();
    const { signalbox, start } = prepare({ capacity: 2, work });
    signalbox.meet("leases", leased(envelopeJson("d-1"), envelopeJson("d-2")));
    signalbox.meet("renewals", ...Array.from({ length: 9 }, () => renewed()));
    const agent = await start();
    await vi.advanceTimersByTimeAsync(130_000);
    const attempts = ["d-1", "d-2"].map((dispatchId) => ({ dispatchId, attemptNumber: 1 }));
    expect(signalbox.sent("renewals").length).toBeGreaterThanOrEqual(6);
    expect(signalbox.sent("renewals")[0]?.body).toEqual({
      packId: "greeter",
      instanceId: "greeter-1",
      renew: attempts,
    });
    expect(begun.map(({ dispatch }) => dispatch.signal.aborted)).toEqual([false, false]);
    for (const { end } of begun) end();
    await settled(agent.drain());
  });

  test("that are lost stop their work alone, and nothing is reported of it", async () => {
    const { begun, work } = workByHand();
    const { signalbox, start } = prepare({ capacity: 2, work });
    signalbox.meet("leases", leased(envelopeJson("d-1"), envelopeJson("d-2")));
    signalbox.meet("renewals", renewed("d-1"));
    const agent = await start();
    await vi.advanceTimersByTimeAsync(25_000);
    expect(begun.map(({ dispatch }) => dispatch.signal.aborted)).toEqual([true, false]);
    expect(begun[0]?.dispatch.signal.reason).toMatchObject({ code: "STALE_DISPATCH" });
    for (const { end } of begun) end();
    await settled(agent.drain());
    expect(signalbox.sent("result").map(({ body }) => body["dispatchId"])).toEqual(["d-2"]);
  });

  test("that could not be renewed in time are taken for lost, by a clock that nobody sets", async () => {
    const { begun, work } = workByHand();
    const { signalbox, start } = prepare({ work });
    signalbox.meet("leases", leased(envelopeJson("d-1")));
    signalbox.meet("renewals", ...Array.from({ length: 100 }, () => "unreachable" as const));
    const agent = await start();
    vi.setSystemTime(Date.now() + 7 * 24 * 3_600_000);
    await vi.advanceTimersByTimeAsync(55_000);
    expect(begun[0]?.dispatch.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(begun[0]?.dispatch.signal.aborted).toBe(true);
    begun[0]?.end();
    await settled(agent.drain());
  });

  test.each([
    ["a day behind", -24 * 3_600_000],
    ["a day ahead", 24 * 3_600_000],
  ])("are judged by the server's clock where the agent's own is %s", async (_, skew) => {
    const { begun, work } = workByHand();
    const { signalbox, start } = prepare({ work });
    const [date, leaseExpiresAt] = [Date.now() + skew, Date.now() + skew + 6_000];
    signalbox.meet("leases", {
      json: { envelopes: [envelopeJson("d-1")], leaseExpiresAt: new Date(leaseExpiresAt).toISOString() },
      headers: { date: new Date(date).toUTCString() },
    });
    const agent = await start();
    const at = performance.now();
    await vi.advanceTimersByTimeAsync(3_000);
    const [first] = signalbox.sent("renewals").map((renewal) => renewal.at - at);
    expect(first).toBeGreaterThan(1_000);
    expect(begun[0]?.dispatch.signal.aborted).toBe(false);
    begun[0]?.end();
    await settled(agent.drain());
  });

  test("a dispatch that a heartbeat says is cancelled is stopped, and so is one whose time is over", async () => {
    const { begun, work } = workByHand();
    const { signalbox, start } = prepare({ capacity: 3, work });
    signalbox.meet(
      "leases",
      leased(envelopeJson("d-1"), envelopeJson("d-2"), envelopeJson("d-3", { timeout: 5 })),
    );
    const agent = await start();
    signalbox.meet("heartbeats", { json: { cancelDispatchIds: ["d-1", "of-before"] } });
    await vi.advanceTimersByTimeAsync(12_000);
    expect(
      begun.map(({ dispatch: { signal } }) =>
        signal.aborted ? (signal.reason as SignalboxError).code : "goes on",
      ),
    ).toEqual(["STALE_DISPATCH", "goes on", "DEADLINE_EXCEEDED"]);
    for (const { end } of begun) end();
    await settled(agent.drain());
    expect(signalbox.sent("result").map(({ body }) => body["dispatchId"])).toEqual(["d-2"]);
  });
});

describe("a heartbeat while a result is on its way", () => {
  test("no longer names its task: heard after the result it would stand for work of somebody else", async () => {
    const { begun, work } = workByHand();
    const { signalbox, start } = prepare({ work });
    signalbox.meet("leases", leased(envelopeJson("d-1")));
    const agent = await start();
    await vi.advanceTimersByTimeAsync(12_000);
    expect(signalbox.sent("heartbeats").at(-1)?.body).toHaveProperty("capacity.activeTasks", 1);
    for (let refusal = 0; refusal < 9; refusal += 1) signalbox.meet("result", { status: 503, json: {} });
    const before = signalbox.sent("heartbeats").length;
    begun[0]?.end();
    await vi.advanceTimersByTimeAsync(12_000);
    expect(signalbox.sent("heartbeats").length).toBeGreaterThan(before);
    expect(signalbox.sent("heartbeats").at(-1)?.body).not.toHaveProperty("capacity.activeTasks");
    await settled(agent.drain());
    expect(signalbox.sent("result").length).toBeGreaterThan(1);
  });
});
