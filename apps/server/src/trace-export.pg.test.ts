import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { type AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { failure, packId, plainAgent, prepare, success, task } from "./testing/plain-agent.ts";
import { withKey } from "./testing/rest-client.ts";
import { startTestServer } from "./testing/test-server.ts";
import type { TraceSettings } from "./trace-settings.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const span = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: z.string().regex(/^\d{19}$/),
  endTimeUnixNano: z.string().regex(/^\d{19}$/),
  attributes: z.array(attribute),
  status: z.object({ code: z.number() }),
});
const posted = z.object({
  resourceSpans: z.tuple([
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.tuple([z.object({ spans: z.array(span) })]),
    }),
  ]),
});

/** A collector that keeps what it is given, and answers with the next of its statuses, at last 200. */
async function collector(statuses: number[] = []) {
  const taken: { headers: IncomingHttpHeaders; path: string | undefined; body: z.output<typeof posted> }[] =
    [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = posted.parse(JSON.parse(Buffer.concat(parts).toString()));
      taken.push({ headers: request.headers, path: request.url, body });
      response.writeHead(statuses.shift() ?? 200).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { taken, url: new URL(`http://127.0.0.1:${port}/v1/traces`) };
}

async function serverWith(traces: Partial<TraceSettings> & Pick<TraceSettings, "url">) {
  const server = await startTestServer({
    traces: { headers: {}, serviceName: "yard", share: 1, ...traces },
  });
  ends.push(() => server.dispose());
  const admin = withKey(server, server.adminKey);
  await prepare(admin);
  const agent = plainAgent(withKey(server, await server.keyOf("agent")));
  await agent.beat();
  return { server, admin, agent };
}

test("a pipeline's trace is posted once it has ended, whole, as the page shows it", async () => {
  const { taken, url } = await collector([503]);
  const { admin, agent } = await serverWith({ url, headers: { authorization: "Bearer abc" } });
  const { json } = await admin("POST", "/v1/tasks", { body: task });
  await agent.report(success(await agent.take()));
  expect(taken).toEqual([]);
  await agent.report(success(await agent.take()));
  // The first time it was not taken, and may be sent again.
  await expect.poll(() => taken.length, { timeout: 8_000 }).toBe(2);
  const [, { headers, path, body }] = z.tuple([z.unknown(), z.custom<(typeof taken)[number]>()]).parse(taken);
  expect([path, headers.authorization, headers["content-type"]]).toEqual([
    "/v1/traces",
    "Bearer abc",
    "application/json",
  ]);
  const [{ resource, scopeSpans }] = body.resourceSpans;
  expect(resource.attributes).toContainEqual({ key: "service.name", value: { stringValue: "yard" } });
  const [{ spans }] = scopeSpans;
  const shown = await admin("GET", `/v1/pipelines/${json.text("pipelineId")}/trace`);
  const told = z
    .object({ spans: z.array(z.object({ spanId: z.string(), name: z.string() })) })
    .parse(shown.json.value);
  expect(spans.map(({ spanId, name }) => ({ spanId, name }))).toEqual(
    told.spans.map(({ spanId, name }) => ({ spanId, name })),
  );
  expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined).map(({ name }) => name)).toEqual([
    "pipeline",
  ]);
  expect(spans.at(-1)?.attributes).toContainEqual({ key: "tenant_id", value: { stringValue: "default" } });
});

test("a collector that is away, or refuses, holds nothing up; that a trace was lost is logged", async () => {
  const { taken, url } = await collector([400]);
  const { server, admin, agent } = await serverWith({ url });
  for (let count = 0; count < 2; count += 1) {
    await admin("POST", "/v1/tasks", { body: task });
    await agent.report(success(await agent.take()));
    await agent.report(success(await agent.take()));
  }
  await expect.poll(() => taken.length).toBe(2);
  expect(server.log()).toContain("answered 400");
});

test("a stop does not wait for a collector that never answers, and says how many traces were lost", async () => {
  const heard: unknown[] = [];
  const silent = createServer((request) => heard.push(request)).listen(0, "127.0.0.1");
  await once(silent, "listening");
  ends.push(() => silent.close());
  const { port } = silent.address() as AddressInfo;
  const { server, admin, agent } = await serverWith({ url: new URL(`http://127.0.0.1:${port}/v1/traces`) });
  for (let count = 0; count < 3; count += 1) {
    await admin("POST", "/v1/tasks", { body: task });
    await agent.report(success(await agent.take()));
    await agent.report(success(await agent.take()));
  }
  await expect.poll(() => heard.length).toBe(1);
  await server.stop();
  expect(server.log()).toContain("Traces that were not exported: 2; the process stopped");
  expect(server.log()).toContain("A trace was not exported: 127.0.0.1");
});

test("a trace is masked by the policy in force before it leaves", async () => {
  const { taken, url } = await collector();
  const { admin, agent } = await serverWith({ url });
  const policy = {
    routing_policy: {
      version: "9.0.0",
      routes: [
        { task_type: "build", allowed_pack_ids: [packId] },
        { task_type: "review", allowed_pack_ids: [packId] },
      ],
      admission: {
        max_global_queue_depth: 50,
        max_per_pack_concurrent: 3,
        circuit_breaker: { error_threshold: 5, window: "60s", half_open_after: "120s" },
      },
      defaults: { max_candidate_agents: 3, require_healthy: false },
    },
    redaction_policy: { always_redact: ["span.failureCode"] },
  };
  await admin("POST", "/v1/routing-policies", { body: policy });
  await admin("POST", "/v1/routing-policies/9.0.0/publish", { body: {} });
  const { json } = await admin("POST", "/v1/tasks", { body: task });
  await agent.report(failure(await agent.take()));
  await admin("POST", `/v1/pipelines/${json.text("pipelineId")}/abort`, { body: { note: "enough" } });
  await expect.poll(() => taken.length).toBe(1);
  const codes = taken[0]?.body.resourceSpans[0].scopeSpans[0].spans.flatMap(({ attributes }) =>
    attributes.filter(({ key }) => key === "signalbox.failureCode").map(({ value }) => value["stringValue"]),
  );
  expect(new Set(codes)).toEqual(new Set(["[redacted:policy-path]"]));
});
