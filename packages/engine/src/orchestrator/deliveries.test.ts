import { create } from "@bufbuild/protobuf";
import { type TaskEnvelope, TaskEnvelopeSchema } from "@signalbox/contracts";
import { describe, expect, test } from "vitest";
import { createDeliveries } from "./deliveries.ts";

const ref = { packId: "pack", instanceId: "one" };
const envelope = (taskId: string): TaskEnvelope => create(TaskEnvelopeSchema, { contract: { taskId } });
const named = (envelopes: readonly TaskEnvelope[]) => envelopes.map(({ contract }) => contract?.taskId);
const atOnce = (most: number) => ({ most, leaseMs: 60_000, answeredAtOnce: true });
const gathering = (most: number) => ({ most, leaseMs: 60_000, answeredAtOnce: false });

function open() {
  const timers: (() => void)[] = [];
  const given: string[] = [];
  const deliveries = createDeliveries({
    clock: {
      after: (_, work) => {
        timers.push(work);
        return () => void timers.splice(timers.indexOf(work), 1);
      },
    },
    giveBack: (tenantId, { instanceId }, envelopes) => {
      given.push(`${tenantId}/${instanceId}: ${named(envelopes).join(", ")}`);
      return Promise.resolve();
    },
  });
  const reserve = (taskId: string) => deliveries.reserve("east", ref, envelope(taskId));
  return { deliveries, reserve, given, passTime: () => timers.splice(0).forEach((work) => work()) };
}

describe("an instance that waits", () => {
  test("is answered at once with all that one transaction sent it, and has no more room then", async () => {
    const { deliveries, reserve } = open();
    const waiting = deliveries.wait("east", ref, atOnce(2));
    const sent = [reserve("1"), reserve("2"), reserve("3")];
    expect(sent[2]).toBeUndefined();
    for (const one of sent) one?.committed();
    await expect(waiting.envelopes.then(named)).resolves.toEqual(["1", "2"]);
    expect(deliveries.waiting).toBe(0);
    expect(reserve("4")).toBeUndefined();
  });

  test("is nobody else's: not another tenant's, pack's or instance's", () => {
    const { deliveries } = open();
    deliveries.wait("east", ref, atOnce(1));
    expect(deliveries.reserve("west", ref, envelope("1"))).toBeUndefined();
    expect(deliveries.reserve("east", { ...ref, packId: "other" }, envelope("1"))).toBeUndefined();
    expect(deliveries.reserve("east", { ...ref, instanceId: "two" }, envelope("1"))).toBeUndefined();
  });

  test("has its place again where a transaction failed", async () => {
    const { deliveries, reserve } = open();
    const waiting = deliveries.wait("east", ref, atOnce(1));
    reserve("1")?.failed();
    reserve("1")?.committed();
    await expect(waiting.envelopes.then(named)).resolves.toEqual(["1"]);
  });

  test("that ends is given what is being committed for it, or nothing where that fails", async () => {
    const { deliveries, reserve } = open();
    const first = deliveries.wait("east", ref, atOnce(1));
    const sent = reserve("1");
    first.end();
    sent?.committed();
    await expect(first.envelopes.then(named)).resolves.toEqual(["1"]);
    const second = deliveries.wait("east", ref, atOnce(1));
    const failing = reserve("2");
    second.end();
    failing?.failed();
    await expect(second.envelopes).resolves.toEqual([]);
  });

  test("and gathers is not answered before it leaves", async () => {
    const { deliveries, reserve } = open();
    const waiting = deliveries.wait("east", ref, gathering(3));
    reserve("1")?.committed();
    await Promise.resolve();
    reserve("2")?.committed();
    expect(named(waiting.leave())).toEqual(["1", "2"]);
  });
});

describe("what is committed after its instance was answered", () => {
  test("is had by its next question", async () => {
    const { deliveries, reserve, given, passTime } = open();
    const first = deliveries.wait("east", ref, atOnce(3));
    const [fast, slow, slower] = [reserve("fast"), reserve("slow"), reserve("slower")];
    fast?.committed();
    await expect(first.envelopes.then(named)).resolves.toEqual(["fast"]);
    slow?.committed();
    const second = deliveries.wait("east", ref, atOnce(2));
    slower?.committed();
    await expect(second.envelopes.then(named)).resolves.toEqual(["slow", "slower"]);
    passTime();
    expect(given).toEqual([]);
  });

  test("never makes an answer larger than was asked for", async () => {
    const { deliveries, reserve, given, passTime } = open();
    const first = deliveries.wait("east", ref, gathering(3));
    const sent = [reserve("1"), reserve("2"), reserve("3")];
    first.leave();
    for (const one of sent) one?.committed();
    const second = deliveries.wait("east", ref, atOnce(2));
    await expect(second.envelopes.then(named)).resolves.toEqual(["1", "2"]);
    passTime();
    expect(given).toEqual(["east/one: 3"]);
  });

  test("is given back where nobody asks any more, and when the process stops", async () => {
    const { deliveries, reserve, given, passTime } = open();
    const first = deliveries.wait("east", ref, gathering(2));
    const [one, other] = [reserve("1"), reserve("2")];
    first.leave();
    one?.committed();
    passTime();
    expect(given).toEqual(["east/one: 1"]);
    other?.committed();
    await deliveries.drain();
    expect(given).toEqual(["east/one: 1", "east/one: 2"]);
  });
});
