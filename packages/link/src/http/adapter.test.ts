import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { create } from "@bufbuild/protobuf";
import { TaskEnvelopeSchema } from "@signalbox/contracts";
import { afterEach, expect, test } from "vitest";
import { agentHosts } from "../agent-hosts.ts";
import { createHttpAdapter } from "./adapter.ts";

const envelope = create(TaskEnvelopeSchema, { execution: { dispatchId: "p-d0.1", attemptNumber: 1 } });
const never = new AbortController().signal;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
const at = (address: string) => ({
  tenantId: "default",
  packId: "builder",
  instanceId: "builder-1",
  address,
});

async function serving(listener: RequestListener, answerWithinMs = 10_000) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const hosts = agentHosts(["127.0.0.1:*"]);
  const adapter = createHttpAdapter({ hosts, signer: () => "token", answerWithinMs });
  return { adapter, to: at(`http://127.0.0.1:${port}/agent`) };
}

test.each([
  ["302", "not-taken"],
  ["401", "not-taken"],
  ["404", "not-taken"],
  ["503", "not-taken"],
  ["500", "failed"],
  ["502", "lost"],
  ["504", "lost"],
])("an agent that answers %s: %s", async (status, kind) => {
  const urls: (string | undefined)[] = [];
  const { adapter, to } = await serving((request, response) => {
    urls.push(request.url);
    response.writeHead(Number(status), { location: "/elsewhere" }).end();
  });
  await expect(adapter.run(to, envelope, never)).rejects.toMatchObject({ kind });
  // A redirect is an answer like others.
  expect(urls).toEqual(["/agent"]);
});

test.each([
  ["no JSON", "<html>done</html>", /200 with what is no AgentResult: it has "<" at offset 0/],
  ["JSON of something else", '{"status": 7}', /no AgentResult: status is 7 where an object/],
  ["another outcome", '{"status": {"outcome": "DONE"}}', /status\.outcome .*OUTCOME_SUCCESS/],
  ["nothing", "", /no AgentResult: /],
  ["what nests too deep", '{"response":{"data":' + "[".repeat(100), /no AgentResult: .*deep/],
  ["more than is read", `{"evidence": "${"x".repeat(5 << 20)}"}`, /more than the 4194304 bytes/],
])("an agent that answers 200 and %s is told of it by field", async (_, body, message) => {
  const { adapter, to } = await serving((_request, response) => void response.writeHead(200).end(body));
  await expect(adapter.run(to, envelope, never)).rejects.toMatchObject({
    kind: "unreadable",
    message: expect.stringMatching(message),
  });
});

test("an agent that has taken it is heard at once, and may end its answer", async () => {
  const { promise: ended, resolve } = Promise.withResolvers<boolean>();
  const { adapter, to } = await serving((_request, response) => {
    response.on("close", () => resolve(response.writableFinished));
    response.writeHead(202).flushHeaders();
    setTimeout(() => response.end("{}"), 100);
  });
  expect(await adapter.run(to, envelope, never)).toEqual({ kind: "taken" });
  expect(await ended).toBe(true);
});

test("one that has taken it and never ends its answer holds no connection", async () => {
  const { promise: closed, resolve } = Promise.withResolvers<boolean>();
  const { adapter, to } = await serving((_request, response) => {
    response.on("close", () => resolve(response.writableFinished));
    response.writeHead(202).flushHeaders();
  }, 60_000);
  expect(await adapter.run(to, envelope, never)).toEqual({ kind: "taken" });
  expect(await closed).toBe(false);
});

test("of an answer that is no 200 the status says all, however long it goes on", async () => {
  const { adapter, to } = await serving((_request, response) => {
    response.writeHead(500).write("x".repeat(5 << 20));
  });
  await expect(adapter.run(to, envelope, never)).rejects.toMatchObject({ kind: "failed" });
});

test("D8: one whose connection breaks, or that does not answer in time, may be at work", async () => {
  const broken = await serving((request) => void request.socket.destroy());
  await expect(broken.adapter.run(broken.to, envelope, never)).rejects.toMatchObject({ kind: "lost" });
  const silent = await serving(() => undefined, 100);
  await expect(silent.adapter.run(silent.to, envelope, never)).rejects.toMatchObject({ kind: "lost" });
});

test("one that nobody answers for has taken nothing, and neither has one that may not be called", async () => {
  const { adapter } = await serving(() => undefined);
  for (const address of ["http://127.0.0.1:1/agent", "http://10.0.0.1/agent", "http://127.0.0.1:1/?q=1"])
    await expect(adapter.run(at(address), envelope, never)).rejects.toMatchObject({ kind: "not-taken" });
});

test("a cancel goes to the address with /cancel behind it, and one that knows of nothing to stop is told", async () => {
  const urls: (string | undefined)[] = [];
  const { adapter, to } = await serving((request, response) => {
    urls.push(request.url);
    response.writeHead(urls.length === 1 ? 404 : 503).end();
  });
  const attempt = { dispatchId: "p-d0.1", attemptNumber: 1, reason: "" };
  await adapter.cancel(to, attempt);
  await expect(adapter.cancel(to, attempt)).rejects.toThrow("503");
  expect(urls).toEqual(["/agent/cancel", "/agent/cancel"]);
});
