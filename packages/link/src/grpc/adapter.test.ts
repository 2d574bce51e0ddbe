import { once } from "node:events";
import { createServer, type Http2Session } from "node:http2";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { AgentService, TaskEnvelopeSchema } from "@signalbox/contracts";
import type { AgentAdapter } from "@signalbox/engine";
import { afterEach, expect, test } from "vitest";
import { agentHosts } from "../agent-hosts.ts";
import { createGrpcAdapter } from "./adapter.ts";

const envelope = create(TaskEnvelopeSchema, { execution: { dispatchId: "p-d0.1", attemptNumber: 1 } });
const never = new AbortController().signal;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

type Served = { adapter: AgentAdapter; address: string; destroy: () => void; cancelled: string[] };

async function serving(
  runAgent: ServiceImpl<typeof AgentService>["runAgent"],
  readMaxBytes?: number,
): Promise<Served> {
  const sessions = new Set<Http2Session>();
  const cancelled: string[] = [];
  const server = createServer(
    connectNodeAdapter({
      ...(readMaxBytes !== undefined && { readMaxBytes }),
      routes: (router) =>
        router.service(AgentService, {
          runAgent,
          cancelAgent: ({ dispatchId }, { requestHeader }) => {
            cancelled.push(`${dispatchId} ${requestHeader.get("authorization")}`);
            return { wasRunning: true };
          },
        }),
    }),
  ).listen(0, "127.0.0.1");
  server.on("session", (session) => sessions.add(session));
  await once(server, "listening");
  const destroy = (): void => {
    for (const session of sessions) session.destroy();
  };
  const adapter = createGrpcAdapter({
    hosts: agentHosts(["127.0.0.1:*"]),
    signer: ({ method, to }) => `${method}-for-${to.instanceId}`,
  });
  ends.push(() => {
    destroy();
    server.close();
    return adapter.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { adapter, address: `http://127.0.0.1:${port}`, destroy, cancelled };
}
const at = (address: string) => ({
  tenantId: "default",
  packId: "builder",
  instanceId: "builder-1",
  address,
});

test("an agent that answers without a result has taken it; the call and its cancel are signed", async () => {
  let token: string | null = "";
  const { adapter, address, cancelled } = await serving((_, { requestHeader }) => {
    token = requestHeader.get("authorization");
    return {};
  });
  expect(await adapter.run(at(address), envelope, never)).toEqual({ kind: "taken" });
  expect(token).toBe("Bearer RunAgent-for-builder-1");
  await adapter.cancel(at(address), { dispatchId: "p-d0.1", attemptNumber: 1, reason: "" });
  expect(cancelled).toEqual(["p-d0.1 Bearer CancelAgent-for-builder-1"]);
});

test.each([
  ["says that it is busy", Code.ResourceExhausted, "not-taken"],
  ["says that it is not there now", Code.Unavailable, "not-taken"],
  ["has no such method", Code.Unimplemented, "not-taken"],
  ["fails inside", Code.Internal, "failed"],
  ["gives up", Code.Aborted, "failed"],
])("of an agent that %s, an envelope is %#", async (_, code, kind) => {
  const { adapter, address } = await serving(() => {
    throw new ConnectError("so it is", code);
  });
  await expect(adapter.run(at(address), envelope, never)).rejects.toMatchObject({ kind });
});

test.each(["parse binary: illegal tag: field no 0 wire type 0", "protocol error: missing status"])(
  "an agent whose own words are %j has failed",
  async (words) => {
    const { adapter, address } = await serving(() => {
      throw new ConnectError(words, Code.Internal);
    });
    await expect(adapter.run(at(address), envelope, never)).rejects.toMatchObject({
      kind: "failed",
      message: expect.stringContaining(words),
    });
  },
);

test("what an agent says is cut between two characters", async () => {
  const { adapter, address } = await serving(() => {
    throw new ConnectError(`n${"🙂".repeat(300)}`, Code.Internal);
  });
  const failed: unknown = await adapter.run(at(address), envelope, never).catch((error: unknown) => error);
  expect(failed).toMatchObject({ kind: "failed", message: expect.stringContaining("🙂") });
  expect(String(failed).isWellFormed()).toBe(true);
});

test("an agent whose server takes no envelope of that size has taken nothing, and answered nothing", async () => {
  const { adapter, address } = await serving(() => ({}), 4);
  await expect(adapter.run(at(address), envelope, never)).rejects.toMatchObject({ kind: "not-taken" });
});

test("D8: one whose connection breaks in the middle may be at work", async () => {
  const served = await serving(async () => {
    setTimeout(() => served.destroy(), 20);
    await new Promise((resolve) => setTimeout(resolve, 60_000).unref());
    return {};
  });
  await expect(served.adapter.run(at(served.address), envelope, never)).rejects.toMatchObject({
    kind: "lost",
  });
});

test("D8: one whose call was called off here may be at work", async () => {
  const { adapter, address } = await serving(() => new Promise(() => undefined));
  const calling = new AbortController();
  setTimeout(() => calling.abort(), 50);
  await expect(adapter.run(at(address), envelope, calling.signal)).rejects.toMatchObject({ kind: "lost" });
});

test("one that nobody answers for has taken nothing, and neither has one that may not be called", async () => {
  const { adapter } = await serving(() => ({}));
  await expect(adapter.run(at("http://127.0.0.1:1"), envelope, never)).rejects.toMatchObject({
    kind: "not-taken",
  });
  await expect(adapter.run(at("http://10.0.0.1"), envelope, never)).rejects.toMatchObject({
    kind: "not-taken",
    message: expect.stringContaining("SIGNALBOX_AGENT_HOSTS"),
  });
});

test("an answer that is no message ends the attempt, and is not taken for the agent's own word", async () => {
  const garbage = Buffer.from("\0\0\0\0\x05\xff\xff\xff\xff\xff", "latin1");
  const server = createServer().listen(0, "127.0.0.1");
  server.on("stream", (stream) => {
    stream.respond({ ":status": 200, "content-type": "application/grpc+proto" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.end(garbage);
  });
  await once(server, "listening");
  const { adapter } = await serving(() => ({}));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  await expect(adapter.run(at(`http://127.0.0.1:${port}`), envelope, never)).rejects.toMatchObject({
    kind: "unreadable",
    message: expect.stringContaining("no RunAgentResponse"),
  });
  ends.push(() => server.close());
});

test("an answer that is larger than is read ends the attempt", async () => {
  const { adapter, address } = await serving(() => ({
    result: { status: { summary: "x".repeat(5 << 20) } },
  }));
  await expect(adapter.run(at(address), envelope, never)).rejects.toMatchObject({ kind: "unreadable" });
});
