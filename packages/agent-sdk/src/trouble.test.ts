import { SignalboxError } from "@signalbox/contracts";
import { describe, expect, test, vi } from "vitest";
import { readRetryAfter } from "./request.ts";
import { prepare, settled, withFakeTimers, workByHand } from "./testing/scripted-agent.ts";
import { envelopeJson, leased, problem } from "./testing/scripted-signalbox.ts";

withFakeTimers();

describe("trouble", () => {
  test("a server that is away is asked again, more and more seldom, and never in step with others", async () => {
    const { signalbox, start, trouble } = prepare({ timing: { leaseWaitSeconds: 1 } });
    signalbox.meet("packs", "unreachable", problem(503, "UNAVAILABLE"));
    signalbox.meet("leases", ...Array.from({ length: 12 }, () => "unreachable" as const));
    const agent = await start();
    await vi.advanceTimersByTimeAsync(120_000);
    await settled(agent.drain());
    const times = signalbox
      .sent("leases")
      .map(({ at }) => at)
      .slice(0, 12);
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(gaps[0]).toBeLessThanOrEqual(250);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(15_000);
    expect(gaps.at(-1)).toBeGreaterThan(7_000);
    expect(new Set(gaps).size).toBe(gaps.length);
    expect(trouble).toContain("asking for work: UNAVAILABLE");
  });

  test("who is told to come back later waits for as long", async () => {
    const { signalbox, start } = prepare();
    signalbox.meet("packs", { ...problem(429, "RATE_LIMITED"), headers: { "retry-after": "30" } });
    await start();
    const [first, second] = signalbox.sent("packs").map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(30_000);
  });

  test.each([
    ["30", null, 30_000],
    [" 7 ", null, 7_000],
    ["Wed, 21 Oct 2026 07:28:10 GMT", "Wed, 21 Oct 2026 07:28:00 GMT", 10_000],
    ["Wed, 21 Oct 2026 07:27:00 GMT", "Wed, 21 Oct 2026 07:28:00 GMT", 0],
    ["-5", "Wed, 21 Oct 2026 07:28:00 GMT", undefined],
    ["soon", null, undefined],
    [null, null, undefined],
  ])("Retry-After %j of an answer of %j is %j", (text, date, expected) => {
    expect(readRetryAfter(text, date)).toBe(expected);
  });

  test("a key that is revoked ends the agent with the refusal, and its work", async () => {
    const { begun, work } = workByHand();
    const { signalbox, start } = prepare({ work });
    signalbox.meet("leases", leased(envelopeJson("d-1")));
    const agent = await start();
    signalbox.meet("heartbeats", problem(401, "UNAUTHENTICATED"));
    await vi.advanceTimersByTimeAsync(12_000);
    await expect(agent.done).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    expect(begun[0]?.dispatch.signal.aborted).toBe(true);
  });

  test("a manifest that is refused is not sent again, and says by which fields", async () => {
    const { signalbox, start } = prepare();
    const violations = [{ field: "packVersion", rule: "semver", message: "is no version" }];
    signalbox.meet("packs", problem(422, "VALIDATION_FAILED", { violations }));
    const refused = await start().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(SignalboxError);
    expect(refused).toMatchObject({ code: "VALIDATION_FAILED", violations });
    expect(signalbox.sent("packs")).toHaveLength(1);
  });

  test.each([0, -1, 1.5, Number.NaN])("a capacity of %d is refused by name", async (capacity) => {
    await expect(prepare({ capacity }).start()).rejects.toThrow(`capacity: ${capacity}`);
  });
});
