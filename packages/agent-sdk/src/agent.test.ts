import { SignalboxError } from "@signalbox/contracts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startAgent } from "./agent.ts";
import type { AgentSettings } from "./agent-settings.ts";
import { evidenceFrom, succeeded } from "./answer.ts";
import type { Dispatch } from "./dispatch.ts";
import { readRetryAfter } from "./request.ts";
import { envelopeJson, leased, problem, renewed, scriptedSignalbox } from "./testing/scripted-signalbox.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const hello = () =>
  succeeded({ summary: "Hello.", evidence: [evidenceFrom({ command: "true", output: "", exitCode: 0 })] });

/** Goes on with the time until what was begun is over, however many requests that takes. */
async function settled<T>(promise: Promise<T>): Promise<T> {
  const going = { on: true };
  const end = () => {
    going.on = false;
  };
  promise.then(end, end);
  for (let passed = 0; going.on && passed < 600; passed += 1) await vi.advanceTimersByTimeAsync(500);
  return promise;
}

function prepare(more: Partial<AgentSettings> = {}) {
  const signalbox = scriptedSignalbox();
  const trouble: string[] = [];
  const settings: AgentSettings = {
    ...signalbox.connection,
    pack: { packId: "greeter", packVersion: "1.0.0" },
    instanceId: "greeter-1",
    work: hello,
    onTrouble: (error, doing) => trouble.push(`${doing}: ${error.code}`),
    ...more,
  };
  return { signalbox, trouble, start: () => settled(startAgent(settings)) };
}

const handoff = (decision: string, reason: string) => ({
  json: { handoffId: "p-1/0/1-h7", decision: `HANDOFF_DECISION_${decision}`, reason },
});

/** Work that takes until a test ends it. */
function workByHand() {
  const begun: { dispatch: Dispatch; end: () => void }[] = [];
  const work = (dispatch: Dispatch) =>
    new Promise<ReturnType<typeof hello>>((resolve) => begun.push({ dispatch, end: () => resolve(hello()) }));
  return { begun, work };
}

describe("an agent", () => {
  test("asks that another go on, once however often it has to ask, and reports nothing of what was handed on", async () => {
    const outcomes: object[] = [];
    const { signalbox, start, trouble } = prepare({
      work: async (dispatch) => {
        for (const packId of ["greeter", "specialist"])
          outcomes.push(await dispatch.handOff({ packId, reason: "Others know better." }));
        outcomes.push({ aborted: dispatch.signal.aborted });
        return hello();
      },
    });
    signalbox.meet("leases", leased(envelopeJson("p-1/0/1")));
    signalbox.meet("handoffs", handoff("REFUSED", "no rule"), "unreachable", handoff("APPROVED", "rule 1"));
    const agent = await start();
    await vi.advanceTimersByTimeAsync(5_000);
    await settled(agent.drain());
    await agent.done;
    const handoffId = "p-1/0/1-h7";
    expect(outcomes).toEqual([
      { handoffId, approved: false, reason: "no rule" },
      { handoffId, approved: true, reason: "rule 1" },
      { aborted: true },
    ]);
    const asked = signalbox.sent("handoffs");
    expect(asked.map(({ body }) => body)).toEqual([
      { packId: "greeter", reason: "Others know better." },
      { packId: "specialist", reason: "Others know better." },
      { packId: "specialist", reason: "Others know better." },
    ]);
    const [first, second, third] = asked.map(({ headers }) => headers.get("idempotency-key"));
    expect(second).toBe(third);
    expect(first).not.toBe(second);
    expect(signalbox.sent("result")).toEqual([]);
    expect(trouble).toEqual(["asking for a handoff of p-1/0/1: UNAVAILABLE"]);
  });

  test("registers, beats, leases, works, reports what it did in the envelope's own terms, and leaves", async () => {
    const { signalbox, start, trouble } = prepare();
    signalbox.meet("leases", leased(envelopeJson("p-1/0/1")));
    const agent = await start();
    await vi.advanceTimersByTimeAsync(1_000);
    await settled(agent.drain());
    await agent.done;
    expect(signalbox.all().slice(0, 2)).toEqual(["packs", "heartbeats"]);
    expect(signalbox.sent("result").map(({ path }) => path)).toEqual(["/v1/dispatches/p-1%2F0%2F1/result"]);
    expect(signalbox.sent("result")[0]?.body).toMatchObject({
      protocolVersion: { schemaVersion: "1.0.0" },
      trace: { traceId: "trace-1", spanId: "span-1", tenantId: "default" },
      dispatchId: "p-1/0/1",
      attemptNumber: 1,
      status: { outcome: "OUTCOME_SUCCESS" },
    });
    expect(signalbox.sent("heartbeats").at(-1)?.body).toMatchObject({
      health: { status: "HEALTH_STATUS_UNHEALTHY" },
      leaseTtl: "1s",
      capacity: {},
    });
    expect(trouble).toEqual([]);
  });

  test("never holds more than its capacity, and asks for what there is room for", async () => {
    const { begun, work } = workByHand();
    const { signalbox, start } = prepare({ capacity: 2, work });
    signalbox.meet("leases", leased(envelopeJson("d-1")), leased(envelopeJson("d-2")));
    const agent = await start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(begun.map(({ dispatch }) => dispatch.dispatchId)).toEqual(["d-1", "d-2"]);
    expect(signalbox.sent("leases").map(({ body }) => body["maxTasks"])).toEqual([2, 1]);
    begun[0]?.end();
    await vi.advanceTimersByTimeAsync(100);
    expect(signalbox.sent("leases").map(({ body }) => body["maxTasks"])).toEqual([2, 1, 1]);
    begun[1]?.end();
    await settled(agent.drain());
  });

  test("an envelope that comes twice is worked on once", async () => {
    const { begun, work } = workByHand();
    const { signalbox, start } = prepare({ capacity: 3, work });
    signalbox.meet("leases", leased(envelopeJson("d-1")), leased(envelopeJson("d-1")));
    const agent = await start();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(begun).toHaveLength(1);
    begun[0]?.end();
    await settled(agent.drain());
    expect(signalbox.sent("result")).toHaveLength(1);
  });

  test("D6 a result whose answer was lost is said again, and by no other name", async () => {
    const { signalbox, start, trouble } = prepare();
    signalbox.meet("leases", leased(envelopeJson("d-1")));
    signalbox.meet("result", "lost", "unreachable", problem(503, "UNAVAILABLE"), {
      status: 502,
      text: "<html>",
    });
    const agent = await start();
    await vi.advanceTimersByTimeAsync(90_000);
    await settled(agent.drain());
    const said = signalbox.sent("result").map(({ body }) => JSON.stringify(body));
    expect(said).toHaveLength(5);
    expect(new Set(said).size).toBe(1);
    expect(trouble).toEqual(Array(4).fill("reporting d-1: UNAVAILABLE"));
  });

  test("a result that is refused is not said again, and the next work is taken", async () => {
    const { signalbox, start, trouble } = prepare();
    signalbox.meet("leases", leased(envelopeJson("d-1")), leased(envelopeJson("d-2")));
    signalbox.meet("result", problem(409, "STALE_DISPATCH"));
    const agent = await start();
    await vi.advanceTimersByTimeAsync(2_000);
    await settled(agent.drain());
    expect(signalbox.sent("result").map(({ body }) => body["dispatchId"])).toEqual(["d-1", "d-2"]);
    expect(trouble).toEqual(["reporting d-1: STALE_DISPATCH"]);
  });

  test("what the work throws is a failure that another attempt may mend", async () => {
    const { signalbox, start } = prepare({
      work: () => {
        throw new TypeError("no voice");
      },
    });
    signalbox.meet("leases", leased(envelopeJson("d-1")));
    const agent = await start();
    await settled(agent.drain());
    expect(signalbox.sent("result")[0]?.body).toMatchObject({
      status: {
        outcome: "OUTCOME_RETRYABLE_FAILURE",
        failureCode: "AGENT_ERROR",
        failureReason: "TypeError: no voice",
      },
      evidence: { noneWithReason: expect.stringContaining("before its answer") },
    });
  });

  test("SACP-8 an answer that talks back is sent as the failure with a hint that it is read as", async () => {
    const response = { thought: "t", status: "retry_with_instruction", data: {}, message: "Cite it." };
    const { signalbox, start } = prepare({ work: () => ({ ...hello(), response }) });
    signalbox.meet("leases", leased(envelopeJson("d-1")));
    const agent = await start();
    await settled(agent.drain());
    expect(signalbox.sent("result")[0]?.body).toMatchObject({
      response: { status: "failure", nextStepHint: "retry_with_instruction", message: "Cite it." },
    });
  });

  test("an answer that breaks a rule of the contract is not sent as it is: three would quarantine the instance", async () => {
    const { signalbox, start } = prepare({ work: () => ({ ...hello(), linesChanged: -1 }) });
    signalbox.meet("leases", leased(envelopeJson("d-1")));
    const agent = await start();
    await settled(agent.drain());
    expect(signalbox.sent("result")[0]?.body).toMatchObject({
      status: { failureCode: "INVALID_ANSWER", failureReason: expect.stringContaining("lines_changed") },
    });
    expect(signalbox.sent("result")[0]?.body).not.toHaveProperty("linesChanged");
  });
});

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
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(500);
      expect(signalbox.sent("heartbeats")).toHaveLength(beats + 1);
    });
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
