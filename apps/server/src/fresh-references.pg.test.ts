import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { plainAgent, prepare, success, task, templates } from "./testing/plain-agent.ts";
import { type RestClient, withKey } from "./testing/rest-client.ts";
import { startTestServer, type TestServer } from "./testing/test-server.ts";

const body = "what is to be built";
let documents: Server;
let listed = "";
let server: TestServer;
let admin: RestClient;
let agent: ReturnType<typeof plainAgent>;
beforeAll(async () => {
  documents = createServer((_request, response) => response.end(body)).listen(0, "127.0.0.1");
  await once(documents, "listening");
  listed = `127.0.0.1:${(documents.address() as AddressInfo).port}`;
  server = await startTestServer({ refHosts: [listed] });
  admin = withKey(server, server.adminKey);
  await prepare(admin);
  const strict = templates
    .replace(`version: "1.0.0"`, `version: "2.0.0"`)
    .replace(
      "handoff_policy: { retry: { max_attempts: 1 } }",
      `handoff_policy: { freshness: { max_ref_staleness: "5m", require_digest: true } }`,
    );
  const yaml = { "content-type": "application/yaml" };
  await admin("POST", "/v1/pipeline-templates", { body: strict, headers: yaml });
  await admin("POST", "/v1/pipeline-templates/2.0.0/publish");
  agent = plainAgent(admin);
  await agent.beat();
});
afterAll(async () => {
  documents.close();
  await server.dispose();
});

const submit = (uriOrLocator: string) =>
  admin("POST", "/v1/tasks", { body: { ...task, refs: [{ uriOrLocator, refType: "REF_TYPE_URL" }] } });

test("a reference of a listed host is fetched anew, and travels with its digest", async () => {
  expect((await submit(`http://${listed}/spec`)).status).toBe(201);
  const envelope = await agent.take();
  expect(envelope["refs"]).toMatchObject([
    {
      digest: `sha256:${createHash("sha256").update(body).digest("hex")}`,
      fetchedAt: expect.stringMatching(/Z$/),
    },
  ]);
  // An instance that says nothing of its capacity has one task at a time.
  expect((await agent.report(success(envelope))).status).toBe(200);
  const review = await agent.take();
  expect((await agent.report(success(review))).status).toBe(200);
});

test("one of any other host is not asked for, and a person is told so", async () => {
  const submitted = await submit("http://169.254.169.254/latest/meta-data");
  const path = `/v1/pipelines/${submitted.json.text("pipelineId")}`;
  await expect
    .poll(async () => (await admin("GET", path)).json.at("openEscalations", 0, "problem"), {
      timeout: 10_000,
    })
    .toContain("169.254.169.254 is not in SIGNALBOX_REF_HOSTS");
});
