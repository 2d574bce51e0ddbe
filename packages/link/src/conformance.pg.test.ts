import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { grpcWay } from "./testing/grpc-way.ts";
import { httpWay } from "./testing/http-way.ts";
import { leaseWay } from "./testing/lease-way.ts";
import { processWay } from "./testing/process-way.ts";
import { isRedisHere, redisMissing, startRedis } from "./testing/redis-server.ts";
import { redisWay } from "./testing/redis-way.ts";
import { play, type Played, titles } from "./testing/scenario.ts";

/** What is on record must not tell by which way an agent was reached. */
let played: ReadonlyMap<string, Played>;
let redis: Awaited<ReturnType<typeof startRedis>> | undefined;
const called = ["grpc", "http", "process", "redis"];

beforeAll(async () => {
  if (isRedisHere) redis = await startRedis();
  else console.warn(`An agent that is reached by redis was not tried: it ${redisMissing}.`);
  const ways = [leaseWay, grpcWay(), httpWay(), processWay(), ...(redis ? [redisWay(redis.url)] : [])];
  played = new Map(await Promise.all(ways.map(async (way) => [way.name, await play(way)] as const)));
}, 120_000);
afterAll(() => redis?.stop());

describe.each(called)("an agent that is reached by %s", (name) => {
  test.for(titles)("%s: leaves the record that one leaves that leases", (title, { skip }) => {
    if (name === "redis" && !isRedisHere) skip(redisMissing);
    const leased = played.get("lease")?.record[title] ?? [];
    expect(leased.length).toBeGreaterThan(5);
    // Who leases is told that a report is too large and may send another; who is called has had its word.
    const expected = title === "oversize" ? played.get("grpc")?.record[title] : leased;
    expect(played.get(name)?.record[title]).toEqual(expected);
  });

  test("is told to stop what nobody waits for", ({ skip }) => {
    if (name === "redis" && !isRedisHere) skip(redisMissing);
    expect([...(played.get(name)?.stopped ?? [])]).toEqual(expect.arrayContaining(["cancel", "late"]));
  });
});

const actions = (title: (typeof titles)[number], way = "lease"): unknown[] =>
  (played.get(way)?.record[title] ?? []).map((fact) => Object(fact)["action"]);

test("each scenario is what its name says", () => {
  expect(actions("retry")).toContain("result.received");
  expect(actions("lost")).toContain("dispatch.lease-lost");
  expect(actions("oversize")).toContain("dispatch.lease-lost");
  expect(actions("oversize", "grpc")).toContain("result.invalid");
  expect(actions("late")).toEqual(expect.arrayContaining(["dispatch.timed-out", "result.stale"]));
  expect(actions("cancel")).toContain("pipeline.aborted");
  expect(actions("invalid")).toContain("result.invalid");
  expect(actions("slow")).not.toContain("dispatch.lease-lost");
  expect(actions("double")).toEqual(actions("plain"));
});
