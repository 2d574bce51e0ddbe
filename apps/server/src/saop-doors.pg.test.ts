import { randomUUID } from "node:crypto";
import { createClient } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { status } from "@grpc/grpc-js";
import { ControlPlaneService } from "@signalbox/contracts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { callMetadata, type GrpcJsClient, grpcJsClient, refusalOf } from "./testing/grpc-js-client.ts";
import { plainAgent, prepare, task } from "./testing/plain-agent.ts";
import { type RestClient, withKey } from "./testing/rest-client.ts";
import { bearer, startTestServer, type TestServer } from "./testing/test-server.ts";

let server: TestServer;
let admin: RestClient;
let agentKey = "";
let agent: ReturnType<typeof plainAgent>;
let call: RestClient;
let client: GrpcJsClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = withKey(server, server.adminKey);
  agentKey = await server.keyOf("agent");
  call = withKey(server, agentKey);
  agent = plainAgent(call);
  client = grpcJsClient(server.port);
  await prepare(admin);
  await agent.beat();
});
afterAll(async () => {
  client.close();
  await server.dispose();
});

let pipelineId = "";
/** The agent takes one task at a time. */
afterEach(() => admin("POST", `/v1/pipelines/${pipelineId}/abort`));

async function atWork() {
  pipelineId = (await admin("POST", "/v1/tasks", { body: task })).json.text("pipelineId");
  const envelope = await agent.take();
  return { dispatchId: envelope.execution.dispatchId };
}

type Fields = Record<string, string | number | boolean>;
const timestamp = "2026-02-21T09:30:00Z";
const turn = (turnIndex: number) => ({
  turn_index: turnIndex,
  agent_id: "developer",
  role: "developer",
  content: { thought: "The lock is taken twice.", action: "Release it.", observation: "The test hangs." },
  metadata: { version: "1.0.0", task_id: "TASK-1", timestamp, confidence: 0.8, estimated_complexity: "low" },
});
const event = (payload: Fields, more: Fields = {}) => ({
  event_id: randomUUID(),
  session_id: "s-1",
  ...more,
  payload,
});
const line = (text: string, more: Fields = {}) =>
  event({ type: "SANDBOX_PULSE", line: text, masked: false, timestamp }, more);
const thought = (chunk: string, sequence: number, isFinal = false) =>
  event(
    { type: "THOUGHT_STREAM", agent_id: "developer", turn_index: 0, chunk, is_final: isFinal },
    { sequence },
  );

/** A google.protobuf.Struct as @grpc/grpc-js sends it, which knows nothing of JSON. */
const struct = (value: object): object => ({
  fields: Object.fromEntries(Object.entries(value).map(([name, part]) => [name, structValue(part)])),
});
function structValue(value: unknown): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "number") return { numberValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (Array.isArray(value)) return { listValue: { values: value.map(structValue) } };
  return { structValue: struct(Object(value)) };
}

describe("an agent that only knows fetch", () => {
  test("reports turns and events, which a reader finds in order, behind the pipeline's transitions", async () => {
    const { dispatchId } = await atWork();
    for (const index of [1, 0]) {
      const kept = await call("POST", `/v1/dispatches/${dispatchId}/turns`, { body: turn(index) });
      expect([kept.status, kept.json.value]).toEqual([200, { receivedAt: expect.stringMatching(/Z$/) }]);
    }
    const chunks = [
      thought("th", 2),
      thought("for it", 4, true),
      thought("I use ghp_", 0),
      thought("en ", 3),
    ];
    const rest = thought("aB3dE6gH9".repeat(4), 1);
    for (const events of [chunks, [rest], chunks])
      expect((await call("POST", `/v1/dispatches/${dispatchId}/events`, { body: { events } })).status).toBe(
        200,
      );
    const turns = await admin("GET", `/v1/pipelines/${pipelineId}/turns`);
    expect(turns.json.at("turns")).toMatchObject(
      [0, 1].map((index) => ({
        stageId: "build",
        dispatchId,
        attemptNumber: 1,
        turn: turn(index),
        marks: [],
      })),
    );
    const page = await admin("GET", `/v1/pipelines/${pipelineId}/events?type=THOUGHT_STREAM&limit=2`);
    const cursor = page.json.text("nextCursor");
    const next = await admin(
      "GET",
      `/v1/pipelines/${pipelineId}/events?type=THOUGHT_STREAM&cursor=${cursor}`,
    );
    const found = [0, 1].map((at) => page.json.at("events", at, "event", "payload", "chunk"));
    const further = [0, 1, 2].map((at) => next.json.at("events", at, "event", "payload", "chunk"));
    expect([...found, ...further].join("")).toBe("I use [redacted:github-token] for it");
    const transitions = await admin("GET", `/v1/pipelines/${pipelineId}/events?type=TASK_TRANSITION`);
    expect(transitions.json.at("events", 0)).toMatchObject({
      stageId: null,
      dispatchId: null,
      event: { session_id: pipelineId, payload: { from_state: "PENDING", to_state: "RUNNING" } },
    });
  });

  test("is told what is wrong by field and by place in the batch, and nothing of such a batch is kept", async () => {
    const { dispatchId } = await atWork();
    const path = `/v1/dispatches/${dispatchId}`;
    const refusals: [path: string, body: object, status: number, field: string][] = [
      [
        `${path}/turns`,
        { ...turn(0), metadata: { ...turn(0).metadata, confidence: 2 } },
        422,
        "metadata.confidence",
      ],
      [`${path}/turns`, {}, 422, "turn_index"],
      [`${path}/events`, {}, 422, "events"],
      [`${path}/events`, { events: [] }, 422, "events"],
      [
        `${path}/events`,
        { events: [line("a"), { ...line("b"), payload: { type: "X" } }] },
        422,
        "events[1].payload.type",
      ],
      [
        `${path}/events`,
        { events: [line("a", { sequence: 0 }), line("b", { sequence: 0 })] },
        422,
        "events[1].sequence",
      ],
    ];
    for (const [to, body, expected, field] of refusals) {
      const refused = await call("POST", to, { body });
      expect([refused.status, refused.json.at("violations", 0, "field")]).toEqual([expected, field]);
    }
    const own = await admin("GET", `/v1/pipelines/${pipelineId}/events?type=SANDBOX_PULSE`);
    expect(own.json.at("events")).toEqual([]);
    for (const query of ["type=OTHER", "cursor=x", "cursor=WyJwIiwiMSJd", "limit=0", "stage=a"])
      expect((await admin("GET", `/v1/pipelines/${pipelineId}/events?${query}`)).status).toBe(422);
  });
});

const send = (method: string, request: object) => client.call(method, request, callMetadata(agentKey));

describe("an agent over gRPC, from the published proto files", () => {
  test("reports turns and events, and is refused by field", async () => {
    const { dispatchId } = await atWork();
    const attempt = { dispatchId, attemptNumber: 1 };
    const kept = await send("ReportTurn", { attempt, turn: struct(turn(0)) });
    expect(kept).toMatchObject({ error: null, answer: { receivedAt: {} } });
    const events = [line("one"), line("two")];
    const batch = await send("ReportEvents", { attempt, events: events.map(struct) });
    expect(batch).toMatchObject({ error: null, answer: { receivedAt: {} } });
    // The same event by another door is the same event.
    const again = await call("POST", `/v1/dispatches/${dispatchId}/events`, { body: { events } });
    expect(again.status).toBe(200);
    const found = await admin("GET", `/v1/pipelines/${pipelineId}/events?type=SANDBOX_PULSE`);
    expect(found.json.at("events")).toMatchObject(events.map((one) => ({ event: one })));
    const refusals: [string, object, string][] = [
      ["ReportTurn", { attempt, turn: struct({ ...turn(1), role: "cook" }) }, "turn.role"],
      ["ReportTurn", { attempt }, "turn"],
      ["ReportTurn", { turn: struct(turn(1)) }, "attempt"],
      ["ReportEvents", { attempt, events: [struct(line("x")), struct({})] }, "events[1].event_id"],
      [
        "ReportEvents",
        { attempt: { ...attempt, attemptNumber: 2 }, events: [struct(line("x"))] },
        "attempt.attempt_number",
      ],
    ];
    for (const [method, request, field] of refusals) {
      const { error } = await send(method, request);
      expect(error?.code).toBe(status.INVALID_ARGUMENT);
      expect(refusalOf(error).violations[0]).toMatchObject({ field });
    }
    await admin("POST", `/v1/pipelines/${pipelineId}/abort`);
    const late = await send("ReportEvents", { attempt, events: [struct(line("late"))] });
    expect(late.error?.code).toBe(status.FAILED_PRECONDITION);
    expect(refusalOf(late.error).code).toBe("STALE_DISPATCH");
  });
});

test.each([
  ["Connect", () => createConnectTransport({ baseUrl: server.origin, httpVersion: "1.1" })],
  ["gRPC-web", () => createGrpcWebTransport({ baseUrl: server.origin, httpVersion: "1.1" })],
  ["gRPC", () => createGrpcTransport({ baseUrl: server.origin })],
])("an agent over %s reports a turn and events", async (_name, transport) => {
  const { dispatchId } = await atWork();
  const plane = createClient(ControlPlaneService, transport());
  const attempt = { dispatchId, attemptNumber: 1 };
  const options = { headers: bearer(agentKey) };
  expect((await plane.reportTurn({ attempt, turn: turn(0) }, options)).receivedAt).toBeDefined();
  expect((await plane.reportEvents({ attempt, events: [line("one")] }, options)).receivedAt).toBeDefined();
  const turns = await admin("GET", `/v1/pipelines/${pipelineId}/turns?stageId=build`);
  expect(turns.json.at("turns", 0, "turn")).toEqual(turn(0));
});
