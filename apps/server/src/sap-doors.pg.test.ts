import { type Result, ResultSchema } from "@signalbox/contracts/sap";
import {
  type SapDoorUnderTest,
  type SapSender,
  sapSuite,
  taskFor,
  waitForSap,
} from "@signalbox/engine/testing";
import { isFinal } from "@signalbox/core";
import { noLimits } from "@signalbox/api";
import { readRows } from "@signalbox/db/testing";
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
  get engine() {
    return server.engine;
  },
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

  test("SAP-27 a Result that is not the last is 201 too, with the place where the next is", async () => {
    const task = taskFor("consult.align", { replyTo: { expectAck: false } });
    const { status, headers, json } = await submit("operator", task);
    expect([status, headers.get("location"), json.at("result", "status")]).toEqual([
      201,
      `/v1/sap/tasks/${task.taskId}/result`,
      "QUEUED",
    ]);
    expect((await waitForSap(http, task.taskId, isFinal)).status).toBe("SUCCEEDED");
    const again = await submit("operator", task);
    expect([again.status, again.json.at("result", "status")]).toEqual([200, "SUCCEEDED"]);
  });

  test("the correlation comes back on every refusal, and on the transcript; capitals are the same id", async () => {
    const told = ({ status, headers }: Awaited<ReturnType<typeof submit>>) => [
      status,
      headers.get("x-correlation-id"),
    ];
    const late = { telemetry: { deadline: "2020-01-01T00:00:00Z" } };
    const unread = { attachments: [{ uri: "javascript:alert(1)" }] };
    const refusals: [SapSender, ReturnType<typeof taskFor>, number][] = [
      ["prime", taskFor("ask"), 403],
      ["operator", taskFor("paint"), 404],
      ["operator", taskFor("consult.align", unread), 422],
      ["operator", taskFor("consult.align", late), 504],
    ];
    for (const [from, task, status] of refusals)
      expect(told(await submit(from, task))).toEqual([status, task.correlationId]);
    const task = taskFor("consult.align");
    const headers = { "X-Correlation-Id": task.correlationId };
    const large = { ...task, payload: { text: "x".repeat(20 * 1024 * 1024) } };
    for (const [from, body, status] of [
      ["nobody", task, 401],
      ["operator", large, 413],
    ] as const) {
      const refused = await submit(from, body, headers);
      expect(told(refused)).toEqual([status, task.correlationId]);
      expect(refused.json.at("nack", "correlationId")).toBe(task.correlationId);
      expect(told(await submit(from, body))).toEqual([status, null]);
      const noId = await submit(from, body, { "X-Correlation-Id": "mine" });
      expect([...told(noId), noId.json.at("nack", "correlationId")]).toEqual([status, null, null]);
    }
    const unknown = await call("operator")("GET", `/v1/sap/tasks/${task.taskId}`, { headers });
    expect(told(unknown)).toEqual([404, task.correlationId]);
    const capitals = { "X-Correlation-Id": task.correlationId.toUpperCase() };
    const asSent = capitals["X-Correlation-Id"];
    expect(told(await submit("operator", task, capitals))).toEqual([201, asSent]);
    expect(told(await submit("operator", { ...task, issuedAt: "now" }, capitals))).toEqual([422, asSent]);
    const read = { headers: capitals };
    for (const what of ["", "/result"])
      expect(told(await call("operator")("GET", `/v1/sap/tasks/${task.taskId}${what}`, read))).toEqual([
        200,
        asSent,
      ]);
    const elsewhere = { headers: { "X-Correlation-Id": crypto.randomUUID() } };
    const other = await call("operator")("GET", `/v1/sap/tasks/${task.taskId}`, elsewhere);
    expect(told(other)).toEqual([200, task.correlationId]);
    const transcript = await call("operator")("GET", `/v1/sap/tasks/${task.taskId}`);
    expect(told(transcript)).toEqual([200, task.correlationId]);
    await waitForSap(http, task.taskId, isFinal);
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

  test("RATE_LIMIT: who sends too much is told so, and when to come back", async () => {
    const origin = await server.listen({ ...noLimits, key: { perSecond: 1, burst: 1, open: 9 } });
    const limited = restClient({ origin }, bearer(server.keys.operator));
    const tasks = [taskFor("consult.align"), taskFor("consult.align")];
    const answers = await Promise.all(
      tasks.map((body) =>
        limited("POST", "/v1/sap/tasks", { body, headers: { "X-Correlation-Id": body.correlationId } }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect([refused?.json.at("nack", "error", "code"), refused?.headers.get("retry-after")]).toEqual([
      "RATE_LIMIT",
      "1",
    ]);
    expect(refused?.json.at("nack", "correlationId")).toBe(refused?.headers.get("x-correlation-id"));
    const correlated = answers.map(({ headers }) => headers.get("x-correlation-id"));
    expect(correlated).toEqual(tasks.map(({ correlationId }) => correlationId));
    expect(await call("operator")("POST", "/v1/sap/tasks", { body: tasks[1] })).toMatchObject({
      status: 201,
    });
    // What is still at work would meet the table that the next test mislays.
    for (const [index, { status }] of answers.entries())
      if (status === 201 || index === 1) await waitForSap(http, tasks[index]?.taskId ?? "", isFinal);
  });

  test("INTERNAL: a fault of ours says nothing of what is inside, and the same task is taken once it is mended", async () => {
    const task = taskFor("consult.align");
    await readRows(server.databaseUrl, "alter table signalbox.sap_tasks rename to mislaid");
    const failed = await submit("operator", task);
    await readRows(server.databaseUrl, "alter table signalbox.mislaid rename to sap_tasks");
    expect([failed.status, failed.json.at("nack")]).toEqual([
      500,
      {
        messageId: failed.headers.get("x-request-id"),
        correlationId: task.correlationId,
        taskId: task.taskId,
        error: { code: "INTERNAL", message: expect.any(String), details: { violations: [] } },
      },
    ]);
    expect(JSON.stringify(failed.json.value)).not.toMatch(/sap_tasks|mislaid|does not exist/);
    expect((await submit("operator", task)).status).toBe(201);
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
