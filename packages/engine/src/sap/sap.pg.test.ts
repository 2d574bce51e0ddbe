import { readRows } from "@signalbox/db/testing";
import { type Result, ResultSchema } from "@signalbox/contracts/sap";
import { isFinal, secondsTime } from "@signalbox/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { abortPipeline, pausePipeline } from "../orchestrator/person-commands.ts";
import { listAudit } from "../read-audit.ts";
import { answer } from "../testing/pipelines.ts";
import { inProcess, operator } from "../testing/sap-in-process.ts";
import { sapSuite, waitForSap } from "../testing/sap-suite.ts";
import { sapPolicyText, sapWorld, taskFor } from "../testing/sap-world.ts";
import { askedBy, openTestEngine, publishPolicy, type TestEngine } from "../testing/test-engine.ts";
import { waitUntil } from "../testing/wait-until.ts";
import { exchangeSapTask } from "./exchange.ts";
import { listCacheRecords } from "./learning/read-learning.ts";
import { readSapResult, readSapTranscript } from "./read-sap-results.ts";

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

sapSuite("the bus in the process", () => door);

const begin = async (...said: Parameters<typeof taskFor>) => {
  const task = taskFor(...said);
  const { nack } = await door.submit("operator", task);
  expect(nack).toBeUndefined();
  return task;
};

const named = ({ nextActions = [] }: Result) => nextActions.map((one) => String(one["escalationId"]));

describe("§5 statuses", () => {
  test("SAP-27 QUEUED, RUNNING and SUCCEEDED are each a Result on file, with a digest that stands on the record", async () => {
    const task = await begin("consult.align");
    await waitForSap(door, task.taskId, isFinal);
    const { results, digest } = await readSapTranscript(opened.engine, operator, task.taskId);
    const statuses = results.map(({ result }) => result.status);
    expect(statuses).toEqual(["QUEUED", "RUNNING", "SUCCEEDED"]);
    for (const { result } of results) expect(ResultSchema.parse(result)).toEqual(result);
    const { entries } = await listAudit(opened.engine, askedBy("auditor"), { q: task.taskId });
    const payloads = entries.map(({ payload }) => payload).join("\n");
    expect(payloads).toContain(`sha256:${digest}`);
    for (const one of results) expect(payloads).toContain(`sha256:${one.digest}`);
  });

  test("SAP-45 what the cache keeps has its digest on the record, with the Result that it was made of", async () => {
    const payload = { topic: "kept" };
    const task = await begin("consult.align", { payload }, { cachePolicy: { mode: "prefer" } });
    await waitForSap(door, task.taskId, isFinal);
    const { rows } = await listCacheRecords(opened.engine, askedBy("viewer"), {});
    const kept = rows.find(({ taskId }) => taskId === task.taskId);
    const { entries } = await listAudit(opened.engine, askedBy("auditor"), { q: task.taskId });
    const rationales = entries.map(({ payload: entry }) => String(JSON.parse(entry).rationale));
    expect(rationales.filter((one) => one.includes("The cache keeps it"))).toEqual([
      expect.stringContaining(`under ${kept?.cacheKey}; that record's digest is sha256:${kept?.digest}.`),
    ]);
  });

  test("ESCALATED names the question; answered, it goes on; deliberated means a person decides", async () => {
    const task = await begin("consult.align", {}, { pressureLevel: "deliberated" });
    const asked = await waitForSap(door, task.taskId, (status) => status === "ESCALATED");
    const escalationId = String(asked.nextActions?.[0]?.["escalationId"]);
    expect(asked.constitutionalEvidence).toMatchObject({
      alignment: "ESCALATE",
      policyChecks: [
        { status: "PASS", notes: expect.stringContaining(`is asked (${escalationId}): evidence`) },
      ],
    });
    await answer(opened.engine, { escalationId }, { option: "advance" });
    const result = await waitForSap(door, task.taskId, isFinal);
    expect(result).toMatchObject({
      status: "SUCCEEDED",
      output: { tier: "CRITICAL" },
      constitutionalEvidence: { alignment: "VALID" },
    });
  });

  test("a Result names the questions that are open now: one that is answered is named no more", async () => {
    const task = await begin("ask.both", {}, { pressureLevel: "deliberated" });
    await waitUntil(async () => {
      const result = await door.result("operator", task.taskId);
      return result !== undefined && named(result).length === 2;
    });
    const both = await readSapResult(opened.engine, operator, task.taskId);
    expect([both.status, both.constitutionalEvidence.alignment]).toEqual(["ESCALATED", "ESCALATE"]);
    const [first = "", second = ""] = named(both);
    await answer(opened.engine, { escalationId: first }, { option: "advance" });
    expect(named(await readSapResult(opened.engine, operator, task.taskId))).toEqual([second]);
    const { results } = await readSapTranscript(opened.engine, operator, task.taskId);
    expect(results.at(-1)?.result).toMatchObject({
      status: "ESCALATED",
      nextActions: [{ escalationId: second }],
    });
    await answer(opened.engine, { escalationId: second }, { option: "advance" });
    expect(await waitForSap(door, task.taskId, isFinal)).not.toHaveProperty("nextActions");
  });

  test("pressure above the policy's threshold asks a person, however instant the task", async () => {
    const task = await begin("consult.align", {}, { pressure: { strategic_pause: 61 } });
    const asked = await waitForSap(door, task.taskId, (status) => status === "ESCALATED");
    expect(asked.constitutionalEvidence.pressureReadings).toEqual({ strategic_pause: 61 });
  });

  test("SAP-26 TIMEOUT when the deadline passes, also of what waits; where a template asks people, once they gave no more time", async () => {
    const { engine } = opened;
    const deadline = secondsTime(Date.now() + 2_000);
    const telemetry = { deadline };
    const [idle, kept, given, held] = await Promise.all([
      begin("idle", { telemetry }),
      begin("idle.asked", { telemetry }),
      begin("idle.asked", { telemetry }),
      begin("idle", { telemetry }),
    ]);
    const { pipelineId } = await readSapTranscript(engine, operator, held.taskId);
    await pausePipeline(engine, askedBy("operator"), { pipelineId: pipelineId ?? "" });
    for (const { taskId } of [idle, held]) {
      const { status, error, reportedAt, metrics } = await waitForSap(door, taskId, isFinal);
      expect([status, error?.code, metrics?.["attempts"]]).toEqual(["FAILED", "TIMEOUT", 0]);
      expect(error?.message).toContain(deadline);
      expect(Date.parse(reportedAt)).toBeGreaterThanOrEqual(Date.parse(deadline));
    }
    const idlePipeline = (await readSapTranscript(engine, operator, idle.taskId)).pipelineId;
    const alerts = await readRows(
      opened.made.url,
      `select pipeline_id, payload from signalbox.events where kind = 'alert.raised'
        and pipeline_id in ('${idlePipeline}', '${pipelineId}')`,
    );
    const told = new Set(alerts.map((alert) => alert["pipeline_id"]));
    expect([alerts.length, told]).toEqual([2, new Set([idlePipeline, pipelineId])]);
    expect(JSON.stringify(alerts)).toContain("deadline-breached");
    const question = async ({ taskId }: { taskId: string }) => {
      const [asked] = (await waitForSap(door, taskId, (status) => status === "ESCALATED")).nextActions ?? [];
      expect(asked).toMatchObject({ options: ["extend", "resume", "abort"], recommended: "extend" });
      return { escalationId: String(asked?.["escalationId"]) };
    };
    await answer(engine, await question(kept), { option: "abort" });
    expect(await waitForSap(door, kept.taskId, isFinal)).toMatchObject({
      status: "FAILED",
      error: { code: "TIMEOUT" },
    });
    await answer(engine, await question(given), { option: "extend", byMs: 3_600_000 });
    expect((await readSapResult(engine, operator, given.taskId)).status).toBe("QUEUED");
  });

  test("CANCELLED on abort, FAILED with a code and a message", async () => {
    const idle = await begin("idle");
    const { pipelineId } = await readSapTranscript(opened.engine, operator, idle.taskId);
    await abortPipeline(opened.engine, askedBy("operator"), { pipelineId: pipelineId ?? "" });
    expect((await waitForSap(door, idle.taskId, isFinal)).status).toBe("CANCELLED");
    const failing = await begin("doom", { payload: { please: "fail" } });
    expect(await waitForSap(door, failing.taskId, isFinal)).toMatchObject({
      status: "FAILED",
      error: { code: "INTERNAL", message: expect.stringContaining("only") },
    });
    const forged = await begin("doom", { payload: { please: "forge" } });
    expect(await waitForSap(door, forged.taskId, isFinal)).toMatchObject({
      status: "FAILED",
      error: { code: "NON_CONSTITUTIONAL", message: expect.stringContaining("The gate found") },
      constitutionalEvidence: { alignment: "NON_CONSTITUTIONAL", policyChecks: [{ status: "FAIL" }] },
    });
  });

  test("a template's stages carry the task, and the last one's answer is the output", async () => {
    const task = await begin("build.feature");
    const result = await waitForSap(door, task.taskId, isFinal);
    expect(result).toMatchObject({ status: "SUCCEEDED", output: { echoed: task.payload } });
  });

  test("SAP-36 SAP-45 what a handler answered for a stage that failed says so, and is given to nobody else", async () => {
    const payload = { topic: "handled" };
    const task = await begin("handle", { payload }, { cachePolicy: { mode: "prefer" } });
    expect(await waitForSap(door, task.taskId, isFinal)).toMatchObject({
      status: "SUCCEEDED",
      constitutionalEvidence: {
        alignment: "VALID",
        violations: [
          { severity: "medium", evidence: expect.stringContaining('"work" failed, and "explain"') },
        ],
      },
    });
    const next = await door.submit(
      "operator",
      taskFor("handle", { payload }, { cachePolicy: { mode: "only" } }),
    );
    expect(next.result?.error?.code).toBe("CACHE_MISS");
  });

  test("SAP-23 PARTIAL: the last stage is left out, and the output is what was done before it", async () => {
    const task = await begin("polish");
    expect(await waitForSap(door, task.taskId, isFinal)).toMatchObject({
      status: "PARTIAL",
      output: { echoed: task.payload },
      nextActions: [{ action: "submit_task", payload: { stageId: "polish" } }],
      constitutionalEvidence: { alignment: "VALID" },
    });
  });
});

const asked = async () => {
  const task = await begin("consult.align", {}, { pressureLevel: "deliberated" });
  const { nextActions: [question] = [] } = await waitForSap(
    door,
    task.taskId,
    (status) => status === "ESCALATED",
  );
  return { task, escalationId: String(question?.["escalationId"]) };
};

test("SAP-35 a task is judged by the policy that accepted it, and says which; a later one by the later", async () => {
  const { engine } = opened;
  const answered = async ({ task, escalationId }: Awaited<ReturnType<typeof asked>>) => {
    await answer(engine, { escalationId }, { option: "advance" });
    const { policyChecks, citations } = (await waitForSap(door, task.taskId, isFinal)).constitutionalEvidence;
    return [policyChecks?.[0]?.["checks"], citations?.at(-1)];
  };
  const earlier = await asked();
  await publishPolicy(
    engine,
    sapPolicyText("1.1.0", [{ principle: "blueprint_thinking", checks: ["safety"] }]),
  );
  const later = await asked();
  await publishPolicy(engine, sapPolicyText("1.2.0"));
  expect(await answered(earlier)).toEqual([["evidence", "tests"], "signalbox:routing-policy/1.0.0"]);
  expect(await answered(later)).toEqual([["safety"], "signalbox:routing-policy/1.1.0"]);
});

describe("what an agent is given", () => {
  test("payload, output schema, playbook and the pack that was addressed", async () => {
    const task = await begin(
      "consult.align",
      { target: { capability: "consult.align", agentId: "adviser" } },
      { constraints: ["No PII"] },
    );
    await waitForSap(door, task.taskId, isFinal);
    const envelope = world.envelopes.find(({ contract }) => contract?.taskId === `sap:${task.taskId}`);
    expect(envelope).toMatchObject({
      inputs: task.payload,
      responseFormat: "json_standard",
      outputSchema: { type: "object" },
      contextIn: { sharedContext: "Begin with the sources.", taskDelta: expect.stringContaining("No PII") },
      routing: { selectedPackId: "adviser" },
    });
    const waiting = await begin("consult.align", {
      target: { capability: "consult.align", agentId: "prime" },
    });
    expect((await door.result("operator", waiting.taskId))?.status).toBe("QUEUED");
  });

  test("SAP-8 principles, also at a stage of a template that names no context level, and at each attempt", async () => {
    const task = await begin("mending", { payload: { please: "falter", topic: "told" } });
    await waitForSap(door, task.taskId, isFinal);
    const given = world.envelopes.filter(({ contract }) => contract?.taskId === `sap:${task.taskId}`);
    expect(given.map(({ execution }) => execution?.attemptNumber)).toEqual([1, 2]);
    for (const { contextIn } of given)
      expect(contextIn?.taskDelta).toContain("Principles: blueprint_thinking");
  });

  test("SAP-11 an attachment whose URI would be masked is refused by its field, and nothing is kept", async () => {
    const uri =
      "https://acct.blob.core.windows.net/c/b?sv=2022-11-02&sig=Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MDEyMzQ1Njc4OTA%3D";
    const attachments = [{ uri: "https://a.example/one.pdf" }, { uri }];
    const task = taskFor("consult.align", { attachments });
    const { nack } = await door.submit("operator", task);
    expect(nack?.error).toMatchObject({
      code: "INVALID_TASK",
      details: { violations: [{ field: "attachments[1].uri", rule: "no_secret" }] },
    });
    expect(JSON.stringify(nack)).not.toContain("Zm9v");
    expect(await door.result("operator", task.taskId)).toBeUndefined();
  });

  test("SAP-11 a reference that would be masked is refused by its field, and nothing is kept", async () => {
    const references = [
      "https://a.example/one",
      `https://deploy:${"a1B2".repeat(9)}@a.example/two`,
      "Ulpian",
    ];
    const task = taskFor("consult.align", {}, { references });
    const { nack } = await door.submit("operator", task);
    expect(nack?.error).toMatchObject({
      code: "INVALID_TASK",
      details: {
        violations: [
          {
            field: "constitutionalContext.references[1]",
            rule: "no_secret",
            message: expect.stringContaining("nobody could fetch it"),
          },
        ],
      },
    });
    expect(JSON.stringify(nack)).not.toContain("a1B2");
    expect(await door.result("operator", task.taskId)).toBeUndefined();
  });

  test("a secret in the payload reaches neither the file nor the cache", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const context = { cachePolicy: { mode: "prefer" } } as const;
    const task = await begin("consult.align", { payload: { note: `use ${secret}` } }, context);
    await waitForSap(door, task.taskId, isFinal);
    const transcript = JSON.stringify(await readSapTranscript(opened.engine, operator, task.taskId));
    expect(transcript).toContain("[redacted:");
    expect(transcript).not.toContain(secret);
    const again = await door.submit(
      "operator",
      taskFor("consult.align", { payload: { note: `use ${secret}` } }, context),
    );
    expect(again.result).toBeUndefined();
  });
});

const aligned = (constraint: string, mode: "prefer" | "only") => ({
  constraints: [constraint],
  pressure: { strategic_pause: 5 },
  cachePolicy: { mode, mustAlign: true },
});

test("SAP-47 SAP-48 a record made under other constraints hides none of before; a hit has the violations that its record had", async () => {
  const payload = { please: "falter", topic: "constraints" };
  const made: string[] = [];
  for (const constraint of ["No PII", "Cite"]) {
    const { taskId } = await begin("mending", { payload }, aligned(constraint, "prefer"));
    const { metrics, constitutionalEvidence } = await waitForSap(door, taskId, isFinal);
    expect(metrics).toMatchObject({ attempts: 2 });
    made.push(JSON.stringify(constitutionalEvidence.violations));
  }
  const before = world.envelopes.length;
  for (const [index, constraint] of ["No PII", "Cite"].entries()) {
    const only = taskFor(
      "mending",
      { payload },
      { ...aligned(constraint, "only"), pressure: { strategic_pause: 6, kindness: 1 } },
    );
    const { result } = await door.submit("operator", only);
    const { violations, policyChecks, cache } = result?.constitutionalEvidence ?? {};
    expect(cache).toMatchObject({ hit: true });
    expect(JSON.stringify(violations)).toBe(made[index]);
    expect(policyChecks).toMatchObject([
      { principle: "blueprint_thinking", status: "PASS" },
      { principle: "strategic_pause", status: "PASS" },
      { principle: "kindness", status: "NOT_JUDGED" },
    ]);
  }
  expect(world.envelopes).toHaveLength(before);
  const neither = taskFor("mending", { payload }, aligned("Be kind", "only"));
  expect((await door.submit("operator", neither)).result?.error?.message).toContain("constraints");
});

test("SAP-48 of many tasks that come at once each is answered by the record of its own key", async () => {
  const topics = Array.from({ length: 40 }, (_, index) => ({ topic: `many ${index}` }));
  for (const constraint of ["No PII", "Cite"]) {
    const made = await Promise.all(
      topics.map((payload) => begin("consult.align", { payload }, aligned(constraint, "prefer"))),
    );
    for (const { taskId } of made) await waitForSap(door, taskId, isFinal);
  }
  const before = world.envelopes.length;
  const answers = await Promise.all(
    topics.map((payload) =>
      door.submit("operator", taskFor("consult.align", { payload }, aligned("No PII", "only"))),
    ),
  );
  expect(answers.map(({ result }) => result?.output)).toMatchObject(topics.map((echoed) => ({ echoed })));
  expect(world.envelopes).toHaveLength(before);
});

test("SAP-9 what a program hands over that no text could carry is INVALID_TASK, with its ids", async () => {
  const task = taskFor("consult.align");
  const round: Record<string, unknown> = { ...task };
  round["payload"] = { round };
  let deep: unknown = 1;
  for (let level = 0; level < 20_000; level += 1) deep = { deep };
  const throwing = {
    ...task,
    payload: {
      toJSON: () => {
        throw new Error("no");
      },
    },
  };
  for (const value of [round, { ...task, payload: { big: 1n } }, { ...task, payload: { deep } }, throwing])
    expect((await exchangeSapTask(opened.engine, operator, value)).nack).toMatchObject({
      taskId: task.taskId,
      correlationId: task.correlationId,
      error: { code: "INVALID_TASK" },
    });
  for (const value of [undefined, () => task, Symbol("task")])
    expect((await exchangeSapTask(opened.engine, operator, value)).nack?.error.code).toBe("INVALID_TASK");
});

const recorded = async (q: string) =>
  (await listAudit(opened.engine, askedBy("auditor"), { q })).entries.length;

test("what was refused for its issuer or its pressure is on record, a mistake in a form is not", async () => {
  const refused = taskFor("ask");
  await door.submit("prime", refused);
  const wrong = taskFor("consult.align", { issuedAt: "now" });
  await door.submit("operator", wrong);
  expect(await recorded(refused.taskId)).toBe(1);
  expect(await recorded(wrong.taskId)).toBe(0);
});
