import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { manifest, policy } from "./testing/plain-agent.ts";
import { type RestClient, signedIn, withKey } from "./testing/rest-client.ts";
import { startTestServer, type TestServer } from "./testing/test-server.ts";

let server: TestServer;
let program: RestClient;
let person: RestClient;
beforeAll(async () => {
  server = await startTestServer({ role: "api" });
  program = withKey(server, server.adminKey);
  person = await signedIn(server);
  await program("POST", "/v1/packs", { body: manifest });
  const headers = { "content-type": "application/yaml" };
  await program("POST", "/v1/routing-policies", { body: policy, headers });
  await program("POST", "/v1/routing-policies/1.0.0/publish");
});
afterAll(() => server.dispose());

/** Doors learn nothing: another process does, whenever it comes. */
async function startLearner(): Promise<TestServer> {
  const learner = await startTestServer({
    role: "engine",
    bootstrapKey: server.adminKey,
    via: async () => server.databaseUrl,
  });
  onTestFinished(() => learner.dispose());
  return learner;
}

/** A task that is over at once: the cache alone is asked, and has nothing. */
async function missed(territory: string): Promise<string> {
  const taskId = randomUUID();
  const { status } = await program("POST", "/v1/sap/tasks", {
    body: {
      protocolVersion: "2.0",
      taskId,
      correlationId: randomUUID(),
      issuedAt: "2026-11-18T10:15:23Z",
      issuer: { agentId: "gateway", agentKind: "system" },
      target: { capability: "build" },
      constitutionalContext: { pressureLevel: "instant", territory, cachePolicy: { mode: "only" } },
      payload: { topic: territory },
    },
  });
  expect(status).toBe(200);
  return taskId;
}
const rate = (taskId: string, body: object, headers = {}) =>
  person("POST", `/v1/sap/tasks/${taskId}/rating`, { body, headers });
const proposals = () => person("GET", "/v1/learning/proposals?open=true");
const corrected = async (territory: string): Promise<string> => {
  for (const note of ["Cite the chapter.", "Answer in one page."])
    expect((await rate(await missed(territory), { score: 2, note })).status).toBe(200);
  await startLearner();
  return vi.waitFor(async () => (await proposals()).json.text("proposals", "0", "proposalId"), {
    timeout: 20_000,
    interval: 100,
  });
};

test("what people note becomes a proposal by the loop of another process, and is accepted once into a policy of its own", async () => {
  const proposalId = await corrected("books");
  const path = `/v1/learning/proposals/${proposalId}`;
  const read = await person("GET", path);
  expect(read.json.value).toMatchObject({
    kind: "playbook",
    change: { capability: "build", territory: "books" },
    decision: null,
    effect: { kind: "changes", replaces: "1.0.0", version: "1.0.1", before: policy },
  });
  expect(read.json.at("effect", "after")).toContain("Cite the chapter.");

  const byKey = await program("POST", `${path}/accept`, { body: { reason: "why" } });
  expect(byKey.json.at("code")).toBe("FORBIDDEN");
  const other = await person("POST", `${path}/accept`, { body: { reason: "why", replaces: "0.9.0" } });
  expect([other.status, other.json.at("code")]).toEqual([412, "VERSION_CONFLICT"]);

  const sent = {
    body: { reason: "Both reviewers said so.", replaces: "1.0.0" },
    headers: { "idempotency-key": "accept-books" },
  };
  const answers = await Promise.all([1, 2, 3].map(() => person("POST", `${path}/accept`, sent)));
  for (const { status, json } of answers)
    expect([status, json.value]).toEqual([200, { proposalId, decision: "accepted", policyVersion: "1.0.1" }]);
  const again = await person("POST", `${path}/refuse`, { body: { reason: "too late" } });
  expect([again.status, again.json.at("code")]).toEqual([409, "INVALID_STATE"]);

  expect((await person("GET", "/v1/routing-policies/active")).json.at("version")).toBe("1.0.1");
  expect((await person("GET", "/v1/learning/playbooks")).json.value).toMatchObject({
    policyVersion: "1.0.1",
    playbooks: [{ capability: "build", territory: "books", learnt: true }],
  });
  expect((await person("GET", path)).json.value).toMatchObject({
    decision: { decision: "accepted", reason: "Both reviewers said so.", policyVersion: "1.0.1" },
    effect: { kind: "none" },
  });
  expect((await proposals()).json.value).toEqual({ proposals: [] });
  const record = await person("GET", `/v1/audit?q=${proposalId}`);
  expect(record.json.at("entries")).toHaveLength(2);
});

describe("what is wrong with what was sent is named", () => {
  test.each([
    { field: "score", body: {} },
    { field: "score", body: { score: 6 } },
    { field: "score", body: { score: "5" } },
    { field: "note", body: { note: "x".repeat(2_001) } },
    { field: "approved", body: { approved: "yes" } },
    { field: "stars", body: { stars: 5 } },
  ])("a rating with $field amiss", async ({ body, field }) => {
    const { status, json } = await rate(await missed("faults"), body);
    expect([status, json.at("violations", 0, "field")]).toEqual([422, field]);
  });

  test.each([
    { word: "accept", field: "reason", body: {} },
    { word: "accept", field: "reason", body: { reason: "  " } },
    { word: "refuse", field: "reason", body: { reason: "x".repeat(2_001) } },
    { word: "refuse", field: "replaces", body: { reason: "why", replaces: "1.0.0" } },
  ])("to $word with $field amiss", async ({ word, body, field }) => {
    const path = `/v1/learning/proposals/${randomUUID()}/${word}`;
    const { status, json } = await person("POST", path, { body });
    expect([status, json.at("violations", 0, "field")]).toEqual([422, field]);
  });

  test.each([
    ["aggregates?by=colour", "by"],
    ["aggregates?limit=0", "limit"],
    ["proposals?open=perhaps", "open"],
    ["proposals?cursor=e30", "cursor"],
    ["results?cursor=WyJ5ZXN0ZXJkYXkiLCJhIl0", "cursor"],
    ["cache-records?capability=a", "capability"],
  ])("%s: %s", async (path, field) => {
    const { status, json } = await person("GET", `/v1/learning/${path}`);
    expect([status, json.at("violations", 0, "field")]).toEqual([422, field]);
  });
});

test("lists go on from where a page ended", async () => {
  const taskIds = [await missed("pages"), await missed("pages"), await missed("pages")];
  await rate(taskIds[1] ?? "", { approved: false });
  const seen: unknown[] = [];
  let cursor = "";
  for (let page = 0; page < 3; page += 1) {
    const { json } = await person("GET", `/v1/learning/results?limit=1${cursor}`);
    seen.push(json.at("results", 0, "taskId"));
    cursor = `&cursor=${json.text("nextCursor")}`;
  }
  expect(seen).toEqual(taskIds.toReversed());
  const { json } = await person("GET", `/v1/sap/tasks/${taskIds[1] ?? ""}/ratings`);
  expect(json.value).toMatchObject({ ratings: [{ approved: false, score: null, by: "administrator" }] });
  await startLearner();
  await vi.waitFor(
    async () => {
      const all = await person("GET", "/v1/learning/aggregates?by=territory&territory=pages");
      expect(all.json.at("aggregates", 0)).toMatchObject({
        capability: "build",
        territory: "pages",
        cache: { misses: 3 },
        ratings: { total: 1, disapproved: 1 },
      });
    },
    { timeout: 20_000, interval: 100 },
  );
});
