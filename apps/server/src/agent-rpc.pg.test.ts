import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { status } from "@grpc/grpc-js";
import { ControlPlaneService, ErrorDetailSchema, HealthStatus } from "@signalbox/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { callMetadata, type GrpcJsClient, grpcJsClient, refusalOf } from "./testing/grpc-js-client.ts";
import { packId, prepare, success, task } from "./testing/plain-agent.ts";
import { type RestClient, withKey } from "./testing/rest-client.ts";
import { bearer, startTestServer, type TestServer } from "./testing/test-server.ts";

let server: TestServer;
let admin: RestClient;
let agentKey = "";
let client: GrpcJsClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = withKey(server, server.adminKey);
  agentKey = await server.keyOf("agent");
  client = grpcJsClient(server.port);
  await prepare(admin);
});
afterAll(async () => {
  client.close();
  await server.dispose();
});

const instanceId = "by-grpc-js";
const call = (method: string, request: object, key = agentKey) =>
  client.call(method, request, callMetadata(key));

const envelope = z.looseObject({
  protocolVersion: z.looseObject({ schemaVersion: z.string() }),
  trace: z.looseObject({ traceId: z.string() }),
  execution: z.looseObject({ dispatchId: z.string(), attemptNumber: z.number(), idempotencyKey: z.string() }),
});
const leased = z.looseObject({
  envelopes: z.array(envelope).default([]),
  lostDispatchIds: z.array(z.string()).default([]),
});

describe("an agent over gRPC, from the published proto files", () => {
  test("works a pipeline to its end: heartbeats, leases, renews, reports", async () => {
    const heartbeat = { packId, instanceId, health: { status: "HEALTH_STATUS_HEALTHY" } };
    const heard = await call("Heartbeat", { heartbeat });
    expect(heard).toMatchObject({ error: null, answer: { healthStatus: "HEALTH_STATUS_HEALTHY" } });
    const submitted = await admin("POST", "/v1/tasks", { body: task });
    const reported: string[] = [];
    for (const _ of ["build", "review"]) {
      const { error, answer } = await call("Lease", { packId, instanceId, maxTasks: 1, waitSeconds: 10 });
      expect(error).toBeNull();
      const [taken] = leased.parse(answer).envelopes;
      if (taken === undefined) throw new Error("nothing came");
      const { dispatchId, attemptNumber } = taken.execution;
      const renewing = await call("Lease", {
        packId,
        instanceId,
        renew: [
          { dispatchId, attemptNumber },
          { dispatchId: "unknown", attemptNumber: 1 },
        ],
      });
      expect(leased.parse(renewing.answer).lostDispatchIds).toEqual(["unknown"]);
      const result = success(taken);
      const first = await call("ReportResult", { dispatchId, result });
      expect(first).toMatchObject({ error: null, answer: { receivedAt: {} } });
      expect((await call("ReportResult", { dispatchId, result })).answer).toEqual(first.answer);
      reported.push(dispatchId);
    }
    const pipeline = await admin("GET", `/v1/pipelines/${submitted.json.text("pipelineId")}`);
    expect(pipeline.json.at("status")).toBe("PIPELINE_STATUS_COMPLETED");
    expect(new Set(reported).size).toBe(2);
  });

  test.each<[string, object, string, number]>([
    ["Heartbeat", {}, "heartbeat", status.INVALID_ARGUMENT],
    ["Heartbeat", { heartbeat: { packId } }, "heartbeat.instance_id", status.INVALID_ARGUMENT],
    ["Lease", { packId, instanceId, maxTasks: 101 }, "max_tasks", status.INVALID_ARGUMENT],
    ["Lease", { packId, instanceId }, "maxTasks", status.INVALID_ARGUMENT],
    ["ReportResult", { dispatchId: "a-d0.1" }, "result", status.INVALID_ARGUMENT],
  ])("%s of %j is refused by %s", async (method, request, field, code) => {
    const { error } = await call(method, request);
    expect(error?.code).toBe(code);
    expect(refusalOf(error)).toMatchObject({
      code: "VALIDATION_FAILED",
      violations: expect.arrayContaining([expect.objectContaining({ field })]),
    });
  });

  test("what is unknown, stale, not allowed, and not there yet", async () => {
    const result = { protocolVersion: { schemaVersion: "1.0.0" } };
    const unknown = await call("ReportResult", { dispatchId: "a-d0.1", result });
    expect(refusalOf(unknown.error)).toMatchObject({ code: "NOT_FOUND" });
    const unnamed = await call("ReportResult", { result: { ...result, dispatchId: "a-d0.1" } });
    expect(refusalOf(unnamed.error)).toMatchObject({
      code: "VALIDATION_FAILED",
      violations: [{ field: "dispatch_id", rule: "required", message: "is required" }],
    });
    const viewer = await server.keyOf("viewer");
    for (const [method, request] of [
      ["Heartbeat", { heartbeat: { packId, instanceId } }],
      ["Lease", { packId, instanceId, maxTasks: 1 }],
    ] as const) {
      expect((await call(method, request, viewer)).error?.code).toBe(status.PERMISSION_DENIED);
    }
    const handoff = { attempt: { dispatchId: "a-d0.1", attemptNumber: 1 }, taskType: "build", reason: "why" };
    expect((await call("RequestHandoff", handoff)).error?.code).toBe(status.NOT_FOUND);
    expect((await call("RequestHandoff", handoff, viewer)).error?.code).toBe(status.PERMISSION_DENIED);
  });
});

describe.each<[string, () => Transport]>([
  ["Connect", () => createConnectTransport({ baseUrl: server.origin, httpVersion: "1.1" })],
  ["gRPC-web", () => createGrpcWebTransport({ baseUrl: server.origin, httpVersion: "1.1" })],
  ["gRPC", () => createGrpcTransport({ baseUrl: server.origin })],
])("an agent over %s", (name, transport) => {
  test("heartbeats, leases what there is, and is told why a report is refused", async () => {
    const connect = createClient(ControlPlaneService, transport());
    const headers = bearer(agentKey);
    const of = { packId, instanceId: name.toLowerCase() };
    const health = { status: HealthStatus.HEALTHY };
    expect(await connect.heartbeat({ heartbeat: { ...of, health } }, { headers })).toMatchObject({
      healthStatus: HealthStatus.HEALTHY,
      drain: false,
    });
    expect((await connect.lease({ ...of, maxTasks: 1 }, { headers })).envelopes).toEqual([]);
    const refused = await connect
      .reportResult({ dispatchId: "a-d0.1", result: {} }, { headers })
      .catch((reason: unknown) => ConnectError.from(reason));
    if (!(refused instanceof ConnectError)) throw new Error("a report on nothing was taken");
    expect(refused.code).toBe(Code.NotFound);
    expect(refused.findDetails(ErrorDetailSchema)).toMatchObject([{ code: "NOT_FOUND" }]);
  });

  test("INST-6 is told to drain while somebody asks for it, and no longer", async () => {
    const connect = createClient(ControlPlaneService, transport());
    const of = { packId, instanceId: name.toLowerCase() };
    const health = { status: HealthStatus.HEALTHY };
    const beat = async () =>
      connect.heartbeat({ heartbeat: { ...of, health } }, { headers: bearer(agentKey) });
    await beat();
    const path = `/v1/instances/${packId}/${of.instanceId}`;
    expect((await admin("POST", `${path}/drain`, { body: { note: "why" } })).status).toBe(204);
    expect(await beat()).toMatchObject({ drain: true, healthStatus: HealthStatus.HEALTHY });
    expect((await admin("POST", `${path}/resume`, { body: {} })).status).toBe(204);
    expect(await beat()).toMatchObject({ drain: false });
  });

  test("a call that is given up while it waits is cancelled", async () => {
    const connect = createClient(ControlPlaneService, transport());
    const gone = new AbortController();
    const waiting = connect
      .lease(
        { packId, instanceId: name.toLowerCase(), maxTasks: 1, waitSeconds: 60 },
        {
          headers: bearer(agentKey),
          signal: gone.signal,
        },
      )
      .catch((reason: unknown) => ConnectError.from(reason));
    gone.abort();
    expect(await waiting).toMatchObject({ code: Code.Canceled });
  });
});
