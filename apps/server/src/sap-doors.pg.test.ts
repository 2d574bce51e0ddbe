import { type Result, ResultSchema } from "@signalbox/contracts/sap";
import { type SapDoorUnderTest, type SapSender, sapSuite, taskFor } from "@signalbox/engine/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { restClient } from "./testing/rest-client.ts";
import { type SapServer, startSapServer } from "./testing/sap-server.ts";
import { bearer } from "./testing/test-server.ts";

let server: SapServer;
beforeAll(async () => {
  server = await startSapServer();
});
afterAll(() => server.dispose());

const call = (from: SapSender) => restClient(server, bearer(server.keys[from]));
const submit = (from: SapSender, body: object, headers: Record<string, string> = {}) =>
  call(from)("POST", "/v1/sap/tasks", { body, headers });

const http: SapDoorUnderTest = {
  name: "HTTP",
  submit: async (from, task) => {
    const { json } = await submit(from, Object(task));
    return Object(json.value);
  },
  result: async (from, taskId): Promise<Result | undefined> => {
    const { status, json } = await call(from)("GET", `/v1/sap/tasks/${taskId}/result`);
    return status === 404 ? undefined : ResultSchema.parse(json.value);
  },
};

sapSuite("HTTP", () => http);

describe("§10 over HTTP", () => {
  test("the correlation goes in and out by header; another one than the envelope's is refused", async () => {
    const task = taskFor("consult.align");
    const accepted = await submit("operator", task, { "X-Correlation-Id": task.correlationId });
    expect(accepted.status).toBe(201);
    expect(accepted.headers.get("x-correlation-id")).toBe(task.correlationId);
    const result = await call("operator")("GET", accepted.headers.get("location") ?? "");
    expect(result.headers.get("x-correlation-id")).toBe(task.correlationId);
    const other = crypto.randomUUID();
    const refused = await submit("operator", taskFor("consult.align"), { "X-Correlation-Id": other });
    expect(refused.status).toBe(422);
    expect(refused.headers.get("x-correlation-id")).toBe(other);
    expect(refused.json.at("violations", 0, "field")).toBe("X-Correlation-Id");
  });

  test("UNAUTHORIZED, FORBIDDEN and INVALID_TASK are Nacks in the words of SAP and problems in ours", async () => {
    const task = taskFor("ask");
    const unknown = await submit("nobody", task);
    expect([unknown.status, unknown.json.at("code"), unknown.json.at("nack", "error", "code")]).toEqual([
      401,
      "UNAUTHENTICATED",
      "UNAUTHORIZED",
    ]);
    const forbidden = await submit("prime", task);
    expect([forbidden.status, forbidden.json.at("nack")]).toEqual([
      403,
      {
        messageId: forbidden.headers.get("x-request-id"),
        correlationId: task.correlationId,
        taskId: task.taskId,
        error: { code: "FORBIDDEN", message: expect.stringContaining("issue"), details: { violations: [] } },
      },
    ]);
    const broken = await call("operator")("POST", "/v1/sap/tasks", {
      body: "{",
      headers: { "content-type": "application/json" },
    });
    expect([
      broken.status,
      broken.json.at("nack", "error", "code"),
      broken.json.at("nack", "correlationId"),
    ]).toEqual([400, "INVALID_TASK", null]);
  });

  test("the transcript has the task and each Result with digests, and is nobody else's", async () => {
    const task = taskFor("consult.align", {}, { cachePolicy: { mode: "only" } });
    expect((await submit("operator", task)).status).toBe(200);
    const { json } = await call("operator")("GET", `/v1/sap/tasks/${task.taskId}`);
    expect(json.value).toMatchObject({
      task,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      results: [{ result: { error: { code: "CACHE_MISS" } } }],
    });
    expect((await call("prime")("GET", `/v1/sap/tasks/${task.taskId}`)).status).toBe(404);
  });
});
