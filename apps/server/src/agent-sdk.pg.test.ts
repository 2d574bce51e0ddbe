import {
  type Agent,
  type AgentSettings,
  evidenceFrom,
  type Dispatch,
  startAgent,
  succeeded,
} from "@signalbox/agent-sdk";
import { createTestDatabase } from "@signalbox/testkit";
import { afterEach, expect, test, type TestContext, vi } from "vitest";
import { manifest, packId, prepare, task } from "./testing/plain-agent.ts";
import { type RestClient, restClient, withKey } from "./testing/rest-client.ts";
import { startProcess } from "./testing/server-process.ts";
import { bearer, startTestServer, type TestServer } from "./testing/test-server.ts";

let server: TestServer | undefined;
afterEach(async () => {
  await server?.dispose();
  server = undefined;
});

const patience = { timeout: 15_000, interval: 50 };
const pack = { ...manifest, safetyTier: 3, interface: { ...manifest.interface } } as AgentSettings["pack"];
const done = () =>
  succeeded({
    summary: "It says hello.",
    evidence: [evidenceFrom({ command: "true", output: "ok", exitCode: 0 })],
  });

type Connection = { url: string; key: string };

async function agentOf(
  { onTestFinished }: TestContext,
  settings: Connection & Pick<AgentSettings, "work"> & Partial<AgentSettings>,
): Promise<{ agent: Agent; trouble: string[] }> {
  const trouble: string[] = [];
  const agent = await startAgent({
    pack,
    instanceId: "sdk-1",
    timing: { heartbeatEveryMs: 400, renewEveryMs: 400, leaseWaitSeconds: 2, drainWithinMs: 2_000 },
    onTrouble: (error, doing) => trouble.push(`${doing.split(" ")[0]}: ${error.code}`),
    ...settings,
  });
  onTestFinished(() => agent.drain());
  return { agent, trouble };
}

async function open() {
  server = await startTestServer();
  const call = withKey(server, server.adminKey);
  await prepare(call);
  return { call, connection: { url: server.origin, key: await server.keyOf("agent") } };
}

const submit = async (call: RestClient) =>
  (await call("POST", "/v1/tasks", { body: task })).json.text("pipelineId");
const statusOf = async (call: RestClient, id: string) =>
  (await call("GET", `/v1/pipelines/${id}`)).json.at("status");
const completed = (call: RestClient, id: string) =>
  vi.waitFor(async () => expect(await statusOf(call, id)).toBe("PIPELINE_STATUS_COMPLETED"), patience);

/** Work that a test ends, or that ends because it was called off. */
function workByHand() {
  const begun: (Dispatch & { end: () => void })[] = [];
  const work = (dispatch: Dispatch) =>
    new Promise<ReturnType<typeof done>>((resolve) =>
      begun.push({ ...dispatch, end: () => resolve(done()) }),
    );
  return { begun, work };
}
const begins = (begun: readonly unknown[], count = 1) =>
  vi.waitFor(() => expect(begun.length).toBeGreaterThanOrEqual(count), patience);

test("an agent made with the SDK takes a pipeline from its first stage to its end, with an agent's key", async (context) => {
  const { call, connection } = await open();
  const worked: string[] = [];
  const { agent, trouble } = await agentOf(context, {
    ...connection,
    work: ({ taskType, envelope }) => {
      worked.push(`${taskType}: ${envelope.contract?.title}`);
      return done();
    },
  });
  const pipelineId = await submit(call);
  await completed(call, pipelineId);
  expect(worked).toEqual(["build: Say hello", "review: Say hello"]);
  await agent.drain();
  await agent.done;
  expect(trouble).toEqual([]);
  const instances = await call("GET", `/v1/instances?packId=${packId}`);
  expect(instances.json.at("instances", 0)).toMatchObject({
    instanceId: "sdk-1",
    healthStatus: "HEALTH_STATUS_UNHEALTHY",
  });
});

test("two dispatches at once, each with its own answer", async (context) => {
  const { call, connection } = await open();
  const { begun, work } = workByHand();
  await agentOf(context, { ...connection, work, capacity: 2 });
  const ids = [await submit(call), await submit(call)];
  await begins(begun, 2);
  expect(new Set(begun.map(({ dispatchId }) => dispatchId)).size).toBe(2);
  begun[1]?.end();
  begun[0]?.end();
  await begins(begun, 4);
  for (const { end } of begun) end();
  for (const id of ids) await completed(call, id);
});

test("a pipeline that is aborted stops its work at the next heartbeat, and nothing is reported", async (context) => {
  const { call, connection } = await open();
  const { begun, work } = workByHand();
  const { agent, trouble } = await agentOf(context, { ...connection, work });
  const pipelineId = await submit(call);
  await begins(begun);
  await call("POST", `/v1/pipelines/${pipelineId}/abort`, { body: { note: "no longer wanted" } });
  await vi.waitFor(() => expect(begun[0]?.signal.aborted).toBe(true), patience);
  expect(begun[0]?.signal.reason).toMatchObject({ code: "STALE_DISPATCH" });
  begun[0]?.end();
  await agent.drain();
  expect(trouble).toEqual([]);
  expect(await statusOf(call, pipelineId)).toBe("PIPELINE_STATUS_ABORTED");
});

test("INST-6 an agent that is asked to drain finishes what it has, takes no more, and works again once it may", async (context) => {
  const { call, connection } = await open();
  const { begun, work } = workByHand();
  await agentOf(context, { ...connection, work, capacity: 2 });
  const pipelineId = await submit(call);
  await begins(begun);
  const path = `/v1/instances/${packId}/sdk-1`;
  expect((await call("POST", `${path}/drain`, { body: { note: "Its machine goes." } })).status).toBe(204);
  begun[0]?.end();
  // It says itself that it takes no more once it was told.
  await vi.waitFor(async () => {
    const { json } = await call("GET", path);
    expect(json.value).toMatchObject({
      presence: "draining",
      draining: { reason: "Its machine goes." },
      maxTasks: 0,
      openDispatches: 0,
    });
  }, patience);
  expect(begun).toHaveLength(1);
  expect((await call("POST", `${path}/resume`, { body: { note: "" } })).status).toBe(204);
  await begins(begun, 2);
  begun[1]?.end();
  await completed(call, pipelineId);
});

test("D6 a result that comes too late is told so, changes nothing, and the agent goes on", async (context) => {
  const { call, connection } = await open();
  const { begun, work } = workByHand();
  // Neither heartbeats nor renewals come in time to say that it was cancelled.
  const { trouble } = await agentOf(context, {
    ...connection,
    work,
    timing: { heartbeatEveryMs: 60_000, leaseWaitSeconds: 2, drainWithinMs: 2_000 },
  });
  const pipelineId = await submit(call);
  await begins(begun);
  await call("POST", `/v1/pipelines/${pipelineId}/rewind`, {
    body: { stageId: "build", instructions: "again" },
  });
  begun[0]?.end();
  await vi.waitFor(() => expect(trouble).toEqual(["reporting: STALE_DISPATCH"]), patience);
  await begins(begun, 2);
  begun[1]?.end();
  await begins(begun, 3);
  begun[2]?.end();
  await completed(call, pipelineId);
});

test("a node that is killed in the middle of the work loses nothing: another gets the result", async (context) => {
  const database = await createTestDatabase();
  context.onTestFinished(() => database.dispose());
  const adminKey = "k".repeat(10) + "0123456789abcdefghijklmnop";
  const launch = async () => {
    const started = startProcess({ DATABASE_URL: database.url, SIGNALBOX_BOOTSTRAP_KEY: adminKey });
    context.onTestFinished(async () => {
      started.kill("SIGKILL");
      await started.ended;
    });
    return { ...started, origin: (await started.ready).origin };
  };
  const nodes = await Promise.all([launch(), launch()]);
  const [first, second] = nodes;
  let serving = first;
  const call = restClient(second, bearer(adminKey));
  await prepare(call);
  const { begun, work } = workByHand();
  const { trouble } = await agentOf(context, {
    url: first.origin,
    key: adminKey,
    work,
    // A name that stands for whichever node serves it.
    fetch: (url, init) =>
      fetch((url instanceof URL ? url.href : "").replace(first.origin, serving.origin), init),
  });
  const pipelineId = await submit(call);
  await begins(begun);
  first.kill("SIGKILL");
  await first.ended;
  begun[0]?.end();
  await vi.waitFor(() => expect(trouble).toContain("reporting: UNAVAILABLE"), patience);
  serving = second;
  await begins(begun, 2);
  begun[1]?.end();
  await completed(call, pipelineId);
  expect(begun.map(({ attemptNumber, taskType }) => [taskType, attemptNumber])).toEqual([
    ["build", 1],
    ["review", 1],
  ]);
}, 60_000);

test("a key that is not there ends the agent with the refusal", async () => {
  server = await startTestServer();
  const started = startAgent({ url: server.origin, key: "nobody".repeat(8), pack, work: done });
  await expect(started).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
});

test("a manifest that breaks a rule is refused with the field, as the SDK's own error", async () => {
  const { connection } = await open();
  const started = startAgent({ ...connection, pack: { ...pack, packVersion: "one" }, work: done });
  await expect(started).rejects.toMatchObject({
    name: "SignalboxError",
    code: "VALIDATION_FAILED",
    violations: [{ field: "packVersion" }],
  });
});
