import { randomUUID } from "node:crypto";
import type { Result, ResultStatus } from "@signalbox/contracts/sap";
import { isFinal } from "@signalbox/core";
import { describe, expect, test } from "vitest";
import { readSapTranscript } from "../sap/read-sap-results.ts";
import { sapJudgedSuite } from "./sap-judged-suite.ts";
import { type SapDoorUnderTest, type SapSender, taskFor } from "./sap-world.ts";
import { askedBy } from "./test-engine.ts";
import { waitUntil } from "./wait-until.ts";

/** Masked alike, whatever the secret is. */
const saying = (secret: string) => ({
  payload: { topic: "SAP V2", note: `use ghp_${secret.repeat(9)}` },
});

/** SAP V2.0 §10: transports adapt framing, not semantics. Every door is held to the same. */
export function sapSuite(name: string, open: () => SapDoorUnderTest): void {
  const submit = (task: unknown, from: SapSender = "operator") => open().submit(from, task);
  const refusal = async (task: unknown, from: SapSender = "operator") =>
    (await submit(task, from)).nack?.error;
  const settled = (taskId: string) => waitForSap(open(), taskId, isFinal);

  describe(`SAP V2.0 by ${name}`, () => {
    test("a task is acknowledged, worked on, and answered with its Result; ids are kept", async () => {
      const task = taskFor("consult.align", { meta: { unknown: "kept" }, tags: ["t"] });
      const { ack, nack } = await submit(task);
      expect(nack).toBeUndefined();
      expect(ack).toMatchObject({ taskId: task.taskId, correlationId: task.correlationId, status: "QUEUED" });
      const result = await settled(task.taskId);
      expect(result).toMatchObject({
        protocolVersion: "2.0",
        taskId: task.taskId,
        correlationId: task.correlationId,
        producer: { agentId: "adviser", agentKind: "agent" },
        status: "SUCCEEDED",
        output: { echoed: task.payload, tier: "LOW" },
        constitutionalEvidence: {
          alignment: "VALID",
          policyChecks: [{ principle: "blueprint_thinking", status: "PASS" }],
          cache: { hit: false },
        },
      });
      expect(result.constitutionalEvidence.citations).toContain("ubos://constitution/books");
    });

    test("an agent issues what the policy lets it, and reads what it submitted", async () => {
      const task = taskFor("consult.align");
      expect((await submit(task, "prime")).ack?.taskId).toBe(task.taskId);
      await settled(task.taskId);
      expect((await open().result("prime", task.taskId))?.status).toBe("SUCCEEDED");
      const theirs = taskFor("consult.align");
      await submit(theirs);
      expect(await open().result("prime", theirs.taskId)).toBeUndefined();
    });

    test("INVALID_TASK says the field, and keeps the correlation", async () => {
      const { constitutionalContext: _left, ...rest } = taskFor("consult.align");
      const { nack } = await submit({ ...rest, constitutionalContext: {}, issuedAt: "yesterday" });
      expect(nack).toMatchObject({
        correlationId: rest.correlationId,
        taskId: rest.taskId,
        error: { code: "INVALID_TASK", message: expect.stringMatching(/./) },
      });
      expect(nack?.error.details.violations.map(({ field }) => field)).toEqual([
        "issuedAt",
        "constitutionalContext.pressureLevel",
      ]);
    });

    test("SAP-9 what the reader of JSON refuses is INVALID_TASK by its field too, and keeps the correlation", async () => {
      const deep = JSON.parse(`${"[".repeat(40)}${"]".repeat(40)}`);
      for (const [text, field, rule] of [
        ["a\0b", "payload.text", "text.nul"],
        ["a\ud800b", "payload.text", "text.unicode"],
        [deep, `payload.text${"[0]".repeat(30)}`, "limit.depth"],
      ]) {
        const task = taskFor("consult.align", { payload: { text } });
        expect((await submit(task)).nack).toMatchObject({
          correlationId: task.correlationId,
          taskId: task.taskId,
          error: { code: "INVALID_TASK", details: { violations: [{ field, rule }] } },
        });
      }
    });

    test("FORBIDDEN: an issuer that the policy does not name, or that the caller is not", async () => {
      expect(await refusal(taskFor("ask"), "prime")).toMatchObject({ code: "FORBIDDEN" });
      const posing = taskFor("consult.align", { issuer: { agentId: "gateway", agentKind: "system" } });
      expect(await refusal(posing, "prime")).toMatchObject({ code: "FORBIDDEN" });
      expect((await submit(posing)).ack).toBeDefined();
    });

    test("NOT_FOUND: nobody offers the capability, or not that agent", async () => {
      expect(await refusal(taskFor("paint"))).toMatchObject({ code: "NOT_FOUND" });
      expect(await refusal(taskFor("lost"))).toMatchObject({ code: "NOT_FOUND" });
      const elsewhere = taskFor("consult.align", {
        target: { capability: "consult.align", agentId: "painter" },
      });
      expect(await refusal(elsewhere)).toMatchObject({ code: "NOT_FOUND" });
    });

    test("UNPROCESSABLE: another task under the same id; the same one is answered as it stands", async () => {
      const task = taskFor("consult.align");
      await submit(task);
      await settled(task.taskId);
      expect(await submit(task)).toMatchObject({
        ack: { taskId: task.taskId, status: "SUCCEEDED" },
        result: { taskId: task.taskId, status: "SUCCEEDED", output: expect.anything() },
      });
      expect(await refusal({ ...task, payload: { topic: "another" } })).toMatchObject({
        code: "UNPROCESSABLE",
      });
      const unusable = taskFor("consult.align", { outputContract: { schema: { $ref: "#" } } });
      expect(await refusal(unusable)).toMatchObject({ code: "UNPROCESSABLE" });
      const masked = taskFor("consult.align", {
        outputContract: { schema: { type: "object", properties: { token: { type: "string" } } } },
      });
      expect(await refusal(masked)).toMatchObject({
        code: "UNPROCESSABLE",
        details: { violations: [{ field: "outputContract.schema.properties.token", rule: "masked" }] },
      });
      const unmeetable = taskFor("consult.align", {
        outputContract: { schema: { properties: {}, required: ["a"], additionalProperties: false } },
      });
      expect(await refusal(unmeetable)).toMatchObject({
        code: "UNPROCESSABLE",
        details: { violations: [{ field: "outputContract.schema.required.0" }] },
      });
    });

    test("SAP-13 two tasks under one id that differ only in what is masked are two", async () => {
      for (const context of [{}, { cachePolicy: { mode: "only" } }] as const) {
        const task = taskFor("consult.align", saying("a1B2"), context);
        expect((await submit(task)).ack).toBeDefined();
        expect((await submit(task)).ack).toBeDefined();
        expect(await refusal({ ...task, ...saying("c3D4") })).toMatchObject({
          code: "UNPROCESSABLE",
          details: { violations: [{ field: "taskId" }] },
        });
      }
    });

    test("TIMEOUT: the deadline has passed, whatever the cache would say", async () => {
      const telemetry = { deadline: "2020-01-01T00:00:00Z" };
      expect(await refusal(taskFor("consult.align", { telemetry }))).toMatchObject({ code: "TIMEOUT" });
      const asked = taskFor("consult.align", { telemetry }, { cachePolicy: { mode: "only" } });
      expect(await refusal(asked)).toMatchObject({ code: "TIMEOUT" });
    });

    test("NON_CONSTITUTIONAL: more pressure than the policy bears", async () => {
      const pressed = taskFor("consult.align", {}, { pressure: { strategic_pause: 91 } });
      expect(await refusal(pressed)).toMatchObject({ code: "NON_CONSTITUTIONAL" });
      const misspelt = taskFor("consult.align", {}, { pressure: { "Strategic-Pause": 91 } });
      expect(await refusal(misspelt)).toMatchObject({
        code: "INVALID_TASK",
        details: {
          violations: [
            {
              field: "constitutionalContext.pressure.Strategic-Pause",
              message: expect.stringContaining('the policy in force calls it "strategic_pause"'),
            },
          ],
        },
      });
    });

    test("CACHE_MISS, then a hit: a Result at once, without a dispatch", async () => {
      const payload = { topic: randomUUID() };
      const only = { mode: "only", mustAlign: true } as const;
      const pressure = { strategic_pause: 5 };
      const missed = await submit(taskFor("consult.align", { payload }, { cachePolicy: only, pressure }));
      expect(missed.result).toMatchObject({
        status: "FAILED",
        error: { code: "CACHE_MISS" },
        constitutionalEvidence: {
          cache: { hit: false },
          policyChecks: [
            { principle: "blueprint_thinking", status: "NOT_JUDGED" },
            { principle: "strategic_pause", status: "NOT_JUDGED" },
          ],
        },
      });
      const first = taskFor("consult.align", { payload }, { cachePolicy: { mode: "prefer" } });
      await submit(first);
      await settled(first.taskId);
      const again = taskFor("consult.align", { payload: { ...payload, seed: 7 } }, { cachePolicy: only });
      const { ack, result } = await submit(again);
      expect(ack?.status).toBe("SUCCEEDED");
      expect(result).toMatchObject({
        taskId: again.taskId,
        correlationId: again.correlationId,
        output: { echoed: payload },
        constitutionalEvidence: {
          alignment: "VALID",
          cache: { hit: true, cacheKey: expect.stringMatching(/^[0-9a-f]{64}$/), ageSec: expect.any(Number) },
        },
      });
      expect(result).not.toHaveProperty("meta.pipelineId");
      expect(await open().result("operator", again.taskId)).toEqual(result);
    });

    test("SAP-27 who wants no acknowledgement is told by a Result, which is the first on file", async () => {
      const task = taskFor("consult.align", { replyTo: { expectAck: false } });
      const { ack, result } = await submit(task);
      expect(ack).toBeUndefined();
      expect(result).toMatchObject({
        status: "QUEUED",
        constitutionalEvidence: { alignment: "VALID", policyChecks: [{ status: "NOT_JUDGED" }] },
      });
      await settled(task.taskId);
      const { results } = await readSapTranscript(open().engine, askedBy("operator"), task.taskId);
      expect(results[0]?.result).toEqual(result);
      expect(results.map((one) => one.result.status)).toEqual(["QUEUED", "RUNNING", "SUCCEEDED"]);
    });

    test("a Result of a task that nobody submitted is not there", async () => {
      expect(await open().result("operator", randomUUID())).toBeUndefined();
      expect(await open().result("operator", "no-uuid")).toBeUndefined();
    });
  });

  sapJudgedSuite(name, open, (taskId, fits) => waitForSap(open(), taskId, fits));
}

/** The Result, once its status is such. */
export async function waitForSap(
  door: Pick<SapDoorUnderTest, "result">,
  taskId: string,
  fits: (status: ResultStatus) => boolean,
): Promise<Result> {
  let found: Result | undefined;
  await waitUntil(async () => {
    found = await door.result("operator", taskId);
    return found !== undefined && fits(found.status);
  });
  if (found === undefined) throw new Error(`task ${taskId} has no Result`);
  return found;
}
