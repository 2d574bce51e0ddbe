import { create, equals, fromJson, toJson } from "@bufbuild/protobuf";
import {
  AgentHealthSnapshotSchema,
  AgentResponseSchema,
  ArtifactSchema,
  AuditEntrySchema,
  ContextOutSchema,
  DispatchEndSnapshotSchema,
  DispatchSnapshotSchema,
  EscalationSnapshotSchema,
  GateSnapshotSchema,
  PipelineSnapshotSchema,
  ResultSnapshotSchema,
} from "@signalbox/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { messageCodec, messageWriter } from "./message-json.ts";
import { anyInitOf, anyMessageOf } from "./testing/any-message.ts";
import { throughText } from "./testing/stored.ts";

describe.each([
  AgentHealthSnapshotSchema,
  AgentResponseSchema,
  ArtifactSchema,
  ContextOutSchema,
  DispatchEndSnapshotSchema,
  DispatchSnapshotSchema,
  EscalationSnapshotSchema,
  GateSnapshotSchema,
  PipelineSnapshotSchema,
  ResultSnapshotSchema,
] as const)("$typeName", (schema) => {
  test("REC-5 is written as toJson writes it, from a message and from what makes one", () => {
    const write = messageWriter(schema);
    fc.assert(
      fc.property(anyInitOf(schema), (init) => {
        const message = create(schema, init);
        expect(write(message)).toEqual(toJson(schema, message));
        expect(write(init)).toEqual(toJson(schema, message));
      }),
    );
  });

  test("REC-5 comes back from text as it was", () => {
    const codec = messageCodec(schema);
    fc.assert(
      fc.property(anyMessageOf(schema), (message) => {
        const read = codec.read(throughText(codec.write(message)));
        expect(equals(schema, read, message)).toBe(true);
      }),
    );
  });
});

test("REC-5 a time that no text can tell is left out, where toJson throws", () => {
  const write = messageWriter(ContextOutSchema);
  const decidedAt = (seconds: bigint, nanos: number) =>
    write({ decisionsMade: [{ decisionId: "d", decidedAt: { seconds, nanos } }] });
  const without = { decisionsMade: [{ decisionId: "d" }] };
  expect(decidedAt(253_402_300_800n, 0)).toEqual(without);
  expect(decidedAt(-62_135_596_801n, 0)).toEqual(without);
  expect(decidedAt(1n << 62n, 0)).toEqual(without);
  expect(decidedAt(0n, -1)).toEqual(without);
  expect(decidedAt(0n, 1_000_000_000)).toEqual(without);
  const writeResult = messageWriter(ResultSnapshotSchema);
  const duration = (seconds: bigint, nanos: number) =>
    writeResult({ timing: { duration: { seconds, nanos } } });
  expect(duration(315_576_000_001n, 0)).toEqual({ timing: {} });
  expect(duration(1n, -1)).toEqual({ timing: {} });
  expect(duration(0n, -1)).toEqual({ timing: { duration: "-0.000000001s" } });
});

test("REC-5 a kind of field that nothing was written for is refused when the process starts, not when it meets one", () => {
  expect(() => messageWriter(AuditEntrySchema)).toThrow(
    "vasini.agent.v1.AuditSnapshot.dispatch: no record has held a field of this kind before",
  );
});

test("REC-5 what is no such message is refused in words", () => {
  expect(() => messageCodec(ArtifactSchema).read({ path: 1 })).toThrow(/path/);
  expect(() => messageCodec(ArtifactSchema).read("a.ts")).toThrow('wants an object, has "a.ts"');
  expect(fromJson(ArtifactSchema, {}).path).toBe("");
});
