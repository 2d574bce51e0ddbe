import { randomUUID } from "node:crypto";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { ControlPlaneService } from "@signalbox/contracts";
import { readRows } from "@signalbox/db/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { plainAgent, prepare, success, task } from "./testing/plain-agent.ts";
import { withKey } from "./testing/rest-client.ts";
import { bearer, startTestServer, type TestServer } from "./testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await prepare(withKey(server, server.adminKey));
});
afterAll(() => server.dispose());

/** Behind the process's back, as another node does it. */
const revoke = (key: string) =>
  readRows(
    server.databaseUrl,
    `update signalbox.keys set revoked_at = now() where prefix = '${key.slice(0, 6)}'`,
  );

const wasUsed = (key: string) =>
  readRows(
    server.databaseUrl,
    `select last_used_at is not null as used from signalbox.keys where prefix = '${key.slice(0, 6)}'`,
  );

const timestamp = "2026-02-21T09:30:00Z";
const pulse = () => ({
  event_id: randomUUID(),
  session_id: "s-1",
  payload: { type: "SANDBOX_PULSE", line: "12 passed", masked: false, timestamp },
});
const turn = (turnIndex: number) => ({
  turn_index: turnIndex,
  agent_id: "developer",
  role: "developer",
  content: { thought: "The lock is taken twice.", action: "Release it.", observation: "The test hangs." },
  metadata: { version: "1.0.0", task_id: "TASK-1", timestamp, confidence: 0.8, estimated_complexity: "low" },
});

test("a key that was looked up a moment ago and is revoked since opens nothing, and is told of nothing else", async () => {
  const keys = { revoked: await server.keyOf("agent"), kept: await server.keyOf("agent") };
  const admin = withKey(server, server.adminKey);
  const [lost, kept] = [withKey(server, keys.revoked), withKey(server, keys.kept)];
  const agent = plainAgent(lost);
  expect((await agent.beat()).status).toBe(200);
  await admin("POST", "/v1/tasks", { body: task });
  const envelope = await agent.take();
  const { dispatchId } = envelope.execution;
  const way = (what: string) => `/v1/dispatches/${dispatchId}/${what}`;
  expect((await lost("POST", way("events"), { body: { events: [pulse()] } })).status).toBe(200);
  expect((await lost("POST", way("turns"), { body: turn(1) })).status).toBe(200);
  expect((await kept("POST", way("turns"), { body: turn(2) })).status).toBe(200);
  const rows = () =>
    readRows(
      server.databaseUrl,
      `select (select count(*) from signalbox.turns) turns, (select sum(cardinality(event_ids)) from signalbox.trace_runs) events, (select count(*) from signalbox.results) results,
        (select count(*) from signalbox.audit_entries) entries,
        (select max(heard_at) from signalbox.instances) heard`,
    );

  await revoke(keys.revoked);
  const before = await rows();
  const answers = await Promise.all([
    agent.beat(),
    lost("POST", "/v1/heartbeats", { body: {} }),
    lost("POST", way("events"), { body: { events: [pulse()] } }),
    lost("POST", way("events"), { body: { events: [{}] } }),
    lost("POST", way("turns"), { body: turn(3) }),
    lost("POST", way("turns"), { body: { turn_index: "x" } }),
    lost("POST", "/v1/dispatches/none/turns", { body: turn(3) }),
    lost("POST", way("renew")),
    agent.report(success(envelope)),
    // Kept, it would count against the instance.
    lost("POST", way("result"), { body: { ...success(envelope), attemptNumber: 7 } }),
  ]);
  expect(answers.map(({ status, json }) => [status, json.text("code")])).toEqual(
    answers.map(() => [401, "UNAUTHENTICATED"]),
  );
  expect(await rows()).toEqual(before);

  // In one group with it, whoever else reports is heard.
  const together = await Promise.all([
    lost("POST", way("turns"), { body: turn(4) }),
    kept("POST", way("turns"), { body: turn(4) }),
    agent.beat(),
    plainAgent(kept).beat(),
  ]);
  expect(together.map(({ status }) => status)).toEqual([401, 200, 401, 200]);
});

test("a key that is revoked while it waits for work is given none: the wait ends, and the work is the next one's", async () => {
  const keys = { revoked: await server.keyOf("agent"), kept: await server.keyOf("agent") };
  const next = plainAgent(withKey(server, keys.kept), "plain-dev-2");
  expect((await next.beat()).status).toBe(200);
  const wait = plainAgent(withKey(server, keys.revoked), "plain-dev-2").lease({ waitSeconds: 60 });
  await vi.waitFor(async () => expect(await wasUsed(keys.revoked)).toEqual([{ used: true }]));
  await revoke(keys.revoked);
  const { status, json } = await wait;
  expect([status, json.text("code")]).toEqual([401, "UNAUTHENTICATED"]);
  await withKey(server, server.adminKey)("POST", "/v1/tasks", { body: task });
  expect(await next.take()).toMatchObject({ execution: { attemptNumber: 1 } });
});

test.each([
  ["Connect", () => createConnectTransport({ baseUrl: server.origin, httpVersion: "1.1" })],
  ["gRPC-web", () => createGrpcWebTransport({ baseUrl: server.origin, httpVersion: "1.1" })],
  ["gRPC", () => createGrpcTransport({ baseUrl: server.origin })],
])("so does a wait over %s", async (_, transport) => {
  const key = await server.keyOf("agent");
  const client = createClient(ControlPlaneService, transport());
  const waited = client.lease(
    { packId: "plain-dev", instanceId: "plain-dev-3", maxTasks: 1, waitSeconds: 60 },
    { headers: bearer(key) },
  );
  const refusal = waited.then(
    () => "was answered",
    (thrown: unknown) => ConnectError.from(thrown),
  );
  await vi.waitFor(async () => expect(await wasUsed(key)).toEqual([{ used: true }]));
  await revoke(key);
  expect(await refusal).toMatchObject({
    code: Code.Unauthenticated,
    rawMessage: "The key is unknown, expired or revoked.",
  });
});
