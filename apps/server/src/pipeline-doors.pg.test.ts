import { connect as connectHttp2, constants } from "node:http2";
import { text } from "node:stream/consumers";
import { fromJsonString } from "@bufbuild/protobuf";
import { PipelineSchema, PipelineStatus } from "@signalbox/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  failure,
  type Envelope,
  packId,
  plainAgent,
  prepare,
  stageOf,
  success,
  task,
} from "./testing/plain-agent.ts";
import { type RestClient, signedIn, withKey } from "./testing/rest-client.ts";
import { bearer, startTestServer, type TestServer } from "./testing/test-server.ts";

let server: TestServer;
let admin: RestClient;
let person: RestClient;
let foreign: RestClient;
let agent: ReturnType<typeof plainAgent>;
beforeAll(async () => {
  server = await startTestServer();
  admin = withKey(server, server.adminKey);
  person = await signedIn(server);
  foreign = withKey(server, await server.keyOf("admin", "elsewhere"));
  agent = plainAgent(withKey(server, await server.keyOf("agent")));
  await prepare(admin);
  await agent.beat();
});
afterAll(() => server.dispose());

async function submit(): Promise<string> {
  const submitted = await admin("POST", "/v1/tasks", { body: task });
  expect(submitted.status).toBe(201);
  return submitted.json.text("pipelineId");
}

async function work(stageId: string): Promise<Envelope> {
  const envelope = await agent.take();
  expect(stageOf(envelope)).toBe(stageId);
  expect((await agent.report(success(envelope))).status).toBe(200);
  return envelope;
}

describe("a pipeline, by an agent that only knows fetch", () => {
  let pipelineId = "";
  let traceId = "";

  test("a task is accepted, and says where its pipeline is", async () => {
    const submitted = await admin("POST", "/v1/tasks", { body: task });
    pipelineId = submitted.json.text("pipelineId");
    traceId = submitted.json.text("traceId");
    expect(submitted.status).toBe(201);
    expect(submitted.headers.get("location")).toBe(`/v1/pipelines/${pipelineId}`);
  });

  test("a heartbeat is answered with everything that an instance must know", async () => {
    const heard = await agent.beat();
    expect(heard.json.value).toEqual({
      leaseExpiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
      healthStatus: "HEALTH_STATUS_HEALTHY",
      cancelDispatchIds: [],
      drain: false,
    });
  });

  test("its stages are leased, renewed and reported one after the other", async () => {
    const envelope = await agent.take();
    expect(stageOf(envelope)).toBe("build");
    const { dispatchId, attemptNumber } = envelope.execution;
    const renewed = await agent.lease({
      maxTasks: 0,
      renew: [
        { dispatchId, attemptNumber },
        { dispatchId: `${pipelineId}-d1.1`, attemptNumber: 1 },
        { dispatchId, attemptNumber: 2 },
      ],
    });
    expect(renewed.json.value).toMatchObject({
      envelopes: [],
      leaseExpiresAt: expect.stringMatching(/Z$/),
      lostDispatchIds: [`${pipelineId}-d1.1`, dispatchId],
    });
    const alone = await withKey(server, await server.keyOf("agent"))(
      "POST",
      `/v1/dispatches/${dispatchId}/renew`,
    );
    expect(alone.json.text("leaseExpiresAt")).toMatch(/Z$/);
    const first = await agent.report(success(envelope));
    const again = await agent.report(success(envelope));
    expect(again.json.value).toEqual(first.json.value);
    await work("review");
  });

  test("the pipeline is told as the contract's Pipeline, with what it lacks", async () => {
    const { json } = await admin("GET", `/v1/pipelines/${pipelineId}`);
    expect(json.value).toMatchObject({
      status: "PIPELINE_STATUS_COMPLETED",
      trace: { traceId },
      templateId: "build-and-review",
      templateVersion: "1.0.0",
      policy: { pipelineDeadline: "1800s", failureStrategy: "FAILURE_STRATEGY_PAUSE" },
      openEscalations: [],
      stages: [
        { stageId: "build", status: "STAGE_STATUS_COMPLETED", attemptNumber: 1 },
        {
          stageId: "review",
          config: { dependsOnStages: ["build"] },
          result: { status: { outcome: "OUTCOME_SUCCESS", summary: "It says hello." } },
        },
      ],
    });
    const message = fromJsonString(PipelineSchema, JSON.stringify(json.value), { ignoreUnknownFields: true });
    expect(message.status).toBe(PipelineStatus.COMPLETED);
    expect(message.stages.map(({ result }) => result?.status?.summary)).toEqual([
      "It says hello.",
      "It says hello.",
    ]);
  });

  test("it is listed under its status, page by page", async () => {
    const completed = await admin("GET", "/v1/pipelines?status=COMPLETED&limit=1");
    expect(completed.json.value).toMatchObject({
      pipelines: [
        { pipelineId, status: "PIPELINE_STATUS_COMPLETED", traceId, submittedBy: { id: expect.any(String) } },
      ],
    });
    const failed = await admin("GET", "/v1/pipelines?status=PIPELINE_STATUS_FAILED");
    expect(failed.json.value).toEqual({ pipelines: [] });
  });

  test("its trace is a tree under one root", async () => {
    const { json } = await admin("GET", `/v1/pipelines/${pipelineId}/trace`);
    const spans = json.at("spans");
    if (!Array.isArray(spans)) throw new Error("the trace has no spans");
    const ids = new Set(spans.map((span: { spanId: string }) => span.spanId));
    const orphans = spans.filter(({ parentSpanId }: { parentSpanId: string }) => !ids.has(parentSpanId));
    expect(orphans).toEqual([spans[0]]);
    expect(spans.every((span: { traceId: string }) => span.traceId === traceId)).toBe(true);
    expect(json.at("spans", 0, "startedAt")).toMatch(/Z$/);
  });

  test("its record is told as it was written, by the database's time", async () => {
    const { json } = await admin("GET", `/v1/audit?pipelineId=${pipelineId}&limit=100`);
    const entries = json.at("entries");
    if (!Array.isArray(entries)) throw new Error("the record has no entries");
    expect(entries.length).toBeGreaterThanOrEqual(10);
    expect(json.at("entries", 0)).toMatchObject({
      auditId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      recordedAt: expect.stringMatching(/\.\d+Z$/),
      payload: { pipelineId, eventType: "AUDIT_EVENT_TYPE_PIPELINE_COMPLETED" },
    });
    const sent = await admin("GET", `/v1/audit?traceId=${traceId}&eventType=DISPATCH_SENT&packId=${packId}`);
    expect(sent.json.at("entries")).toHaveLength(2);
    const first = await admin("GET", `/v1/audit?pipelineId=${pipelineId}&eventType=DISPATCH_SENT&limit=1`);
    const cursor = first.json.text("nextCursor");
    const second = await admin(
      "GET",
      `/v1/audit?pipelineId=${pipelineId}&eventType=DISPATCH_SENT&limit=1&cursor=${cursor}`,
    );
    expect([first.json.at("entries", 0), second.json.at("entries", 0)]).toEqual(sent.json.at("entries"));
    const byNobody = await admin("GET", "/v1/audit?actor=nobody");
    expect(byNobody.json.value).toEqual({ entries: [] });
    const earlier = await admin("GET", `/v1/audit?to=2020-01-01T00:00:00Z&from=2019-01-01T00:00:00%2B01:00`);
    expect(earlier.json.value).toEqual({ entries: [] });
  });

  test("the instance is seen with its three facts (D8)", async () => {
    const { json } = await admin("GET", `/v1/instances?packId=${packId}`);
    expect(json.value).toMatchObject({
      instances: [{ instanceId: agent.instanceId, presence: "present", openDispatches: 0, quarantine: null }],
    });
  });
});

describe("an escalation", () => {
  let pipelineId = "";
  let escalationId = "";
  const resolve = (body: object, call = person) =>
    call("POST", `/v1/escalations/${escalationId}/resolve`, { body });

  test("is opened by a failure, and listed while it is open", async () => {
    pipelineId = await submit();
    expect((await agent.report(failure(await agent.take()))).status).toBe(200);
    const { json } = await admin("GET", "/v1/escalations?open");
    escalationId = json.text("escalations", "0", "escalationId");
    expect(json.value).toMatchObject({
      escalations: [{ pipelineId, stageId: "build", blocking: true, closedAt: null, end: null }],
    });
    expect((await admin("GET", "/v1/escalations?open=false")).json.value).toEqual({ escalations: [] });
    const pipeline = await admin("GET", `/v1/pipelines/${pipelineId}`);
    expect(pipeline.json.value).toMatchObject({
      openEscalations: [{ escalationId }],
      stages: [{ waitsForEscalationId: escalationId }, {}],
    });
  });

  test.each<[object, string[]]>([
    [{ option: "retry" }, ["comment"]],
    [{ option: "retry", comment: " " }, ["comment"]],
    [{ option: "perhaps", comment: "why" }, ["option"]],
    [{ option: "rewind", comment: "why" }, ["stageId"]],
    [{ option: "answer", comment: "why" }, ["answer"]],
    [{ option: "extend", comment: "why" }, ["extendBy"]],
    [{ option: "extend", comment: "why", extendBy: "5 minutes" }, ["extendBy"]],
    [{ option: "extend", comment: "why", extendBy: "0s" }, ["extendBy"]],
    [{ option: "abort", comment: "why", stageId: "build", answer: "yes" }, ["stageId", "answer"]],
    [{ option: "retry", comment: "why", note: "x" }, ["note"]],
  ])("%j is refused by the names of its parts", async (body, fields) => {
    const { status, json } = await resolve(body);
    expect(status).toBe(422);
    const violations = json.at("violations");
    expect(violations).toEqual(fields.map((field) => expect.objectContaining({ field })));
  });

  test("an option that is not offered is refused with those that are", async () => {
    const { json } = await resolve({ option: "extend", comment: "more time", extendBy: "30m" });
    expect(json.value).toMatchObject({
      status: 422,
      detail: expect.stringContaining("retry"),
      violations: [{ field: "option", rule: "offered", message: expect.stringContaining("retry") }],
    });
  });

  test("a key answers nothing, whatever its role: a person does", async () => {
    const { json } = await resolve({ option: "retry", comment: "why" }, admin);
    expect(json.value).toMatchObject({ status: 403, code: "FORBIDDEN" });
  });

  test("is answered once, and the pipeline goes on with what was said", async () => {
    const answer = { option: "retry", comment: "there is somebody now", instructions: "say it to Ada" };
    const answers = await Promise.all([resolve(answer), resolve(answer)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(answers.find(({ status }) => status === 409)?.json.value).toMatchObject({
      code: "ALREADY_RESOLVED",
    });
    const retried = await work("build");
    expect(JSON.stringify(retried)).toContain("say it to Ada");
    await work("review");
    const ended = await admin("GET", `/v1/escalations/${escalationId}`);
    expect(ended.json.value).toMatchObject({
      closedAt: expect.stringMatching(/Z$/),
      end: { kind: "resolved", option: "retry", instructions: "say it to Ada", by: { type: "human" } },
    });
  });
});

describe("a person's commands", () => {
  test("a pipeline is paused, resumed, rewound and aborted, and says why it cannot be", async () => {
    const pipelineId = await submit();
    const command = (name: string, body?: object) =>
      person("POST", `/v1/pipelines/${pipelineId}/${name}`, { body });
    await work("build");
    expect((await command("pause", { note: "lunch" })).json.value).toMatchObject({ pipelineId });
    expect((await command("pause")).json.value).toMatchObject({ status: 409, code: "INVALID_STATE" });
    const paused = await person("GET", `/v1/pipelines/${pipelineId}`);
    expect(paused.json.value).toMatchObject({
      status: "PIPELINE_STATUS_PAUSED",
      pause: { reason: "person", note: "lunch", by: { type: "human" } },
    });
    expect((await command("resume")).status).toBe(200);
    expect((await command("rewind", {})).json.at("violations", 0, "field")).toBe("stageId");
    expect((await command("rewind", { stageId: "nowhere" })).status).toBe(404);
    expect((await command("rewind", { stageId: "build", instructions: "louder" })).status).toBe(200);
    expect((await command("abort", { note: "enough", loud: true })).json.at("violations", 0)).toMatchObject({
      field: "loud",
      rule: "unknown",
    });
    expect((await command("abort", { note: "enough" })).status).toBe(200);
    const aborted = await person("GET", `/v1/pipelines/${pipelineId}`);
    expect(aborted.json.at("status")).toBe("PIPELINE_STATUS_ABORTED");
    const told = await agent.beat();
    expect(told.json.value).toMatchObject({ drain: false });
  });

  test("an instance that is not quarantined has nothing to be restored from", async () => {
    const path = `/v1/instances/${packId}/${agent.instanceId}/restore`;
    expect((await person("POST", path, { body: { note: "it is well" } })).json.value).toMatchObject({
      code: "INVALID_STATE",
    });
    expect((await person("POST", path, { body: {} })).json.at("violations", 0, "field")).toBe("note");
    expect(
      (await person("POST", `/v1/instances/${packId}/nobody/restore`, { body: { note: "" } })).status,
    ).toBe(404);
  });

  test("D7: an instance that reports nonsense three times is quarantined, and a person restores it", async () => {
    const pipelineId = await submit();
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const { json } = await person("GET", "/v1/escalations?open=true");
      const open = json.at("escalations", 0, "escalationId");
      if (typeof open === "string")
        await person("POST", `/v1/escalations/${open}/resolve`, {
          body: { option: "retry", comment: "again" },
        });
      const envelope = await agent.take();
      const nonsense = { ...success(envelope), trace: { ...envelope.trace, traceId: "another" } };
      expect((await agent.report(nonsense)).json.value).toMatchObject({
        code: "VALIDATION_FAILED",
        violations: [{ field: "trace.traceId" }],
      });
    }
    const seen = await admin("GET", "/v1/instances");
    expect(seen.json.at("instances", 0, "quarantine")).toMatchObject({ since: expect.stringMatching(/Z$/) });
    const path = `/v1/instances/${packId}/${agent.instanceId}/restore`;
    expect((await admin("POST", path, { body: { note: "it is mended" } })).status).toBe(403);
    expect((await person("POST", path, { body: { note: "it is mended" } })).status).toBe(204);
    const restored = await admin("GET", "/v1/instances");
    expect(restored.json.at("instances", 0, "quarantine")).toBeNull();
    await person("POST", `/v1/pipelines/${pipelineId}/abort`);
  });
});

describe("what is refused changes nothing and says why", () => {
  test.each([
    ["GET", "/v1/pipelines/nothing"],
    ["GET", "/v1/pipelines/a%00b"],
    ["GET", "/v1/pipelines/nothing/trace"],
    ["POST", "/v1/pipelines/nothing/pause"],
    ["GET", "/v1/escalations/nothing"],
    ["GET", "/v1/escalations/nothing-e1"],
    ["POST", "/v1/dispatches/nothing/renew"],
  ])("%s %s is unknown", async (method, path) => {
    expect((await admin(method, path)).json.value).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  test("another tenant's is unknown, and not listed", async () => {
    const pipelineId = await submit();
    const envelope = await agent.take();
    const { dispatchId } = envelope.execution;
    for (const [method, path] of [
      ["GET", `/v1/pipelines/${pipelineId}`],
      ["GET", `/v1/pipelines/${pipelineId}/trace`],
      ["POST", `/v1/pipelines/${pipelineId}/abort`],
      ["GET", `/v1/escalations/${pipelineId}-e1`],
    ] as const) {
      expect((await foreign(method, path)).json.value).toMatchObject({ code: "NOT_FOUND" });
    }
    const foreignAgent = plainAgent(withKey(server, await server.keyOf("agent", "elsewhere")));
    expect((await foreignAgent.report(success(envelope))).json.value).toMatchObject({ code: "NOT_FOUND" });
    const renewed = await foreign("POST", `/v1/dispatches/${dispatchId}/renew`);
    expect(renewed.json.value).toMatchObject({ status: 404, code: "NOT_FOUND" });
    for (const list of ["pipelines", "escalations", "instances"]) {
      expect((await foreign("GET", `/v1/${list}`)).json.at(list)).toEqual([]);
    }
    expect((await foreign("GET", `/v1/audit?pipelineId=${pipelineId}`)).json.at("entries")).toEqual([]);
    await admin("POST", `/v1/pipelines/${pipelineId}/abort`);
    expect((await agent.report(success(envelope))).json.value).toMatchObject({ code: "STALE_DISPATCH" });
  });

  test.each<[string, string, object, string]>([
    ["a task without work", "/v1/tasks", { contract: task.contract }, "work"],
    ["a task of an unknown template", "/v1/tasks", { ...task, templateId: "none" }, "templateId"],
    ["a task with an unknown field", "/v1/tasks", { ...task, tier: "LOW" }, "tier"],
    ["a task without a contract", "/v1/tasks", { templateId: "build-and-review" }, "contract"],
    ["a heartbeat without an instance", "/v1/heartbeats", { packId }, "instanceId"],
    ["a lease of nothing", "/v1/leases", { packId, instanceId: "a" }, "maxTasks"],
    ["a lease of too much", "/v1/leases", { packId, instanceId: "a", maxTasks: 101 }, "maxTasks"],
    [
      "a lease that waits too long",
      "/v1/leases",
      { packId, instanceId: "a", maxTasks: 1, waitSeconds: 61 },
      "waitSeconds",
    ],
  ])("%s is refused by the field's name", async (_, path, body, field) => {
    const { status, json } = await admin("POST", path, { body });
    expect(status).toBe(422);
    expect(json.value).toMatchObject({
      code: "VALIDATION_FAILED",
      violations: expect.arrayContaining([
        expect.objectContaining({ field: expect.stringContaining(field) }),
      ]),
    });
  });

  test.each([
    ["/v1/pipelines?status=BUSY", "status"],
    ["/v1/pipelines?page=2", "page"],
    ["/v1/pipelines?cursor=nonsense", "cursor"],
    ["/v1/escalations?open=perhaps", "open"],
    ["/v1/instances?packId=%00", "packId"],
    ["/v1/audit?eventType=NOISE", "eventType"],
    ["/v1/audit?from=yesterday", "from"],
    ["/v1/audit?to=2026-01-01", "to"],
    ["/v1/audit?limit=101", "limit"],
    ["/v1/audit?actor=a&actor=b", "actor"],
  ])("GET %s is refused by the parameter's name", async (path, field) => {
    expect((await admin("GET", path)).json.value).toMatchObject({
      status: 422,
      violations: [{ field }],
    });
  });

  test("what a oneof wants is said by the names of its fields", async () => {
    const { json } = await admin("POST", "/v1/tasks", { body: { contract: task.contract } });
    expect(json.at("violations", 0, "message")).toContain("templateId, taskType");
  });

  test("a result with proof and no proof at once cannot be read, and changes nothing", async () => {
    const pipelineId = await submit();
    const envelope = await agent.take();
    const both = { ...success(envelope), evidence: { items: { items: [] }, noneWithReason: "none" } };
    expect((await agent.report(both)).json.value).toMatchObject({
      status: 422,
      violations: [{ field: expect.stringContaining("evidence") }],
    });
    expect((await agent.report(success(envelope))).status).toBe(200);
    await person("POST", `/v1/pipelines/${pipelineId}/abort`);
  });

  test("a body that is no JSON, none at all, and one of another type", async () => {
    for (const path of ["/v1/tasks", "/v1/heartbeats", "/v1/leases", "/v1/dispatches/a-d0.1/result"]) {
      expect((await admin("POST", path)).json.at("code")).toBe("MALFORMED_BODY");
      const json = { "content-type": "application/json" };
      expect((await admin("POST", path, { body: "{", headers: json })).json.at("code")).toBe(
        "MALFORMED_BODY",
      );
      const yaml = { "content-type": "application/yaml" };
      expect((await admin("POST", path, { body: "a: b", headers: yaml })).status).toBe(415);
    }
  });

  test("a result larger than a body may be", async () => {
    const body = { dispatchId: "a-d0.1", status: { summary: "a".repeat(1 << 20) } };
    expect((await admin("POST", "/v1/dispatches/a-d0.1/result", { body })).json.at("code")).toBe(
      "PAYLOAD_TOO_LARGE",
    );
  });
});

/** Asks for work over one HTTP version, and gives the way to go away. */
const waits: Record<string, (headers: Record<string, string>, body: string) => () => void> = {
  "HTTP/1.1": (headers, body) => {
    const gone = new AbortController();
    void fetch(`${server.origin}/v1/leases`, { method: "POST", signal: gone.signal, headers, body }).catch(
      (reason: unknown) => reason,
    );
    return () => gone.abort();
  },
  "HTTP/2": (headers, body) => {
    const session = connectHttp2(server.origin);
    const stream = session.request({ ":path": "/v1/leases", ":method": "POST", ...headers });
    stream.on("error", () => undefined).end(body);
    return () => {
      stream.close(constants.NGHTTP2_CANCEL);
      session.close();
    };
  },
};

describe("an agent that goes while it waits", () => {
  test.each(Object.entries(waits))("leaves what comes for the next, over %s", async (version, ask) => {
    const requestId = `goes-over-${version.replaceAll(/\W/g, "-")}`;
    const headers = {
      "content-type": "application/json",
      "x-request-id": requestId,
      ...bearer(server.adminKey),
    };
    const wanted = { packId, instanceId: agent.instanceId, maxTasks: 1, waitSeconds: 60 };
    const go = ask(headers, JSON.stringify(wanted));
    const logged = async (what: string) => {
      const line = new RegExp(`"requestId":"${requestId}".*"${what}`);
      await expect.poll(() => server.log()).toMatch(line);
    };
    await logged("request begun");
    // Whoever came after it has been answered: it is known by now, and waits.
    await agent.beat();
    go();
    await logged("the client went before it was answered");
    const pipelineId = await submit();
    await work("build");
    await person("POST", `/v1/pipelines/${pipelineId}/abort`);
  });

  test("and one that was answered has not gone", async () => {
    const session = connectHttp2(server.origin);
    const headers = {
      "content-type": "application/json",
      "x-request-id": "answered-over-http2",
      ...bearer(server.adminKey),
    };
    const stream = session.request({ ":path": "/v1/leases", ":method": "POST", ...headers });
    stream.end(JSON.stringify({ packId, instanceId: agent.instanceId, maxTasks: 1 }));
    expect(JSON.parse(await text(stream))).toMatchObject({ envelopes: [] });
    session.close();
    await expect.poll(() => server.log()).toMatch(/"requestId":"answered-over-http2".*"request"/);
    expect(server.log()).not.toMatch(/"requestId":"answered-over-http2".*"the client went/);
  });
});
