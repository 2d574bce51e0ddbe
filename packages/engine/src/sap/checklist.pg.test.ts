import { randomUUID } from "node:crypto";
import { ResultSchema, TaskSchema } from "@signalbox/contracts/sap";
import { isFinal } from "@signalbox/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sapWorld, taskFor } from "../testing/sap-world.ts";
import { inProcess, operator } from "../testing/sap-in-process.ts";
import { waitForSap } from "../testing/sap-suite.ts";
import { askedBy, openTestEngine, type TestEngine } from "../testing/test-engine.ts";
import { learnAll } from "../testing/learn-all.ts";
import { rateResult } from "./learning/rate-result.ts";
import { listAggregates } from "./learning/read-learning.ts";
import { readSapTranscript } from "./read-sap-results.ts";

let opened: TestEngine;
let world: Awaited<ReturnType<typeof sapWorld>>;
const door = inProcess(() => opened.engine);
beforeAll(async () => {
  opened = await openTestEngine();
  world = await sapWorld(opened.engine);
});
afterAll(async () => {
  await world.stop();
  await opened.end();
});

const refused = async (task: unknown) =>
  (await door.submit("operator", task)).nack?.error.details.violations.map(({ field }) => field);
const done = async (...said: Parameters<typeof taskFor>) => {
  const task = taskFor(...said);
  await door.submit("operator", task);
  return { task, result: await waitForSap(door, task.taskId, isFinal) };
};

describe("SAP V2.0 §12", () => {
  test("Valid ids and timestamps", async () => {
    const wrong = {
      ...taskFor("consult.align"),
      taskId: "one",
      correlationId: "two",
      issuedAt: "2026-11-18 10:15",
    };
    expect(await refused(wrong)).toEqual(["taskId", "correlationId", "issuedAt"]);
    const { result } = await done("consult.align");
    expect(result.reportedAt).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
  });

  test("Required fields present", async () => {
    const required = [
      "protocolVersion",
      "taskId",
      "correlationId",
      "issuedAt",
      "issuer",
      "target",
      "payload",
    ];
    for (const name of required) {
      expect(await refused({ ...taskFor("consult.align"), [name]: undefined })).toEqual([name]);
    }
    const { task, result } = await done("consult.align");
    const { results, task: kept } = await readSapTranscript(opened.engine, operator, task.taskId);
    expect(TaskSchema.parse(kept)).toEqual(task);
    for (const one of [result, ...results.map((each) => each.result)])
      expect(ResultSchema.parse(one)).toEqual(one);
  });

  test("Constitutional context provided", async () => {
    const { constitutionalContext: _context, ...without } = taskFor("consult.align");
    expect(await refused(without)).toEqual(["constitutionalContext"]);
    expect(await refused({ ...without, constitutionalContext: {} })).toEqual([
      "constitutionalContext.pressureLevel",
    ]);
    const { task } = await done("consult.align", {}, { constraints: ["No PII"] });
    const given = world.envelopes.find(({ contract }) => contract?.taskId === `sap:${task.taskId}`);
    expect(given?.contextIn?.taskDelta).toContain("Principles: blueprint_thinking");
    expect(given?.contract?.definitionOfDone).toEqual(["No PII"]);
  });

  test("Result includes constitutional evidence", async () => {
    const { task } = await done("consult.align", {}, { pressure: { strategic_pause: 12, kindness: 1 } });
    const { results } = await readSapTranscript(opened.engine, operator, task.taskId);
    expect(results.length).toBeGreaterThan(1);
    for (const { result } of results) expect(result.constitutionalEvidence.alignment).toBe("VALID");
    expect(results.at(-1)?.result.constitutionalEvidence).toMatchObject({
      pressureReadings: { strategic_pause: 12, kindness: 1 },
      policyChecks: [
        {
          principle: "blueprint_thinking",
          status: "PASS",
          notes: expect.stringContaining('at stage "task"'),
        },
        { principle: "strategic_pause", status: "PASS" },
        { principle: "kindness", status: "NOT_JUDGED" },
      ],
      citations: expect.arrayContaining(["ubos://constitution/books"]),
    });
  });

  test("Cache policy honored", async () => {
    const payload = { topic: randomUUID() };
    const worked = () => world.envelopes.filter(({ inputs }) => inputs?.["topic"] === payload.topic).length;
    await done("consult.align", { payload }, { cachePolicy: { mode: "bypass" } });
    const missed = await done("consult.align", { payload }, { cachePolicy: { mode: "only" } });
    expect(missed.result).toMatchObject({ status: "FAILED", error: { code: "CACHE_MISS" } });
    await done("consult.align", { payload }, { cachePolicy: { mode: "prefer" } });
    expect(worked()).toBe(2);
    const { result } = await done(
      "consult.align",
      { payload },
      { cachePolicy: { mode: "prefer", maxAgeSec: 60, mustAlign: true } },
    );
    expect(result.constitutionalEvidence.cache).toMatchObject({ hit: true });
    expect(worked()).toBe(2);
    await done(
      "consult.align",
      { payload },
      { cachePolicy: { mode: "prefer", mustAlign: true }, constraints: ["Cite"] },
    );
    expect(worked()).toBe(3);
  });

  test("Learning signals emitted", async () => {
    const { task } = await done("consult.align", {}, { territory: "checklist" });
    await rateResult(opened.engine, askedBy("approver"), task.taskId, { score: 2, note: "Cite." });
    await learnAll(opened.engine);
    const wanted = { by: "fingerprint", capability: "consult.align", territory: "checklist" } as const;
    const { rows } = await listAggregates(opened.engine, askedBy("viewer"), wanted);
    expect(rows).toMatchObject([
      {
        aggregate: { outcomes: 1, succeeded: 1, principles: { blueprint_thinking: { PASS: 1 } }, ratings: 1 },
      },
    ]);
  });

  test("Transport preserves correlation", async () => {
    const { task, result } = await done("consult.align", { parentTaskId: randomUUID() });
    expect([result.taskId, result.correlationId]).toEqual([task.taskId, task.correlationId]);
    const { results } = await readSapTranscript(opened.engine, operator, task.taskId);
    expect(new Set(results.map((one) => one.result.correlationId))).toEqual(new Set([task.correlationId]));
    const { nack } = await door.submit("operator", { ...task, issuedAt: "" });
    expect([nack?.taskId, nack?.correlationId]).toEqual([task.taskId, task.correlationId]);
  });
});
