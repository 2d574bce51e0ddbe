import { Outcome } from "@signalbox/contracts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listAlerts } from "./read-alerts.ts";
import { workByHand } from "./testing/hand-worked-agent.ts";
import { openQuestions, questionOf, submitType } from "./testing/pipelines.ts";
import { builderPolicy, prepare } from "./testing/prepare.ts";
import { askedBy, openTestEngine, type TestEngine } from "./testing/test-engine.ts";
import { waitUntil } from "./testing/wait-until.ts";

let opened: TestEngine;
beforeEach(async () => {
  opened = await openTestEngine();
});
afterEach(() => opened.end());

async function conditions() {
  const { conditions: found } = await listAlerts(opened.engine, askedBy("viewer"), {});
  return found?.map(({ alert, detail }) => [alert, detail]);
}

test("ALERT-5 a breaker that opened is told of until its pack may be tried again, also where nobody tries it", async () => {
  const { engine } = opened;
  const breaker = { error_threshold: 2, window: "60s", half_open_after: "3s" };
  await prepare(engine, { policy: builderPolicy({ admission: { circuit_breaker: breaker } }) });
  const agent = workByHand(engine, "builder");
  await agent.beat();
  for (let failures = 0; failures < 2; failures += 1) {
    await submitType(engine, "build");
    await agent.work("task", { outcome: Outcome.NON_RETRYABLE_FAILURE });
  }
  const told = ["breaker-open", expect.stringContaining("builder failed at build so often")];
  expect(await conditions()).toContainEqual(told);
  await waitUntil(async () => !(await conditions())?.some(([alert]) => alert === "breaker-open"));
});

test("ALERT-2 what a full queue refused had candidates; what has no route had none", async () => {
  const { engine } = opened;
  await prepare(engine, { policy: builderPolicy({ admission: { max_global_queue_depth: 1 } }) });
  await submitType(engine, "build");
  await questionOf(engine, await submitType(engine, "build"));
  expect(await openQuestions(engine)).toHaveLength(1);
  expect(await conditions()).toEqual([]);
  await prepare(engine, { policy: builderPolicy({ version: "1.1.0" }) });
  await questionOf(engine, await submitType(engine, "unheard-of"));
  expect(await conditions()).toEqual([["no-candidates", "Of one stage nobody could take the work."]]);
});
