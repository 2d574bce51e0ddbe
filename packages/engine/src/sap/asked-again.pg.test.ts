import { isFinal, secondsTime } from "@signalbox/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inProcess, operator, prime } from "../testing/sap-in-process.ts";
import { waitForSap } from "../testing/sap-suite.ts";
import { sapPolicyText, sapWorld, taskFor } from "../testing/sap-world.ts";
import { askedBy, openTestEngine, publishPolicy, type TestEngine } from "../testing/test-engine.ts";
import { waitUntil } from "../testing/wait-until.ts";
import { exchangeSapTask } from "./exchange.ts";
import { readSapTranscript } from "./read-sap-results.ts";

let opened: TestEngine;
let world: Awaited<ReturnType<typeof sapWorld>>;
beforeAll(async () => {
  opened = await openTestEngine();
  world = await sapWorld(opened.engine);
});
afterAll(async () => {
  await world.stop();
  await opened.end();
});

const door = inProcess(() => opened.engine);

const begin = async (...said: Parameters<typeof taskFor>) => {
  const task = taskFor(...said);
  const { nack } = await door.submit("operator", task);
  expect(nack).toBeUndefined();
  return task;
};

const answered = async (mode: "prefer" | "only") => {
  const task = await begin(
    "consult.align",
    { payload: { topic: "masked since" } },
    { cachePolicy: { mode } },
  );
  return waitForSap(door, task.taskId, isFinal);
};

test("SAP-16 a task on file is answered as it stands to its issuer, whatever policy was published since; to others, and of others, the policy of now is asked", async () => {
  const { engine } = opened;
  const pressed = { pressure: { strategic_pause: 50 } };
  const sent = [{}, { cachePolicy: { mode: "prefer" } }, { cachePolicy: { mode: "only" } }] as const;
  const tasks = sent.map((context) =>
    taskFor("consult.align", { payload: { topic: "again" } }, { ...pressed, ...context }),
  );
  for (const task of tasks) {
    expect((await door.submit("prime", task)).nack).toBeUndefined();
    await waitForSap(door, task.taskId, isFinal);
  }
  const stricter: [string, object[], object[]?][] = [
    ["1.3.0", [{ principle: "strategic_pause", refuse_above: 40 }]],
    ["1.4.0", [{ principle: "Blueprint-Thinking" }]],
    ["1.5.0", [], [{ capability: "consult.align", task_type: "consult", issuers: [{ agent_kind: "user" }] }]],
    ["1.6.0", [], [{ capability: "consult.align", task_type: "nothing" }]],
  ];
  for (const [version, principles, capabilities] of stricter) {
    await publishPolicy(engine, sapPolicyText(version, principles, capabilities));
    for (const [index, task] of tasks.entries()) {
      const again = await door.submit("prime", task);
      expect(again.result?.taskId).toBe(task.taskId);
      const another = { ...task, taskId: crypto.randomUUID() };
      expect((await door.submit("prime", another)).nack?.error.code).toMatch(
        /NON_CONSTITUTIONAL|INVALID_TASK|FORBIDDEN|NOT_FOUND/,
      );
      const changed = { ...task, payload: { topic: "another" } };
      expect((await door.submit("prime", changed)).nack?.error.code).toBe("UNPROCESSABLE");
      const posing = { ...prime, caller: { ...prime.caller, packIds: ["adviser"] } };
      expect((await exchangeSapTask(engine, posing, task)).nack?.error.code).not.toBe(undefined);
      const other = { ...prime, caller: askedBy("agent", "default", "another").caller };
      expect((await exchangeSapTask(engine, other, task)).nack, `${version} ${index}`).toBeDefined();
    }
  }
  await publishPolicy(engine, sapPolicyText("1.7.0"));
});

test("SAP-49 what the policy masks or fails by now no cached answer tells", async () => {
  const { engine } = opened;
  const masked = { tier: "[redacted:policy-path]" };
  expect((await answered("prefer")).output).toMatchObject({ tier: "LOW" });
  expect((await answered("only")).output).toMatchObject({ tier: "LOW" });
  const redaction = { redaction_policy: { always_redact: ["response.data.tier"] } };
  const text = { ...JSON.parse(sapPolicyText("1.8.0")), ...redaction };
  await publishPolicy(engine, JSON.stringify(text));
  expect((await answered("only")).error).toMatchObject({
    code: "CACHE_MISS",
    message: expect.stringContaining("masks"),
  });
  expect(await answered("prefer")).toMatchObject({
    output: masked,
    constitutionalEvidence: { cache: { hit: false } },
  });
  expect(await answered("only")).toMatchObject({
    output: masked,
    constitutionalEvidence: { cache: { hit: true } },
  });
  const guardrail = { name: "no-topics", when: 'response.data.echoed.topic != ""', effect: "fail" };
  const guarded = { ...JSON.parse(sapPolicyText("1.8.1")), answer_policy: { guardrails: [guardrail] } };
  await publishPolicy(engine, JSON.stringify(guarded));
  expect((await answered("only")).error).toMatchObject({
    code: "CACHE_MISS",
    message: expect.stringContaining('guardrail "no-topics"'),
  });
  await publishPolicy(engine, sapPolicyText("1.9.0"));
});

test("SAP-16 a task on file is answered as it stands also once its deadline has passed, whether or not the cache is asked", async () => {
  const deadline = secondsTime(Date.now() + 3_000);
  const contexts = [{}, { cachePolicy: { mode: "prefer" } }, { cachePolicy: { mode: "only" } }] as const;
  const tasks = contexts.map((context) =>
    taskFor("consult.align", { payload: { topic: deadline }, telemetry: { deadline } }, context),
  );
  for (const task of tasks) expect((await door.submit("operator", task)).nack).toBeUndefined();
  const before = await Promise.all(tasks.map(({ taskId }) => waitForSap(door, taskId, isFinal)));
  await waitUntil(async () => Date.now() > Date.parse(deadline));
  for (const [index, task] of tasks.entries()) {
    expect((await door.submit("operator", task)).result).toEqual(before[index]);
    const another = { ...task, taskId: crypto.randomUUID() };
    expect((await door.submit("operator", another)).nack?.error.code).toBe("TIMEOUT");
  }
});

describe("two of the same", () => {
  test("at one moment are one task, however many came", async () => {
    const task = taskFor("consult.align", {}, { cachePolicy: { mode: "prefer" } });
    const answers = await Promise.all(Array.from({ length: 8 }, () => door.submit("operator", task)));
    expect(answers.filter(({ ack }) => ack?.taskId === task.taskId)).toHaveLength(8);
    await waitForSap(door, task.taskId, isFinal);
    expect(world.envelopes.filter(({ contract }) => contract?.taskId === `sap:${task.taskId}`)).toHaveLength(
      1,
    );
  });

  test("on two nodes are one task too, also where the cache answers", async () => {
    const other = await opened.another();
    const payload = { topic: "two nodes" };
    const first = await begin("consult.align", { payload }, { cachePolicy: { mode: "prefer" } });
    await waitForSap(door, first.taskId, isFinal);
    const task = taskFor("consult.align", { payload }, { cachePolicy: { mode: "only" } });
    const answers = await Promise.all(
      [opened.engine, other, opened.engine, other].map((engine) => exchangeSapTask(engine, operator, task)),
    );
    expect(answers.map(({ result }) => result?.status)).toEqual(Array(4).fill("SUCCEEDED"));
    const { results } = await readSapTranscript(opened.engine, operator, task.taskId);
    expect(results).toHaveLength(1);
  });
});
