import { create, fromBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { exampleResult } from "../../test/messages.ts";
import { outcomeOf, refusalOf } from "../../test/outcome.ts";
import { double, join, record, varint } from "../../test/wire.ts";
import {
  AgentResponseSchema,
  AgentResultSchema,
  ContractSchema,
  EvidenceSchema,
  TaskEnvelopeSchema,
} from "../index.ts";
import { checkMessage } from "./check-message.ts";

const structOf = (key: string, value: Uint8Array) =>
  record(3, record(1, join(record(1, key), record(2, value))));

describe("checkMessage", () => {
  test("passes over a valid message", () => {
    expect(refusalOf(() => checkMessage(AgentResultSchema, exampleResult))).toBeUndefined();
  });

  test("tells every broken rule with its field, rule and message", () => {
    const message = create(AgentResultSchema, {
      ...exampleResult,
      attemptNumber: -1,
      response: create(AgentResponseSchema, { status: "done", data: {} }),
      evidence: create(EvidenceSchema, {
        evidencePayload: { case: "items", value: { items: [{ type: 1, output: "x".repeat(65_537) }] } },
      }),
    });
    expect(outcomeOf(() => checkMessage(AgentResultSchema, message))).toMatchObject({
      code: "VALIDATION_FAILED",
      detail: "The AgentResult has 3 faults",
      violations: [
        {
          field: "evidence.items.items[0].output",
          rule: "string.max_len",
          message: "must have at most 65536 characters",
        },
        { field: "attempt_number", rule: "int32.gte", message: "must be greater than or equal to 0" },
        { field: "response.status", rule: "string.in" },
      ],
    });
  });

  test("counts one character and one item as one", () => {
    const empty = create(ContractSchema, { taskId: "t" });
    expect(outcomeOf(() => checkMessage(ContractSchema, empty))).toMatchObject({
      violations: [
        { field: "title", message: "must have at least 1 character" },
        { field: "acceptance_criteria", message: "must have at least 1 item" },
      ],
    });
  });

  test("tells what is required", () => {
    expect(refusalOf(() => checkMessage(TaskEnvelopeSchema, create(TaskEnvelopeSchema)))).toEqual([
      "VALIDATION_FAILED",
      "protocol_version: required",
      "contract: required",
      "trace: required",
      "safety: required",
      "refs: repeated.min_items",
      "execution: required",
    ]);
  });

  test("sees in what a gRPC library decoded the faults that decodeMessageBinary would have seen", () => {
    const wire = join(
      record(2, varint(2, 77)),
      record(5, record(1, varint(2, -5))),
      record(7, varint(2, 99)),
      record(15, "a\0"),
      record(17, structOf("n", double(2, Number.NaN))),
      record(17, structOf("__proto__", record(3, "x"))),
    );
    const decoded = fromBinary(AgentResultSchema, wire);
    const answer = refusalOf(() => checkMessage(AgentResultSchema, decoded));
    expect(answer).toEqual(
      expect.arrayContaining([
        "VALIDATION_FAILED",
        "status.confidence: enum.defined_only",
        "timing.started_at: timestamp.range",
        "blockers[0].blocker_type: enum.defined_only",
        "dispatch_id: text.nul",
        "response.data.n: number.range",
        "response.data.__proto__: json.name",
      ]),
    );
    expect(answer?.filter((line) => line === "status.confidence: enum.defined_only")).toHaveLength(1);
  });
});
