import { describe, expect, test } from "vitest";
import { type FieldTable, testEachField } from "../../test/field-table.ts";
import { checkShape } from "../parse/zod-violations.ts";
import { ConstitutionalContextSchema, expectsAck, TaskSchema } from "./task.ts";
import { exampleTask } from "../../test/sap-examples.ts";

const notText = [null, 1, {}];
const notObject = [null, [], "text", 1];
const notTexts = [null, "text", [1], [null], {}];
const notUuid = [
  "7fbb32b6",
  "7fbb32b60d2c4c1a9b752a4b3b0b6c0a",
  "{7fbb32b6-0d2c-4c1a-9b75-2a4b3b0b6c0a}",
  "",
  1,
];
const notSeconds = [
  "2025-09-28T10:15:23.000Z",
  "2025-09-28T10:15:23+00:00",
  "2025-09-28T10:15Z",
  "2025-09-28 10:15:23Z",
  "2025-02-29T10:15:23Z",
  "2025-09-31T10:15:23Z",
  "2025-09-28T24:00:00Z",
  "0000-01-01T00:00:00Z",
  1_759_054_523,
  null,
];

const context = {
  ...exampleTask.constitutionalContext,
  pressureLevel: "consulted",
};
const contextFields: FieldTable = {
  pressureLevel: ["Instant", "urgent", "", null, 1],
  "principles?": notTexts,
  "pressure?": [null, [], { a: -0.1 }, { a: 100.1 }, { a: "5" }, { a: Number.NaN }, { a: null }],
  "objectives?": notTexts,
  "constraints?": notTexts,
  "riskTolerance?": ["LOW", "none", null],
  "territory?": notText,
  "references?": notTexts,
  "cachePolicy?": notObject,
  "cachePolicy.mode?": ["always", "", null],
  "cachePolicy.maxAgeSec?": [-1, 0.5, "60", Infinity, null],
  "cachePolicy.mustAlign?": ["true", 1, null],
};

const task = {
  ...exampleTask,
  parentTaskId: "0f0e0d0c-0b0a-4908-8706-050403020100",
  target: { ...exampleTask.target, routingHints: { shard: 3 } },
  constitutionalContext: context,
  telemetry: { ...exampleTask.telemetry, trace: true },
  attachments: [{ uri: "https://vault.example/a", kind: "pdf", digest: "sha256:00" }],
};

describe("ConstitutionalContextSchema", () => {
  testEachField(ConstitutionalContextSchema, context, contextFields);

  test("a pressure is a number, not only an integer, from 0 to 100", () => {
    const pressure = { calm: 0, some: 52.5, full: 100 };
    expect(ConstitutionalContextSchema.parse({ ...context, pressure })).toMatchObject({ pressure });
  });
});

describe("TaskSchema", () => {
  testEachField(TaskSchema, task, {
    protocolVersion: ["1.0", "2", 2, null],
    taskId: [...notUuid, null],
    "parentTaskId?": notUuid,
    correlationId: [...notUuid, null],
    issuedAt: notSeconds,
    issuer: notObject,
    "issuer.agentId": ["", 1, null],
    "issuer.agentKind": ["robot", "Agent", "", null],
    "issuer.name?": notText,
    target: notObject,
    "target.agentId?": ["", 1, null],
    "target.capability": ["", 1, null],
    "target.routingHints?": notObject,
    constitutionalContext: notObject,
    ...Object.fromEntries(
      Object.entries(contextFields).map(([field, values]) => [`constitutionalContext.${field}`, values]),
    ),
    payload: notObject,
    "outputContract?": notObject,
    "outputContract.schema?": notObject,
    "outputContract.format?": notText,
    "telemetry?": notObject,
    "telemetry.priority?": ["critical", "HIGH", null],
    "telemetry.deadline?": notSeconds,
    "telemetry.budget?": notObject,
    "telemetry.trace?": ["true", 1, null],
    "replyTo?": notObject,
    "replyTo.endpoint?": notText,
    "replyTo.expectAck?": ["true", 1, null],
    "attachments?": [null, {}, ["text"], [null]],
    "attachments[].uri?": notText,
    "attachments[].kind?": notText,
    "attachments[].digest?": notText,
    "tags?": notTexts,
    "meta?": notObject,
  });

  test("D18 the example of §4.1 lacks the required pressureLevel, and the error says so", () => {
    expect(() => checkShape(TaskSchema, exampleTask)).toThrow(
      expect.objectContaining({
        code: "VALIDATION_FAILED",
        violations: [
          {
            field: "constitutionalContext.pressureLevel",
            rule: "invalid_value",
            message: 'is required by SAP V2.0 §4.1: expected one of "instant", "consulted", "deliberated"',
          },
        ],
      }),
    );
  });

  test("D18 with a pressureLevel the example of §4.1 is accepted as it stands", () => {
    const completed = { ...exampleTask, constitutionalContext: context };
    expect(TaskSchema.parse(completed)).toEqual(completed);
    expect(completed.parentTaskId).toBeNull();
  });

  test.each([
    [undefined, true],
    [{}, true],
    [{ expectAck: true }, true],
    [{ expectAck: false }, false],
  ])("§4.1 with replyTo %j an acknowledgement is expected: %j", (replyTo, expected) => {
    expect(expectsAck(TaskSchema.parse({ ...task, replyTo }))).toBe(expected);
  });
});
