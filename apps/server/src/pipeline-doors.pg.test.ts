import { fromJsonString } from "@bufbuild/protobuf";
import { PipelineSchema, PipelineStatus } from "@signalbox/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPipelineDoors, type PipelineDoors } from "./testing/pipeline-doors.ts";
import { failure, packId, stageOf, success, task } from "./testing/plain-agent.ts";
import { withKey } from "./testing/rest-client.ts";

let doors: PipelineDoors;
beforeAll(async () => {
  doors = await openPipelineDoors();
});
afterAll(() => doors.server.dispose());

describe("a pipeline, by an agent that only knows fetch", () => {
  let pipelineId = "";
  let traceId = "";

  test("a task is accepted, and says where its pipeline is", async () => {
    const submitted = await doors.admin("POST", "/v1/tasks", { body: task });
    pipelineId = submitted.json.text("pipelineId");
    traceId = submitted.json.text("traceId");
    expect(submitted.status).toBe(201);
    expect(submitted.headers.get("location")).toBe(`/v1/pipelines/${pipelineId}`);
  });

  test("a heartbeat is answered with everything that an instance must know", async () => {
    const heard = await doors.agent.beat();
    expect(heard.json.value).toEqual({
      leaseExpiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
      healthStatus: "HEALTH_STATUS_HEALTHY",
      cancelDispatchIds: [],
      drain: false,
    });
  });

  test("its stages are leased, renewed and reported one after the other", async () => {
    const envelope = await doors.agent.take();
    expect(stageOf(envelope)).toBe("build");
    const { dispatchId, attemptNumber } = envelope.execution;
    const renewed = await doors.agent.lease({
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
    const alone = await withKey(doors.server, await doors.server.keyOf("agent"))(
      "POST",
      `/v1/dispatches/${dispatchId}/renew`,
    );
    expect(alone.json.text("leaseExpiresAt")).toMatch(/Z$/);
    const first = await doors.agent.report(success(envelope));
    const again = await doors.agent.report(success(envelope));
    expect(again.json.value).toEqual(first.json.value);
    await doors.work("review");
  });

  test("the pipeline is told as the contract's Pipeline, with what it lacks", async () => {
    const { json } = await doors.admin("GET", `/v1/pipelines/${pipelineId}`);
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
    const completed = await doors.admin("GET", "/v1/pipelines?status=COMPLETED&limit=1");
    expect(completed.json.value).toMatchObject({
      pipelines: [
        { pipelineId, status: "PIPELINE_STATUS_COMPLETED", traceId, submittedBy: { id: expect.any(String) } },
      ],
    });
    const failed = await doors.admin("GET", "/v1/pipelines?status=PIPELINE_STATUS_FAILED");
    expect(failed.json.value).toEqual({ pipelines: [] });
  });

  test("its trace is a tree under one root", async () => {
    const { json } = await doors.admin("GET", `/v1/pipelines/${pipelineId}/trace`);
    const spans = json.at("spans");
    if (!Array.isArray(spans)) throw new Error("the trace has no spans");
    const ids = new Set(spans.map((span: { spanId: string }) => span.spanId));
    const orphans = spans.filter(({ parentSpanId }: { parentSpanId: string }) => !ids.has(parentSpanId));
    expect(orphans).toEqual([spans[0]]);
    expect(spans.every((span: { traceId: string }) => span.traceId === traceId)).toBe(true);
    expect(json.at("spans", 0, "startedAt")).toMatch(/Z$/);
  });

  test("its record is told as it was written, by the database's time", async () => {
    const { json } = await doors.admin("GET", `/v1/audit?pipelineId=${pipelineId}&limit=100`);
    const entries = json.at("entries");
    if (!Array.isArray(entries)) throw new Error("the record has no entries");
    expect(entries.length).toBeGreaterThanOrEqual(10);
    expect(json.at("entries", 0)).toMatchObject({
      auditId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      recordedAt: expect.stringMatching(/\.\d+Z$/),
      payload: { pipelineId, eventType: "AUDIT_EVENT_TYPE_PIPELINE_COMPLETED" },
    });
    const sent = await doors.admin(
      "GET",
      `/v1/audit?traceId=${traceId}&eventType=DISPATCH_SENT&packId=${packId}`,
    );
    expect(sent.json.at("entries")).toHaveLength(2);
    const first = await doors.admin(
      "GET",
      `/v1/audit?pipelineId=${pipelineId}&eventType=DISPATCH_SENT&limit=1`,
    );
    const cursor = first.json.text("nextCursor");
    const second = await doors.admin(
      "GET",
      `/v1/audit?pipelineId=${pipelineId}&eventType=DISPATCH_SENT&limit=1&cursor=${cursor}`,
    );
    expect([first.json.at("entries", 0), second.json.at("entries", 0)]).toEqual(sent.json.at("entries"));
    const byNobody = await doors.admin("GET", "/v1/audit?actor=nobody");
    expect(byNobody.json.value).toEqual({ entries: [] });
    const earlier = await doors.admin(
      "GET",
      `/v1/audit?to=2020-01-01T00:00:00Z&from=2019-01-01T00:00:00%2B01:00`,
    );
    expect(earlier.json.value).toEqual({ entries: [] });
  });

  test("the instance is seen with its three facts (D8)", async () => {
    const { json } = await doors.admin("GET", `/v1/instances?packId=${packId}`);
    expect(json.value).toMatchObject({
      instances: [
        { instanceId: doors.agent.instanceId, presence: "present", openDispatches: 0, quarantine: null },
      ],
    });
  });
});

describe("an escalation", () => {
  let pipelineId = "";
  let escalationId = "";
  const resolve = (body: object, call = doors.person) =>
    call("POST", `/v1/escalations/${escalationId}/resolve`, { body });

  test("is opened by a failure, and listed while it is open", async () => {
    pipelineId = await doors.submit();
    expect((await doors.agent.report(failure(await doors.agent.take()))).status).toBe(200);
    const { json } = await doors.admin("GET", "/v1/escalations?open");
    escalationId = json.text("escalations", "0", "escalationId");
    expect(json.value).toMatchObject({
      escalations: [{ pipelineId, stageId: "build", blocking: true, closedAt: null, end: null }],
    });
    expect((await doors.admin("GET", "/v1/escalations?open=false")).json.value).toEqual({ escalations: [] });
    const pipeline = await doors.admin("GET", `/v1/pipelines/${pipelineId}`);
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
    const { json } = await resolve({ option: "retry", comment: "why" }, doors.admin);
    expect(json.value).toMatchObject({ status: 403, code: "FORBIDDEN" });
  });

  test("is answered once, and the pipeline goes on with what was said", async () => {
    const answer = { option: "retry", comment: "there is somebody now", instructions: "say it to Ada" };
    const answers = await Promise.all([resolve(answer), resolve(answer)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(answers.find(({ status }) => status === 409)?.json.value).toMatchObject({
      code: "ALREADY_RESOLVED",
    });
    const retried = await doors.work("build");
    expect(JSON.stringify(retried)).toContain("say it to Ada");
    await doors.work("review");
    const ended = await doors.admin("GET", `/v1/escalations/${escalationId}`);
    expect(ended.json.value).toMatchObject({
      closedAt: expect.stringMatching(/Z$/),
      end: { kind: "resolved", option: "retry", instructions: "say it to Ada", by: { type: "human" } },
    });
  });
});

describe("a person's commands", () => {
  test("a pipeline is paused, resumed, rewound and aborted, and says why it cannot be", async () => {
    const pipelineId = await doors.submit();
    const command = (name: string, body?: object) =>
      doors.person("POST", `/v1/pipelines/${pipelineId}/${name}`, { body });
    await doors.work("build");
    expect((await command("pause", { note: "lunch" })).json.value).toMatchObject({ pipelineId });
    expect((await command("pause")).json.value).toMatchObject({ status: 409, code: "INVALID_STATE" });
    const paused = await doors.person("GET", `/v1/pipelines/${pipelineId}`);
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
    const aborted = await doors.person("GET", `/v1/pipelines/${pipelineId}`);
    expect(aborted.json.at("status")).toBe("PIPELINE_STATUS_ABORTED");
    const told = await doors.agent.beat();
    expect(told.json.value).toMatchObject({ drain: false });
  });

  test("END-1: who ended it and why is there for whoever may read the pipeline, the reason as it may be kept", async () => {
    const viewer = withKey(doors.server, await doors.server.keyOf("viewer"));
    const endOf = async (pipelineId: string) =>
      (await viewer("GET", `/v1/pipelines/${pipelineId}`)).json.at("end");
    const { name } = (await doors.person("GET", "/v1/account")).json.value as { name: string };
    const by = { type: "human", id: "administrator" };
    const hostile = "<b>late</b> \u202e\u0007\u001b[2J";
    const aborted = await doors.submit();
    expect(await endOf(aborted)).toBeNull();
    await doors.person("POST", `/v1/pipelines/${aborted}/abort`, {
      body: { note: `${hostile}, token ghp_${"a1B2c3D4e5F6".repeat(3)}` },
    });
    expect(await endOf(aborted)).toEqual({
      by,
      byName: name,
      reason: `${hostile}, token [redacted:github-token]`,
      escalationId: null,
    });
    const byKey = await doors.submit();
    await doors.admin("POST", `/v1/pipelines/${byKey}/abort`);
    expect(await endOf(byKey)).toEqual({
      by: { type: "system", id: expect.stringMatching(/^key\//) },
      byName: expect.stringMatching(/^[^/]+$/),
      reason: "",
      escalationId: null,
    });
    const asked = await doors.submit();
    await doors.agent.report(failure(await doors.agent.take()));
    const question = (await viewer("GET", `/v1/escalations?open=true&pipelineId=${asked}`)).json;
    const escalationId = String(question.at("escalations", 0, "escalationId"));
    await doors.person("POST", `/v1/escalations/${escalationId}/resolve`, {
      body: { option: "abort", comment: "not worth it" },
    });
    expect(await endOf(asked)).toEqual({ by, byName: name, reason: "not worth it", escalationId });
  });

  test("who submitted and who paused it are told by the names that they have", async () => {
    const { name } = (await doors.person("GET", "/v1/account")).json.value as { name: string };
    const pipelineId = await doors.submit();
    const told = async () => (await doors.admin("GET", `/v1/pipelines/${pipelineId}`)).json.value;
    expect(await told()).toMatchObject({ submittedByName: expect.stringMatching(/^[^/]+$/), pause: null });
    await doors.person("POST", `/v1/pipelines/${pipelineId}/pause`, { body: { note: "lunch" } });
    expect(await told()).toMatchObject({ pause: { note: "lunch", byName: name } });
    await doors.admin("POST", `/v1/pipelines/${pipelineId}/abort`);
  });

  test("an instance that is not quarantined has nothing to be restored from", async () => {
    const path = `/v1/instances/${packId}/${doors.agent.instanceId}/restore`;
    expect((await doors.person("POST", path, { body: { note: "it is well" } })).json.value).toMatchObject({
      code: "INVALID_STATE",
    });
    expect((await doors.person("POST", path, { body: {} })).json.at("violations", 0, "field")).toBe("note");
    expect(
      (await doors.person("POST", `/v1/instances/${packId}/nobody/restore`, { body: { note: "" } })).status,
    ).toBe(404);
  });

  test("D7: an instance that reports nonsense three times is quarantined, and a person restores it", async () => {
    const pipelineId = await doors.submit();
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const { json } = await doors.person("GET", "/v1/escalations?open=true");
      const open = json.at("escalations", 0, "escalationId");
      if (typeof open === "string")
        await doors.person("POST", `/v1/escalations/${open}/resolve`, {
          body: { option: "retry", comment: "again" },
        });
      const envelope = await doors.agent.take();
      const nonsense = { ...success(envelope), trace: { ...envelope.trace, traceId: "another" } };
      expect((await doors.agent.report(nonsense)).json.value).toMatchObject({
        code: "VALIDATION_FAILED",
        violations: [{ field: "trace.traceId" }],
      });
    }
    const seen = await doors.admin("GET", "/v1/instances");
    expect(seen.json.at("instances", 0, "quarantine")).toMatchObject({ since: expect.stringMatching(/Z$/) });
    const path = `/v1/instances/${packId}/${doors.agent.instanceId}/restore`;
    expect((await doors.admin("POST", path, { body: { note: "it is mended" } })).status).toBe(403);
    expect((await doors.person("POST", path, { body: { note: "it is mended" } })).status).toBe(204);
    const restored = await doors.admin("GET", "/v1/instances");
    expect(restored.json.at("instances", 0, "quarantine")).toBeNull();
    await doors.person("POST", `/v1/pipelines/${pipelineId}/abort`);
  });
});
