import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { type FieldTable, testEachField } from "../../test/field-table.ts";
import { violationsFromZod } from "../parse/zod-violations.ts";
import {
  EventPayloadSchema,
  EventSchema,
  SandboxPulsePayloadSchema,
  TaskTransitionPayloadSchema,
  ThoughtStreamPayloadSchema,
  ToolLifecycleCompletedPayloadSchema,
  ToolLifecycleInvokedPayloadSchema,
} from "./events.ts";

const timestamp = "2026-02-21T09:30:00Z";
const notText = [null, 1, {}];
const notTime = ["2026-02-21T09:30:00+02:00", "2026-13-01T00:00:00Z", "yesterday", 0, null];
const notFlag = ["true", 1, null];

const payloads: [name: string, schema: z.ZodType, example: Record<string, unknown>, table: FieldTable][] = [
  [
    "THOUGHT_STREAM",
    ThoughtStreamPayloadSchema,
    { type: "THOUGHT_STREAM", agent_id: "architect", turn_index: 3, chunk: "so", is_final: false },
    {
      type: ["thought_stream", null],
      agent_id: ["manager", null],
      turn_index: [-1, 1.5, "3", null],
      chunk: notText,
      is_final: notFlag,
    },
  ],
  [
    "TOOL_LIFECYCLE_INVOKED",
    ToolLifecycleInvokedPayloadSchema,
    { type: "TOOL_LIFECYCLE_INVOKED", call_id: "c-1", tool: "grep", arguments: { pattern: "x" }, timestamp },
    {
      type: ["TOOL_LIFECYCLE_COMPLETED", null],
      call_id: ["", 1, null],
      tool: notText,
      arguments: [null, [], "x"],
      timestamp: notTime,
    },
  ],
  [
    "TOOL_LIFECYCLE_COMPLETED",
    ToolLifecycleCompletedPayloadSchema,
    {
      type: "TOOL_LIFECYCLE_COMPLETED",
      call_id: "c-1",
      tool: "grep",
      status: "timeout",
      duration_ms: 0,
      timestamp,
    },
    {
      type: ["TOOL_LIFECYCLE_INVOKED", null],
      call_id: ["", 1, null],
      tool: notText,
      status: ["ok", "SUCCESS", null],
      duration_ms: [-1, "5", Number.NaN, Infinity, null],
      timestamp: notTime,
    },
  ],
  [
    "TASK_TRANSITION",
    TaskTransitionPayloadSchema,
    {
      type: "TASK_TRANSITION",
      task_id: "t-1",
      from_state: "a",
      to_state: "b",
      git_hash: "9fceb02",
      timestamp,
    },
    {
      type: ["TASK", null],
      task_id: ["", 1, null],
      from_state: notText,
      to_state: notText,
      "git_hash?": notText,
      timestamp: notTime,
    },
  ],
  [
    "SANDBOX_PULSE",
    SandboxPulsePayloadSchema,
    { type: "SANDBOX_PULSE", line: "", masked: true, timestamp },
    { type: ["PULSE", null], line: notText, masked: notFlag, timestamp: notTime },
  ],
];

describe.each(payloads)("%s", (name, schema, example, table) => {
  testEachField(schema, example, table);

  test("is one of the payloads of an event", () => {
    const event = { event_id: "7fbb32b6-0d2c-4c1a-9b75-2a4b3b0b6c0a", session_id: "s-1", payload: example };
    expect(EventSchema.parse(event)).toEqual(event);
    expect(EventPayloadSchema.parse({ ...example, added_later: 1 })).toEqual({ ...example, added_later: 1 });
    expect(EventPayloadSchema.options.map(({ shape }) => shape.type.value as string)).toContain(name);
  });
});

test("the union has the five payloads and no other", () => {
  expect(EventPayloadSchema.options).toEqual(payloads.map(([, schema]) => schema));
});

describe("EventSchema", () => {
  const [, , payload] = payloads[0] ?? [];
  const event = {
    event_id: "7fbb32b6-0d2c-4c1a-9b75-2a4b3b0b6c0a",
    session_id: "s-1",
    sequence: 4,
    turn_index: 3,
    payload,
  };

  testEachField(EventSchema, event, {
    event_id: ["7fbb32b6", "7fbb32b60d2c4c1a9b752a4b3b0b6c0a", "", 1, null],
    session_id: ["", 1, null],
    "sequence?": [-1, 0.5, "0", null, 2 ** 53],
    "turn_index?": [-1, 0.5, "0", null, 2 ** 53],
    payload: [null, [], "THOUGHT_STREAM", {}, { ...payload, chunk: 1 }, { ...payload, type: "OTHER" }],
  });

  test("an unknown type is answered with the types there are", () => {
    const { error } = EventSchema.safeParse({ ...event, payload: { type: "TOOL_LIFECYCLE_FAILED" } });
    expect(violationsFromZod(error as z.ZodError)).toEqual([
      {
        field: "payload.type",
        rule: "invalid_union",
        message: `expected one of ${payloads.map(([name]) => JSON.stringify(name)).join(", ")}`,
      },
    ]);
  });
});
