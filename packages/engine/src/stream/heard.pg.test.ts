import { afterEach, beforeEach, expect, test } from "vitest";
import { heartbeat } from "../registry/heartbeat.ts";
import {
  asking,
  beat,
  openTestSystem,
  pack,
  register,
  tenantId,
  type TestSystem,
} from "../testing/test-system.ts";
import { watchHeard } from "./heard.ts";

let opened: TestSystem;
beforeEach(async () => {
  opened = await openTestSystem([tenantId, "south"]);
  await register(opened.system, [pack("qa")]);
});
afterEach(() => opened.end());

/** A watch whose looks are taken by hand, one after the other. */
function watchByHand() {
  let lookNow: (() => void) | undefined;
  const failures: unknown[] = [];
  const everyMs: number[] = [];
  const clock = {
    ...opened.system.clock,
    repeat(milliseconds: number, work: () => void) {
      everyMs.push(milliseconds);
      lookNow = work;
      return () => undefined;
    },
  };
  const ended: (() => void)[] = [];
  const { database } = opened.system;
  const heard = watchHeard(
    {
      clock,
      database: {
        ...database,
        inTenants: (tenants, work) =>
          database.inTenants(tenants, work).finally(() => setImmediate(() => ended.shift()?.())),
      },
    },
    (error) => failures.push(error),
  );
  const look = () =>
    new Promise<void>((resolve) => {
      ended.push(resolve);
      lookNow?.();
    });
  return { heard, everyMs, failures, look };
}

const say = (instanceId: string) => heartbeat(opened.system, asking("agent"), beat("qa", instanceId));

test("STREAM-16 many heartbeats are told once a look, every five seconds, to the readers of their own tenant and while they listen", async () => {
  const { heard, everyMs, failures, look } = watchByHand();
  const told: string[] = [];
  const leave = heard.watch(tenantId, () => told.push("north"));
  heard.watch("south", () => told.push("south"));
  await say("qa-1");
  await look();
  await look();
  expect([everyMs, told]).toEqual([[5_000], []]);
  for (const instanceId of ["qa-1", "qa-2", "qa-1"]) await say(instanceId);
  await look();
  await look();
  expect(told).toEqual(["north"]);
  leave();
  await say("qa-1");
  await look();
  expect([told, failures]).toEqual([["north"], []]);
});
