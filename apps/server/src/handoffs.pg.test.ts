import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { callMetadata, type GrpcJsClient, grpcJsClient } from "./testing/grpc-js-client.ts";
import {
  type Envelope,
  manifest,
  packId,
  plainAgent,
  policy,
  success,
  templates,
} from "./testing/plain-agent.ts";
import { type RestClient, withKey } from "./testing/rest-client.ts";
import { startTestServer, type TestServer } from "./testing/test-server.ts";

let server: TestServer;
let admin: RestClient;
let call: RestClient;
let grpc: GrpcJsClient;
let developer: ReturnType<typeof plainAgent>;
const specialist = "specialist";
const task = {
  taskType: "build",
  contract: { taskId: "T-1", title: "Hello", acceptanceCriteria: ["hello"] },
};
const section = `
handoffs:
  - task_types: [build]
    pack_ids: [${packId}]
    to_pack_ids: [${specialist}]
  - to_task_types: [build, review]
`;
const withSpecialist = policy.replaceAll(`[${packId}]`, `[${packId}, ${specialist}]`);

async function publish(path: string, text: string): Promise<void> {
  const headers = { "content-type": "application/yaml" };
  const drafted = await admin("POST", path, { body: text, headers });
  if (drafted.status > 201) throw new Error(JSON.stringify(drafted.json.value));
  const version = /version: "([^"]+)"/.exec(text)?.[1] ?? "";
  const published = await admin("POST", `${path}/${version}/publish`, { body: {} });
  if (published.status !== 200) throw new Error(JSON.stringify(published.json.value));
}

beforeAll(async () => {
  server = await startTestServer();
  admin = withKey(server, server.adminKey);
  call = withKey(server, await server.keyOf("agent"));
  grpc = grpcJsClient(server.port);
  developer = plainAgent(call);
  for (const id of [packId, specialist])
    await admin("POST", "/v1/packs", { body: { ...manifest, packId: id } });
  await publish("/v1/routing-policies", withSpecialist);
  await publish("/v1/pipeline-templates", templates);
  await developer.beat();
});
afterAll(async () => {
  grpc.close();
  await server.dispose();
});

const begin = async (): Promise<Envelope> => {
  await admin("POST", "/v1/tasks", { body: task });
  return developer.take();
};
const ask = (envelope: Envelope, body: object, headers: Record<string, string> = {}) =>
  call("POST", `/v1/dispatches/${envelope.execution.dispatchId}/handoffs`, { body, headers });
const pipelineOf = ({ execution }: Envelope) => execution.dispatchId.replace(/-d[\d.]+$/, "");
const stageOf = async (envelope: Envelope) =>
  (await admin("GET", `/v1/pipelines/${pipelineOf(envelope)}`)).json.at("stages", 0);

const entrySchema = z.object({
  payload: z.object({ eventType: z.string(), action: z.string(), rationale: z.string() }),
});
const recordOf = async (envelope: Envelope) => {
  const found = await admin("GET", `/v1/audit?pipelineId=${pipelineOf(envelope)}&limit=50`);
  return z
    .array(entrySchema)
    .parse(found.json.at("entries"))
    .map(({ payload }) => payload)
    .filter(({ eventType }) => eventType.includes("HANDOFF"))
    .toReversed();
};

test("D24 without a section in the policy, and for what no rule names, the agent is told why and goes on", async () => {
  const envelope = await begin();
  const refused = await ask(envelope, { packId: specialist, reason: "It knows better." });
  expect(refused.json.value).toMatchObject({
    decision: "HANDOFF_DECISION_REFUSED",
    reason: expect.stringContaining("no handoffs section"),
  });
  await publish("/v1/routing-policies", withSpecialist.replace("1.0.0", "1.1.0") + section);
  const nowhere = await ask(envelope, { packId: "stranger", reason: "It knows better." });
  expect(nowhere.json.value).toMatchObject({
    decision: "HANDOFF_DECISION_REFUSED",
    reason: expect.stringContaining("does not lead to stranger"),
  });
  expect((await developer.report(success(envelope))).status).toBe(200);
  expect((await recordOf(envelope)).map(({ action }) => action)).toEqual([
    "handoff.requested",
    "handoff.refused",
    "handoff.requested",
    "handoff.refused",
  ]);
});

test("D24 approved, the stage goes to the other with what it was told, and the dispatch is over", async () => {
  const envelope = await begin();
  const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB";
  const body = {
    packId: specialist,
    reason: `It touches sign-in, and the token ${secret}.`,
    contextOut: {
      decisionsMade: [
        {
          decisionId: "d1",
          description: "tokens end",
          rationale: "they leak",
          decidedAt: "2026-11-18T10:15:23Z",
        },
      ],
      assumptionsMade: [`the lifetime is an hour, as ${secret} says`],
    },
  };
  const named = { "idempotency-key": "handoff-1" };
  const [first, again] = [await ask(envelope, body, named), await ask(envelope, body, named)];
  expect(first.json.value).toEqual({
    handoffId: expect.stringMatching(new RegExp(`^${envelope.execution.dispatchId}-h\\d+$`)),
    decision: "HANDOFF_DECISION_APPROVED",
    reason: "Rule 1 of the handoffs of policy 1.1.0 allows it",
  });
  expect(again.json.value).toEqual(first.json.value);
  for (const late of [await ask(envelope, body), await developer.report(success(envelope))])
    expect([late.status, late.json.text("code")]).toEqual([409, "STALE_DISPATCH"]);
  expect(await stageOf(envelope)).toMatchObject({
    status: "STAGE_STATUS_READY",
    handoffsUsed: 1,
    retriesUsed: 0,
    reroute: { packId: specialist },
  });
  // Who handed it on is not sent it, and is free for other work.
  expect((await developer.lease({ waitSeconds: 0 })).json.at("envelopes")).toEqual([]);

  const other = plainAgent(call, "specialist-1", specialist);
  await other.beat();
  const handed = await other.take();
  expect(handed.execution).toMatchObject({ attemptNumber: 2 });
  const told = JSON.stringify(handed);
  expect(told).toContain("It touches sign-in");
  expect(told).toContain("the lifetime is an hour");
  expect(told).not.toContain(secret);
  expect((await other.report(success(handed))).status).toBe(200);
  expect(await stageOf(envelope)).toMatchObject({ status: "STAGE_STATUS_COMPLETED" });
  const record = await recordOf(envelope);
  expect(record.map(({ action }) => action)).toEqual(["handoff.requested", "handoff.approved"]);
  expect(JSON.stringify(record)).not.toContain(secret);
});

test("D24 over gRPC likewise, for other work, and three times at most", async () => {
  const envelope = await begin();
  const key = await server.keyOf("agent");
  const request = (of: Envelope, taskType: string) =>
    grpc.call(
      "RequestHandoff",
      {
        attempt: { dispatchId: of.execution.dispatchId, attemptNumber: of.execution.attemptNumber },
        taskType,
        reason: "It is other work.",
      },
      callMetadata(key),
    );
  let current = envelope;
  for (const taskType of ["review", "build", "review"]) {
    expect((await request(current, taskType)).answer).toMatchObject({
      decision: "HANDOFF_DECISION_APPROVED",
    });
    current = await developer.take();
  }
  const spent = (await request(current, "build")).answer;
  expect(spent).toMatchObject({
    decision: "HANDOFF_DECISION_REFUSED",
    reason: expect.stringContaining("3 times already"),
  });
  expect((await developer.report(success(current))).status).toBe(200);
});

test("D24 a wish that is none is refused by its field, and nothing is on record", async () => {
  const envelope = await begin();
  const wrong: [object, string[]][] = [
    [{ reason: "why" }, ["target"]],
    [{ packId: specialist }, ["reason"]],
    [{ packId: specialist, reason: "x".repeat(16_385) }, ["reason"]],
    [{ packId: "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB", reason: "why" }, ["packId"]],
    [
      { packId: specialist, reason: "why", attempt: { dispatchId: "a-d0.1", attemptNumber: 1 } },
      ["attempt.dispatchId"],
    ],
    [{ packId: specialist, reason: "why", to: "somewhere" }, ["to"]],
  ];
  for (const [body, fields] of wrong) {
    const { status, json } = await ask(envelope, body);
    const violations = z.array(z.object({ field: z.string() })).parse(json.at("violations"));
    expect([status, violations.map(({ field }) => field)]).toEqual([422, fields]);
  }
  expect(await recordOf(envelope)).toEqual([]);
  expect(
    (await call("POST", "/v1/dispatches/none-d0.1/handoffs", { body: { packId: "a", reason: "b" } })).status,
  ).toBe(404);
});
