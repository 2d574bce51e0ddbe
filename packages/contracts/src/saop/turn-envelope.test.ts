import { describe, expect, test } from "vitest";
import { testEachField } from "../../test/field-table.ts";
import { AgentIdSchema, TurnContentSchema, TurnEnvelopeSchema, TurnMetadataSchema } from "./turn-envelope.ts";

const content = { thought: "the lock is taken twice", action: "release it", observation: "the test hangs" };
const metadata = {
  version: "1.0.0",
  task_id: "task-7",
  timestamp: "2026-02-21T09:30:00.125Z",
  confidence: 0.8,
  estimated_complexity: "medium",
};

const notText = [null, 1, ["a"], {}];
const contentFields = { thought: notText, action: notText, observation: notText };
const metadataFields = {
  version: ["1.0.1", "1", 1, null],
  task_id: ["", 7, null],
  timestamp: [
    "2026-02-21T09:30:00+01:00",
    "2026-02-21T09:30:00",
    "2026-02-21T09:30Z",
    "2026-02-30T09:30:00Z",
    "2026-02-21T24:30:00Z",
    "0000-02-21T09:30:00Z",
    "2026-02-21",
    "now",
    1_771_666_200,
    null,
  ],
  confidence: [-0.01, 1.01, Number.NaN, Infinity, "0.8", null],
  estimated_complexity: ["extreme", "LOW", "", null],
};
const notAgents = ["Researcher", "tester", "", null, 1];
const under = (prefix: string, fields: Record<string, unknown[]>) =>
  Object.fromEntries(Object.entries(fields).map(([name, values]) => [`${prefix}.${name}`, values]));

describe("TurnContentSchema", () => {
  testEachField(TurnContentSchema, content, contentFields);
});

describe("TurnMetadataSchema", () => {
  testEachField(TurnMetadataSchema, metadata, metadataFields);

  test.each(["2026-02-21T09:30:00Z", "2024-02-29T23:59:59.123456789Z", "2026-02-21T09:30:00.5+00:00"])(
    "takes the UTC time %s",
    (timestamp) => {
      expect(TurnMetadataSchema.parse({ ...metadata, timestamp })).toMatchObject({ timestamp });
    },
  );

  test.each([0, 1])("takes the confidence %d at the end of its range", (confidence) => {
    expect(TurnMetadataSchema.parse({ ...metadata, confidence })).toMatchObject({ confidence });
  });
});

describe("TurnEnvelopeSchema", () => {
  const envelope = { turn_index: 0, agent_id: "developer", role: "reviewer", content, metadata };

  testEachField(TurnEnvelopeSchema, envelope, {
    turn_index: [-1, 0.5, "0", null, Number.NaN, 2 ** 53],
    agent_id: notAgents,
    role: notAgents,
    content: [null, "text", []],
    ...under("content", contentFields),
    metadata: [null, "text", []],
    ...under("metadata", metadataFields),
  });

  test("D16 a thought of a megabyte passes whole", () => {
    const thought = "because ".repeat(131_072);
    expect(TurnEnvelopeSchema.parse({ ...envelope, content: { ...content, thought } }).content.thought).toBe(
      thought,
    );
  });
});

test("AgentIdSchema has the four roles and no other", () => {
  expect(AgentIdSchema.options).toEqual(["researcher", "architect", "developer", "reviewer"]);
});
