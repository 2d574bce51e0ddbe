import { expect, test, vi } from "vitest";
import type { Answer } from "./answer.ts";
import { startAgent } from "./agent.ts";
import { hello, prepare, settled, withFakeTimers } from "./testing/scripted-agent.ts";
import { envelopeJson, leased, problem } from "./testing/scripted-signalbox.ts";

withFakeTimers();

const thrower = () => {
  throw new Error("the author's own");
};

test("an author's condition that throws makes the heartbeat say DEGRADED, and neither ends the agent nor its drain", async () => {
  let broken = false;
  const { signalbox, start, trouble } = prepare({ condition: () => (broken ? thrower() : {}) });
  const agent = await start();
  broken = true;
  await vi.advanceTimersByTimeAsync(12_000);
  expect(signalbox.sent("heartbeats")[1]?.body).toMatchObject({
    health: { status: "HEALTH_STATUS_DEGRADED" },
  });
  await settled(agent.drain());
  await expect(agent.done).resolves.toBeUndefined();
  expect(signalbox.sent("heartbeats").at(-1)?.body).toMatchObject({ leaseTtl: "1s" });
  expect(new Set(trouble)).toEqual(new Set(["asking for the agent's condition: INTERNAL"]));
});

test("an author's onTrouble that throws fails no work", async () => {
  const { signalbox, start } = prepare({ onTrouble: thrower, work: thrower });
  signalbox.meet("leases", leased(envelopeJson("d-1")), "unreachable");
  const agent = await start();
  await vi.advanceTimersByTimeAsync(2_000);
  await settled(agent.drain());
  await expect(agent.done).resolves.toBeUndefined();
  expect(signalbox.sent("result")[0]?.body).toMatchObject({ status: { failureCode: "AGENT_ERROR" } });
});

const circular: Record<string, unknown> = {};
circular["itself"] = circular;

test.each([
  ["nothing", undefined],
  ["a number", 42],
  ["a status that is none", { ...hello(), status: "done" }],
  ["evidence that is a text", { ...hello(), evidence: "none" }],
  ["data that turns in a circle", { ...hello(), response: { status: "success", data: circular } }],
  ["data that JSON cannot say", { ...hello(), response: { status: "success", data: { a: 1n } } }],
])("an answer that is %s is reported as a failure by name, and ends nothing", async (_, answer) => {
  const { signalbox, start } = prepare({ work: () => answer as Answer });
  signalbox.meet("leases", leased(envelopeJson("d-1")));
  const agent = await start();
  await settled(agent.drain());
  await expect(agent.done).resolves.toBeUndefined();
  expect(signalbox.sent("result")[0]?.body).toMatchObject({
    status: { outcome: "OUTCOME_RETRYABLE_FAILURE", failureCode: "INVALID_ANSWER" },
  });
});

test("a result that is too long to be read is followed by a failure that says so", async () => {
  const { signalbox, start } = prepare();
  signalbox.meet("leases", leased(envelopeJson("d-1")));
  signalbox.meet("result", problem(413, "PAYLOAD_TOO_LARGE"));
  const agent = await start();
  await settled(agent.drain());
  expect(signalbox.sent("result").map(({ body }) => body)).toMatchObject([
    { dispatchId: "d-1", status: { outcome: "OUTCOME_SUCCESS" } },
    { dispatchId: "d-1", status: { failureCode: "INVALID_ANSWER" } },
  ]);
});

test.each([
  ["url", { url: "signalbox" }],
  ["key", { key: "a-key-and-a-line-end\n" }],
  ["key", { key: "" }],
])("a setting %s that can never be sent is refused at once, and not repeated", async (setting, wrong) => {
  const pack = { packId: "greeter", packVersion: "1.0.0" };
  const started = startAgent({ url: "http://127.0.0.1:1", key: "k", pack, work: hello, ...wrong });
  const refused: unknown = await settled(started).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "VALIDATION_FAILED" });
  expect(String(refused)).toContain(`setting ${setting} cannot be used`);
  expect(String(refused)).not.toContain("a-key-and");
});
