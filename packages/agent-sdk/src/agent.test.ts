import { describe, expect, test, vi } from "vitest";
import { hello, prepare, settled, withFakeTimers, workByHand } from "./testing/scripted-agent.ts";
import { envelopeJson, leased, problem } from "./testing/scripted-signalbox.ts";

withFakeTimers();

const handoff = (decision: string, reason: string) => ({
  json: { handoffId: "p-1/0/1-h7", decision: `HANDOFF_DECISION_${decision}`, reason },
});

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
