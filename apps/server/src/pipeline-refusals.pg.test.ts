import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPipelineDoors, type PipelineDoors } from "./testing/pipeline-doors.ts";
import { manifest, packId, plainAgent, success, task } from "./testing/plain-agent.ts";
import { withKey } from "./testing/rest-client.ts";

let doors: PipelineDoors;
beforeAll(async () => {
  doors = await openPipelineDoors();
});
afterAll(() => doors.server.dispose());

const contracted = (taskId: string) => ({ ...task, contract: { ...task.contract, taskId } });

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
    expect((await doors.admin(method, path)).json.value).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  test("another tenant's is unknown, and not listed", async () => {
    const foreign = withKey(doors.server, await doors.server.keyOf("admin", "elsewhere"));
    const pipelineId = await doors.submit();
    const envelope = await doors.agent.take();
    const { dispatchId } = envelope.execution;
    for (const [method, path] of [
      ["GET", `/v1/pipelines/${pipelineId}`],
      ["GET", `/v1/pipelines/${pipelineId}/trace`],
      ["POST", `/v1/pipelines/${pipelineId}/abort`],
      ["GET", `/v1/escalations/${pipelineId}-e1`],
    ] as const) {
      expect((await foreign(method, path)).json.value).toMatchObject({ code: "NOT_FOUND" });
    }
    const foreignAgent = plainAgent(withKey(doors.server, await doors.server.keyOf("agent", "elsewhere")));
    expect((await foreignAgent.report(success(envelope))).json.value).toMatchObject({ code: "NOT_FOUND" });
    const renewed = await foreign("POST", `/v1/dispatches/${dispatchId}/renew`);
    expect(renewed.json.value).toMatchObject({ status: 404, code: "NOT_FOUND" });
    for (const list of ["pipelines", "escalations", "instances"]) {
      expect((await foreign("GET", `/v1/${list}`)).json.at(list)).toEqual([]);
    }
    expect((await foreign("GET", `/v1/audit?pipelineId=${pipelineId}`)).json.at("entries")).toEqual([]);
    await doors.admin("POST", `/v1/pipelines/${pipelineId}/abort`);
    expect((await doors.agent.report(success(envelope))).json.value).toMatchObject({
      code: "STALE_DISPATCH",
    });
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
    const { status, json } = await doors.admin("POST", path, { body });
    expect(status).toBe(422);
    expect(json.value).toMatchObject({
      code: "VALIDATION_FAILED",
      violations: expect.arrayContaining([
        expect.objectContaining({ field: expect.stringContaining(field) }),
      ]),
    });
  });

  const ids: [string, string, (id: string) => object][] = [
    ["/v1/tasks", "contract.taskId", contracted],
    ["/v1/tasks", "taskType", (taskType) => ({ contract: task.contract, taskType })],
    ["/v1/tasks", "templateId", (templateId) => ({ ...task, templateId })],
    ["/v1/heartbeats", "instanceId", (instanceId) => ({ packId, instanceId })],
    ["/v1/packs", "packId", (named) => ({ ...manifest, packId: named })],
    [
      "/v1/packs",
      "supportedTaskTypes[1]",
      (type) => ({ ...manifest, packVersion: "9.0.0", supportedTaskTypes: ["build", type] }),
    ],
  ];
  test.each(ids)(
    "NAME-1 %s refuses a %s that nothing can be named by, and says what can",
    async (path, field, bodyOf) => {
      for (const [id, says] of [
        ["   ", "is blank; an id begins and ends with a character that can be seen"],
        ["one\ntwo", "holds U+000A at character 4; an id begins"],
        ["invoice\u202Egpj", "holds U+202E at character 8; an id begins"],
        ["x".repeat(5_000), "at most"],
      ] as const) {
        const { status, json } = await doors.admin("POST", path, { body: bodyOf(id) });
        expect([status, json.at("code")]).toEqual([422, "VALIDATION_FAILED"]);
        expect(json.at("violations")).toEqual([
          expect.objectContaining({ field, message: expect.stringContaining(says) }),
        ]);
      }
    },
  );

  test("NAME-1 an id of 200 characters, in any script, is taken as it is", async () => {
    for (const taskId of ["x".repeat(200), "Prüfung 12/b", "7fbb32b6-0d2c-4c1a-9b75-2a4b3b0b6c0a"]) {
      const { status, json } = await doors.admin("POST", "/v1/tasks", { body: contracted(taskId) });
      expect(status).toBe(201);
      const pipeline = await doors.admin("GET", `/v1/pipelines/${json.text("pipelineId")}`);
      expect(pipeline.json.at("sourceTaskId")).toBe(taskId);
      await doors.admin("POST", `/v1/pipelines/${json.text("pipelineId")}/abort`);
    }
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
    expect((await doors.admin("GET", path)).json.value).toMatchObject({
      status: 422,
      violations: [{ field }],
    });
  });

  test("what a oneof wants is said by the names of its fields", async () => {
    const { json } = await doors.admin("POST", "/v1/tasks", { body: { contract: task.contract } });
    expect(json.at("violations", 0, "message")).toContain("templateId, taskType");
  });

  test("a result with proof and no proof at once cannot be read, and changes nothing", async () => {
    const pipelineId = await doors.submit();
    const envelope = await doors.agent.take();
    const both = { ...success(envelope), evidence: { items: { items: [] }, noneWithReason: "none" } };
    expect((await doors.agent.report(both)).json.value).toMatchObject({
      status: 422,
      violations: [{ field: expect.stringContaining("evidence") }],
    });
    expect((await doors.agent.report(success(envelope))).status).toBe(200);
    await doors.person("POST", `/v1/pipelines/${pipelineId}/abort`);
  });

  test("a body that is no JSON, none at all, and one of another type", async () => {
    for (const path of ["/v1/tasks", "/v1/heartbeats", "/v1/leases", "/v1/dispatches/a-d0.1/result"]) {
      expect((await doors.admin("POST", path)).json.at("code")).toBe("MALFORMED_BODY");
      const json = { "content-type": "application/json" };
      expect((await doors.admin("POST", path, { body: "{", headers: json })).json.at("code")).toBe(
        "MALFORMED_BODY",
      );
      const yaml = { "content-type": "application/yaml" };
      expect((await doors.admin("POST", path, { body: "a: b", headers: yaml })).status).toBe(415);
    }
  });

  test("a result larger than a body may be", async () => {
    const body = { dispatchId: "a-d0.1", status: { summary: "a".repeat(1 << 20) } };
    expect((await doors.admin("POST", "/v1/dispatches/a-d0.1/result", { body })).json.at("code")).toBe(
      "PAYLOAD_TOO_LARGE",
    );
  });
});
