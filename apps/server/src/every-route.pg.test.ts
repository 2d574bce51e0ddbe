import { type OfferedRoute, procedures } from "@signalbox/api";
import type { Role } from "@signalbox/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { manifest, policy, templates } from "./testing/plain-agent.ts";
import { type RestClient, restClient, withKey } from "./testing/rest-client.ts";
import { startTestServer, type TestServer } from "./testing/test-server.ts";

/** Of each route: a request that is well formed, and a role that may not send it; none where every role may, or nobody yet. */
type Sample = {
  path: string;
  body?: object | string;
  mayNot: Role | undefined;
  headers?: Record<string, string>;
};

const nobodysId = "0190b3a8-8f0f-7bbb-8888-0123456789ab";
const yaml = { "content-type": "application/yaml" };
const tagged = { "if-match": `"1"` };
const named = { packId: "any", instanceId: "any" };
const documents = (path: string, text: string): Record<string, Sample> => ({
  [`GET ${path}`]: { path, mayNot: "agent" },
  [`POST ${path}`]: { path, body: text, headers: yaml, mayNot: "viewer" },
  [`GET ${path}/:version`]: { path: `${path}/1.0.0`, mayNot: "agent" },
  [`PUT ${path}/:version`]: {
    path: `${path}/1.0.0`,
    body: text,
    headers: { ...yaml, ...tagged },
    mayNot: "approver",
  },
  [`DELETE ${path}/:version`]: { path: `${path}/1.0.0`, headers: tagged, mayNot: "auditor" },
  [`POST ${path}/:version/publish`]: { path: `${path}/1.0.0/publish`, mayNot: "viewer" },
  [`POST ${path}/check`]: { path: `${path}/check`, body: text, headers: yaml, mayNot: "agent" },
});
const simulation: Record<string, Sample> = {
  "POST /v1/routing-policies/:version/simulate": {
    path: "/v1/routing-policies/1.0.0/simulate",
    mayNot: "agent",
  },
};
const rpc = "/vasini.agent.v1.ControlPlaneService";

const samples: Record<string, Sample> = {
  "POST /v1/packs": { path: "/v1/packs", body: manifest, mayNot: "viewer" },
  "GET /v1/packs": { path: "/v1/packs", mayNot: undefined },
  "GET /v1/packs/:packId/versions/:packVersion": { path: "/v1/packs/a/versions/1.0.0", mayNot: undefined },
  "POST /v1/heartbeats": { path: "/v1/heartbeats", body: named, mayNot: "operator" },
  "POST /v1/leases": { path: "/v1/leases", body: { ...named, maxTasks: 1 }, mayNot: "approver" },
  "POST /v1/dispatches/:dispatchId/renew": { path: "/v1/dispatches/a-d0.1/renew", mayNot: "viewer" },
  "POST /v1/dispatches/:dispatchId/turns": {
    path: "/v1/dispatches/a-d0.1/turns",
    body: {},
    mayNot: "viewer",
  },
  "POST /v1/dispatches/:dispatchId/events": {
    path: "/v1/dispatches/a-d0.1/events",
    body: { events: [] },
    mayNot: "operator",
  },
  "POST /v1/dispatches/:dispatchId/handoffs": {
    path: "/v1/dispatches/a-d0.1/handoffs",
    body: { taskType: "build", reason: "others know better" },
    mayNot: "operator",
  },
  "POST /v1/dispatches/:dispatchId/result": {
    path: "/v1/dispatches/a-d0.1/result",
    body: {},
    mayNot: "viewer",
  },
  "POST /v1/attachments": { path: "/v1/attachments?name=a", body: "bytes", mayNot: "viewer" },
  "GET /v1/attachments/:attachmentId": { path: `/v1/attachments/${nobodysId}`, mayNot: "agent" },
  "GET /v1/dispatches/:dispatchId/attachments/:attachmentId": {
    path: `/v1/dispatches/a-d0.1/attachments/${nobodysId}`,
    mayNot: "viewer",
  },
  "GET /metrics": { path: "/metrics", mayNot: "agent" },
  "POST /v1/tasks": { path: "/v1/tasks", body: { taskType: "a" }, mayNot: "agent" },
  "POST /mcp": { path: "/mcp", body: { jsonrpc: "2.0", id: 1, method: "tools/list" }, mayNot: undefined },
  "POST /v1/sap/tasks": { path: "/v1/sap/tasks", body: {}, mayNot: "viewer" },
  "GET /v1/sap/tasks/:taskId": { path: `/v1/sap/tasks/${nobodysId}`, mayNot: undefined },
  "GET /v1/sap/tasks/:taskId/result": { path: `/v1/sap/tasks/${nobodysId}/result`, mayNot: undefined },
  "POST /v1/sap/tasks/:taskId/rating": {
    path: `/v1/sap/tasks/${nobodysId}/rating`,
    body: { score: 3 },
    mayNot: "auditor",
  },
  "GET /v1/sap/tasks/:taskId/ratings": { path: `/v1/sap/tasks/${nobodysId}/ratings`, mayNot: "agent" },
  "GET /v1/learning/results": { path: "/v1/learning/results", mayNot: "agent" },
  "GET /v1/learning/aggregates": { path: "/v1/learning/aggregates", mayNot: "agent" },
  "GET /v1/learning/cache-records": { path: "/v1/learning/cache-records", mayNot: "agent" },
  "GET /v1/learning/playbooks": { path: "/v1/learning/playbooks", mayNot: "agent" },
  "GET /v1/learning/proposals": { path: "/v1/learning/proposals", mayNot: "agent" },
  "GET /v1/learning/proposals/:proposalId": {
    path: `/v1/learning/proposals/${nobodysId}`,
    mayNot: "agent",
  },
  "POST /v1/learning/proposals/:proposalId/accept": {
    path: `/v1/learning/proposals/${nobodysId}/accept`,
    body: { reason: "why" },
    mayNot: "approver",
  },
  "POST /v1/learning/proposals/:proposalId/refuse": {
    path: `/v1/learning/proposals/${nobodysId}/refuse`,
    body: { reason: "why" },
    mayNot: "operator",
  },
  "GET /v1/pipelines": { path: "/v1/pipelines", mayNot: "agent" },
  "GET /v1/pipelines/:pipelineId": { path: "/v1/pipelines/a", mayNot: "agent" },
  "GET /v1/pipelines/:pipelineId/trace": { path: "/v1/pipelines/a/trace", mayNot: "agent" },
  "GET /v1/pipelines/:pipelineId/turns": { path: "/v1/pipelines/a/turns", mayNot: "agent" },
  "GET /v1/pipelines/:pipelineId/events": { path: "/v1/pipelines/a/events", mayNot: "agent" },
  "POST /v1/pipelines/:pipelineId/pause": { path: "/v1/pipelines/a/pause", mayNot: "viewer" },
  "POST /v1/pipelines/:pipelineId/resume": { path: "/v1/pipelines/a/resume", mayNot: "approver" },
  "POST /v1/pipelines/:pipelineId/abort": { path: "/v1/pipelines/a/abort", mayNot: "agent" },
  "POST /v1/pipelines/:pipelineId/rewind": {
    path: "/v1/pipelines/a/rewind",
    body: { stageId: "a" },
    mayNot: "auditor",
  },
  "GET /v1/escalations": { path: "/v1/escalations", mayNot: "agent" },
  "GET /v1/escalations/:escalationId": { path: "/v1/escalations/a-e1", mayNot: "agent" },
  "POST /v1/escalations/:escalationId/resolve": {
    path: "/v1/escalations/a-e1/resolve",
    body: { option: "retry", comment: "why" },
    mayNot: "operator",
  },
  "POST /v1/escalations/:escalationId/assign": {
    path: "/v1/escalations/a-e1/assign",
    body: { assignee: null },
    mayNot: "operator",
  },
  "POST /v1/escalations/:escalationId/comment": {
    path: "/v1/escalations/a-e1/comment",
    body: { comment: "why" },
    mayNot: "viewer",
  },
  "GET /v1/alerts": { path: "/v1/alerts", mayNot: "agent" },
  "GET /v1/instances": { path: "/v1/instances", mayNot: "agent" },
  "GET /v1/instances/:packId/:instanceId": { path: "/v1/instances/a/b", mayNot: "agent" },
  "POST /v1/instances/:packId/:instanceId/quarantine": {
    path: "/v1/instances/a/b/quarantine",
    body: { note: "why" },
    mayNot: "approver",
  },
  "POST /v1/instances/:packId/:instanceId/restore": {
    path: "/v1/instances/a/b/restore",
    body: { note: "" },
    mayNot: "viewer",
  },
  "POST /v1/instances/:packId/:instanceId/drain": {
    path: "/v1/instances/a/b/drain",
    body: { note: "why" },
    mayNot: "approver",
  },
  "POST /v1/instances/:packId/:instanceId/resume": {
    path: "/v1/instances/a/b/resume",
    body: { note: "" },
    mayNot: "agent",
  },
  ...documents("/v1/routing-policies", policy),
  ...documents("/v1/pipeline-templates", templates),
  ...simulation,
  "GET /v1/audit": { path: "/v1/audit", mayNot: "operator" },
  "GET /v1/audit/export": { path: "/v1/audit/export", mayNot: "operator" },
  "GET /v1/audit/retention": { path: "/v1/audit/retention", mayNot: "operator" },
  "PUT /v1/audit/retention": {
    path: "/v1/audit/retention",
    body: { keepMonths: 84, reason: "why" },
    mayNot: "auditor",
  },
  "POST /v1/audit/holds": { path: "/v1/audit/holds", body: { reason: "why" }, mayNot: "admin" },
  "POST /v1/audit/holds/:holdId/release": {
    path: "/v1/audit/holds/a/release",
    body: { reason: "why" },
    mayNot: "admin",
  },
  "GET /v1/stream": { path: "/v1/stream", mayNot: "agent" },
  "DELETE /v1/session": { path: "/v1/session", mayNot: "admin" },
  "GET /v1/account": { path: "/v1/account", mayNot: "admin" },
  "PATCH /v1/account": { path: "/v1/account", body: { name: "Ada" }, mayNot: "admin" },
  "GET /v1/sessions": { path: "/v1/sessions", mayNot: "admin" },
  "POST /v1/sessions": { path: "/v1/sessions", body: { label: "my editor" }, mayNot: "admin" },
  "DELETE /v1/sessions/:sessionId": { path: `/v1/sessions/${nobodysId}`, mayNot: "admin" },
  "GET /v1/members": { path: "/v1/members", mayNot: "agent" },
  "POST /v1/members": {
    path: "/v1/members",
    body: { email: "ada@example.org", name: "Ada", role: "viewer" },
    mayNot: "admin",
  },
  "PATCH /v1/members/:memberId": { path: "/v1/members/a", body: { name: "Ada" }, mayNot: "operator" },
  "DELETE /v1/members/:memberId": { path: "/v1/members/a", mayNot: "admin" },
  "POST /v1/members/:memberId/link": { path: "/v1/members/a/link", mayNot: "admin" },
  "DELETE /v1/members/:memberId/sessions": { path: "/v1/members/a/sessions", mayNot: "approver" },
  "GET /v1/keys": { path: "/v1/keys", mayNot: "operator" },
  "POST /v1/keys": { path: "/v1/keys", body: { label: "ci", role: "viewer" }, mayNot: "auditor" },
  "DELETE /v1/keys/:keyId": { path: `/v1/keys/${nobodysId}`, mayNot: "auditor" },

  [`POST ${rpc}/RegisterPack`]: { path: `${rpc}/RegisterPack`, body: { manifest }, mayNot: "viewer" },
  [`POST ${rpc}/Heartbeat`]: { path: `${rpc}/Heartbeat`, body: { heartbeat: named }, mayNot: "viewer" },
  [`POST ${rpc}/Lease`]: { path: `${rpc}/Lease`, body: { ...named, maxTasks: 1 }, mayNot: "operator" },
  [`POST ${rpc}/ReportResult`]: {
    path: `${rpc}/ReportResult`,
    body: { dispatchId: "a-d0.1", result: {} },
    mayNot: "viewer",
  },
  [`POST ${rpc}/ReportTurn`]: {
    path: `${rpc}/ReportTurn`,
    body: { attempt: { dispatchId: "a-d0.1", attemptNumber: 1 }, turn: {} },
    mayNot: "viewer",
  },
  [`POST ${rpc}/ReportEvents`]: {
    path: `${rpc}/ReportEvents`,
    body: { attempt: { dispatchId: "a-d0.1", attemptNumber: 1 }, events: [{}] },
    mayNot: "operator",
  },
  [`POST ${rpc}/RequestHandoff`]: {
    path: `${rpc}/RequestHandoff`,
    body: {
      attempt: { dispatchId: "a-d0.1", attemptNumber: 1 },
      taskType: "build",
      reason: "others know better",
    },
    mayNot: "viewer",
  },
};

/** Nobody needs to be known for these: health, what a signed link leads to, the exchange of a sign-in link, what tells the pages who is signed in, and they. */
const open = new Set([
  "GET /healthz",
  "GET /readyz",
  "GET /.well-known/jwks.json",
  "GET /openapi.json",
  "GET /v1/attachments/:attachmentId/content",
  "POST /v1/session",
]);
const elsewhere = /^\S+ (\/grpc\.|\/trpc\b|\/docs\b|\/\*|\*|\/$|\/assets\/)/;

const offered: OfferedRoute[] = [];
let server: TestServer;
let nobody: RestClient;
beforeAll(async () => {
  server = await startTestServer({ onRoute: (route) => offered.push(route) });
  nobody = restClient(server, {});
});
afterAll(() => server.dispose());

const send = (call: RestClient, name: string, { path, body, headers = {} }: Sample) =>
  call(name.split(" ", 1)[0] ?? "", path, { body, headers });

test("every route of the router is listed here, and every one that is listed is there", () => {
  const names = offered
    // What GET answers, HEAD answers; Connect's paths are listed under the one method that they take.
    .filter(({ method, url }) => method !== "HEAD" && (!url.startsWith(rpc) || method === "POST"))
    .map(({ method, url }) => `${method} ${url}`)
    .filter((name) => !open.has(name) && !elsewhere.test(name));
  expect(names.toSorted((one, other) => one.localeCompare(other))).toEqual(
    Object.keys(samples).toSorted((one, other) => one.localeCompare(other)),
  );
});

test.each(Object.entries(samples))("%s asks who asks", async (name, sample) => {
  const { status, json } = await send(nobody, name, sample);
  expect(status).toBe(401);
  expect(JSON.stringify(json.value)).toMatch(/unauthenticated/i);
  const unknown = await send(withKey(server, "x".repeat(40)), name, sample);
  expect(unknown.status).toBe(401);
});

const forbidden = Object.entries(samples).flatMap(([name, sample]) =>
  sample.mayNot === undefined ? [] : [{ name, role: sample.mayNot, sample }],
);

test.each(forbidden)("$name is refused to the role $role", async ({ name, role, sample }) => {
  const { status, json } = await send(withKey(server, await server.keyOf(role)), name, sample);
  expect(status).toBe(403);
  expect(JSON.stringify(json.value)).toMatch(/forbidden|permission_denied/i);
});

const changing = Object.entries(samples).filter(([name]) => !name.startsWith("GET "));
const elsewhereOf = (origin: string) => ({
  "another site's page": { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
  "a sibling host's page": { "sec-fetch-site": "same-site", origin },
  "a page in a sandbox": { origin: "null" },
  "no page at all": {},
});

describe("a session's cookie", () => {
  let cookie = "";
  beforeAll(async () => {
    const answer = await restClient(server, {})("POST", "/v1/session", {
      body: { token: server.signInToken },
    });
    cookie = answer.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  });

  test.each(changing)("%s does not count from elsewhere", async (name, sample) => {
    for (const [from, headers] of Object.entries(elsewhereOf(server.origin))) {
      const { status, json } = await send(restClient(server, { cookie, ...headers }), name, sample);
      expect({ from, status }).toEqual({ from, status: 403 });
      expect(JSON.stringify(json.value)).toContain("only for requests from Signalbox's own pages");
    }
  });

  test("signing in is refused to pages from elsewhere too, whichever way", async () => {
    const { "no page at all": _none, ...pages } = elsewhereOf(server.origin);
    for (const headers of Object.values(pages)) {
      for (const body of [{ token: "a" }, { email: "a@b.c", password: "x" }]) {
        const answer = await restClient(server, headers)("POST", "/v1/session", { body });
        expect(answer.json.at("code")).toBe("FORBIDDEN");
      }
    }
  });

  test("every mutation of tRPC is refused from elsewhere", async () => {
    const mutations = procedures.filter(({ type }) => type === "mutation");
    expect(mutations.map(({ path }) => path)).toContain("keys.create");
    for (const { path } of mutations) {
      for (const headers of Object.values(elsewhereOf(server.origin))) {
        const call = restClient(server, { cookie, ...headers });
        const { status } = await call("POST", `/trpc/${path}`, { body: {} });
        expect({ path, status }).toEqual({ path, status: 403 });
      }
    }
  });

  test("the same requests count from our own pages", async () => {
    const own = restClient(server, { cookie, "sec-fetch-site": "same-origin" });
    for (const [name, sample] of changing.filter(([, { path }]) => path.startsWith("/v1/members/a"))) {
      const { status } = await send(own, name, sample);
      expect({ name, status }).toEqual({ name, status: 404 });
    }
  });
});
