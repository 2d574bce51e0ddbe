import type { TaskEnvelope } from "@signalbox/contracts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { template } from "../testing/documents.ts";
import { idOf, workByHand } from "../testing/hand-worked-agent.ts";
import { stateOf, submitTemplate } from "../testing/pipelines.ts";
import { builderPolicy, chainStages, prepare } from "../testing/prepare.ts";
import { resultFor } from "../testing/results.ts";
import { askedBy, openTestEngine, type TestEngine } from "../testing/test-engine.ts";
import type { Asked } from "../system.ts";
import { leaseTasks } from "./lease-tasks.ts";
import { renewDispatch } from "./renew-dispatch.ts";
import { reportResult } from "./report-result.ts";

let opened: TestEngine;
beforeEach(async () => {
  opened = await openTestEngine();
  await prepare(opened.engine, { templates: [template("chain", chainStages)], policy: builderPolicy() });
  await workByHand(opened.engine, "builder").beat();
});
afterEach(() => opened.end());

const boundTo = (...packIds: string[]): Asked => {
  const asked = askedBy("agent");
  return { ...asked, caller: { ...asked.caller, packIds } };
};
const take = async (asked: Asked): Promise<TaskEnvelope> => {
  const wanted = { packId: "builder", instanceId: "builder-1", maxTasks: 1, waitMs: 10_000 };
  const [envelope] = (await leaseTasks(opened.engine, asked, wanted)).envelopes;
  if (envelope === undefined) throw new Error("nothing came");
  return envelope;
};

test("PERM-11 a dispatch is renewed and reported on by a key of its pack, on any node, and by no other", async () => {
  const { engine } = opened;
  const pipelineId = await submitTemplate(engine, "chain");
  const own = boundTo("reviewer", "builder");
  const envelope = await take(own);
  const before = await stateOf(engine, pipelineId);
  const other = await opened.another({ loops: false });
  for (const node of [engine, other]) {
    for (const asked of [boundTo("reviewer"), boundTo()]) {
      const refused = { code: "FORBIDDEN" };
      await expect(renewDispatch(node, asked, idOf(envelope))).rejects.toMatchObject(refused);
      const reported = reportResult(node, asked, idOf(envelope), resultFor(envelope));
      await expect(reported).rejects.toMatchObject(refused);
    }
  }
  expect(await stateOf(engine, pipelineId), "nothing came of it").toEqual(before);
  await renewDispatch(other, own, idOf(envelope));
  await reportResult(other, own, idOf(envelope), resultFor(envelope));
  const late = reportResult(engine, boundTo("reviewer"), idOf(envelope), resultFor(envelope));
  await expect(late, "not even whether it is over").rejects.toMatchObject({ code: "FORBIDDEN" });
});

test("PERM-11 a dispatch that is not there is not found by a bound key either, and another pack's work is not leased", async () => {
  const { engine } = opened;
  for (const id of ["0190b3a8-d0.1", "no dispatch at all"]) {
    await expect(renewDispatch(engine, boundTo("builder"), id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  await expect(take(boundTo("reviewer"))).rejects.toMatchObject({ code: "FORBIDDEN" });
});
