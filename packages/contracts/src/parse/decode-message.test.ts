import { create, equals, fromBinary, toBinary, toJson, toJsonString } from "@bufbuild/protobuf";
import {
  GeneratedCodeInfo_AnnotationSchema,
  ListValueSchema,
  StructSchema,
  type Value,
  ValueSchema,
} from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { allMessages, exampleResult } from "../../test/messages.ts";
import { outcomeOf, refusalOf } from "../../test/outcome.ts";
import { double, join, nest, opening, record, varint } from "../../test/wire.ts";
import { AgentResultSchema, ReportTurnRequestSchema } from "../index.ts";
import type { Limits } from "./limits.ts";
import { type DecodeOptions, decodeMessageBinary, decodeMessageJson } from "./decode-message.ts";

const bytes = toBinary(AgentResultSchema, exampleResult);
const readText = (text: string) => refusalOf(() => decodeMessageJson(AgentResultSchema, text));
const json = (value: unknown, options?: DecodeOptions) =>
  refusalOf(() => decodeMessageJson(AgentResultSchema, JSON.stringify(value), options));
const binary = (value: Uint8Array, options?: DecodeOptions) =>
  refusalOf(() => decodeMessageBinary(AgentResultSchema, value, options));

const valueOf = (kind: Value["kind"]) => toBinary(ValueSchema, create(ValueSchema, { kind }));
const entry = (key: string, content: Uint8Array) => record(1, join(record(1, key), record(2, content)));
const dataOf = (struct: Uint8Array) => record(17, record(3, struct));

const readPath = (wire: Uint8Array, limits: Partial<Limits> = {}) =>
  outcomeOf(() => decodeMessageBinary(GeneratedCodeInfo_AnnotationSchema, wire, { limits }).path);

describe("both mappings", () => {
  test("read what was written", () => {
    const text = toJsonString(AgentResultSchema, exampleResult);
    for (const input of [text, new TextEncoder().encode(text)]) {
      expect(equals(AgentResultSchema, decodeMessageJson(AgentResultSchema, input), exampleResult)).toBe(
        true,
      );
    }
    expect(equals(AgentResultSchema, decodeMessageBinary(AgentResultSchema, bytes), exampleResult)).toBe(
      true,
    );
  });

  test("read an empty message", () => {
    expect(decodeMessageBinary(AgentResultSchema, new Uint8Array())).toEqual(create(AgentResultSchema));
    expect(decodeMessageJson(AgentResultSchema, "{}")).toEqual(create(AgentResultSchema));
  });

  test("drop fields they do not know, or refuse them where asked", () => {
    const newer = { dispatchId: "d", newThing: 1, trace: { other: {} } };
    expect(decodeMessageJson(AgentResultSchema, JSON.stringify(newer))).toMatchObject({ dispatchId: "d" });
    expect(json(newer, { unknownFields: "refuse" })).toEqual([
      "VALIDATION_FAILED",
      "newThing: field.unknown",
      "trace.other: field.unknown",
    ]);

    const newerBytes = join(record(15, "d"), varint(99, 1), record(3, record(98, "x")));
    const message = decodeMessageBinary(AgentResultSchema, newerBytes);
    expect([message.$unknown, message.trace?.$unknown, message.dispatchId]).toEqual([
      undefined,
      undefined,
      "d",
    ]);
    expect(binary(newerBytes, { unknownFields: "refuse" })).toEqual(["MALFORMED_BODY", ": field.unknown"]);
  });

  test("a value counts, and lies deep, alike in either", () => {
    const data = { a: [1, [2], {}], b: { c: { d: {} } }, e: null };
    const message = create(AgentResultSchema, {
      response: { status: "success", data },
      artifacts: [{}, { path: "x" }],
    });
    const text = JSON.stringify(toJson(AgentResultSchema, message));
    const wire = toBinary(AgentResultSchema, message);
    const readBoth = (limits: Partial<Limits>) => [
      refusalOf(() => decodeMessageJson(AgentResultSchema, text, { limits })),
      refusalOf(() => decodeMessageBinary(AgentResultSchema, wire, { limits })),
    ];
    for (const limits of [{ maxDepth: 6 }, { maxValues: 16 }])
      expect(readBoth(limits)).toEqual([undefined, undefined]);
    const tooDeep = ["PAYLOAD_TOO_LARGE", "response.data.b.c.d: limit.depth"];
    expect(readBoth({ maxDepth: 5 })).toEqual([tooDeep, tooDeep]);
    for (const [code] of readBoth({ maxValues: 15 }).map((answer) => answer ?? []))
      expect(code).toBe("PAYLOAD_TOO_LARGE");
  });
});

describe("every enum of the contract", () => {
  const enumFields = allMessages.flatMap((message) =>
    message.fields.filter((field) => field.enum !== undefined).map((field) => ({ message, field })),
  );

  test("the contract is all there", () => {
    expect(allMessages.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["TaskEnvelope", "AuditEntry", "AgentHeartbeat"]),
    );
    expect(new Set(enumFields.map(({ field }) => field.enum?.name)).size).toBeGreaterThanOrEqual(15);
  });

  test.each(enumFields)("$field refuses a number and a name that are not defined", ({ message, field }) => {
    const isList = field.fieldKind === "list";
    const at = `${field.name}${isList ? "[0]" : ""}: enum.defined_only`;
    const inJson = (value: unknown) => JSON.stringify({ [field.jsonName]: isList ? [value] : value });
    const read = (text: string) => refusalOf(() => decodeMessageJson(message, text));
    for (const value of [999, -1, 0.5, "NO_SUCH_NAME", "", "constructor", true, {}]) {
      expect(read(inJson(value))).toEqual(["VALIDATION_FAILED", at]);
    }
    for (const number of [999, -1]) {
      expect(refusalOf(() => decodeMessageBinary(message, varint(field.number, number)))).toEqual([
        "VALIDATION_FAILED",
        at,
      ]);
    }
    for (const { name, number } of field.enum?.values ?? []) {
      expect([read(inJson(name)), read(inJson(number))]).toEqual([undefined, undefined]);
    }
  });
});

describe("JSON", () => {
  test("of a time and of a number is read in each form that the mapping has", () => {
    const read = decodeMessageJson(
      AgentResultSchema,
      JSON.stringify({ attemptNumber: "1e2", timing: { startedAt: "2028-02-29T23:59:59.5-11:30" } }),
    );
    expect(read.attemptNumber).toBe(100);
    expect(read.timing?.startedAt).toMatchObject({ seconds: 1835522999n, nanos: 500_000_000 });
  });

  test.each([
    [null, ["VALIDATION_FAILED", ": type"]],
    [[], ["VALIDATION_FAILED", ": type"]],
    ["text", ["VALIDATION_FAILED", ": type"]],
    [{ dispatchId: 1 }, ["VALIDATION_FAILED", "dispatch_id: type"]],
    [{ dispatch_id: {} }, ["VALIDATION_FAILED", "dispatch_id: type"]],
    [{ attemptNumber: 2 ** 31 }, ["VALIDATION_FAILED", "attempt_number: type"]],
    [{ attemptNumber: 1.5 }, ["VALIDATION_FAILED", "attempt_number: type"]],
    [{ attemptNumber: "one" }, ["VALIDATION_FAILED", "attempt_number: type"]],
    [{ artifacts: {} }, ["VALIDATION_FAILED", "artifacts: type"]],
    [{ artifacts: [{}, null] }, ["VALIDATION_FAILED", "artifacts[1]: type"]],
    [{ artifacts: [{}, { path: [] }] }, ["VALIDATION_FAILED", "artifacts[1].path: type"]],
    [
      { contextOut: { risksIdentified: ["a", null] } },
      ["VALIDATION_FAILED", "context_out.risks_identified[1]: type"],
    ],
    [{ timing: { startedAt: "yesterday" } }, ["VALIDATION_FAILED", "timing.started_at: type"]],
    [{ timing: { startedAt: "2026-02-30T00:00:00" } }, ["VALIDATION_FAILED", "timing.started_at: type"]],
    [{ timing: { startedAt: "2026-02-30T00:00:00Z" } }, ["VALIDATION_FAILED", "timing.started_at: type"]],
    [
      { timing: { startedAt: "2025-02-29T10:00:00+01:00" } },
      ["VALIDATION_FAILED", "timing.started_at: type"],
    ],
    [{ timing: { startedAt: "2026-02-24T24:00:00Z" } }, ["VALIDATION_FAILED", "timing.started_at: type"]],
    [{ attemptNumber: "0x10" }, ["VALIDATION_FAILED", "attempt_number: type"]],
    [{ attemptNumber: "+1" }, ["VALIDATION_FAILED", "attempt_number: type"]],
    [{ timing: { duration: 5 } }, ["VALIDATION_FAILED", "timing.duration: type"]],
    [{ timing: { duration: "5s and more" } }, ["VALIDATION_FAILED", "timing.duration: type"]],
    [{ timing: { duration: "999999999999s" } }, ["VALIDATION_FAILED", "timing.duration: type"]],
    [{ response: { data: [] } }, ["VALIDATION_FAILED", "response.data: type"]],
    [{ dispatchId: "a", dispatch_id: "b" }, ["VALIDATION_FAILED", "dispatch_id: oneof"]],
    [
      { evidence: { items: {}, noneWithReason: "x" } },
      ["VALIDATION_FAILED", "evidence.none_with_reason: oneof"],
    ],
    [
      { evidence: { items: { items: [{ passed: "yes" }] } } },
      ["VALIDATION_FAILED", "evidence.items.items[0].passed: type"],
    ],
  ])("%j is refused", (value, answer) => {
    expect(json(value)).toEqual(answer);
  });

  test("every fault is told at once, with what is allowed", () => {
    const outcome = outcomeOf(() =>
      decodeMessageJson(
        AgentResultSchema,
        '{"dispatchId":5,"status":{"confidence":"SURE"},"attemptNumber":"x"}',
      ),
    );
    expect(outcome).toMatchObject({
      code: "VALIDATION_FAILED",
      detail: "The AgentResult has 3 faults",
      violations: [
        { field: "dispatch_id", message: "is 5 where a string is expected" },
        {
          field: "status.confidence",
          message:
            'is the string "SURE" where one of CONFIDENCE_CONFIDENT, CONFIDENCE_UNCERTAIN, ' +
            "CONFIDENCE_BLOCKED is expected",
        },
        {
          field: "attempt_number",
          message: 'is the string "x" where an integer from -2147483648 to 2147483647 is expected',
        },
      ],
    });
  });

  test("null leaves a field out, in a oneof too", () => {
    const text =
      '{"dispatchId":null,"artifacts":null,"timing":null,"evidence":{"items":{},"noneWithReason":null}}';
    expect(decodeMessageJson(AgentResultSchema, text)).toEqual(
      create(AgentResultSchema, { evidence: { evidencePayload: { case: "items", value: {} } } }),
    );
  });

  test("the text is scanned first: duplicates and __proto__ are refused in a Struct too", () => {
    expect(readText('{"response":{"data":{"a":{"b":1,"b":2}}}}')).toEqual([
      "MALFORMED_BODY",
      "response.data.a.b: json.duplicate",
    ]);
    expect(readText('{"response":{"data":{"__proto__":{}}}}')).toEqual([
      "MALFORMED_BODY",
      "response.data.__proto__: json.name",
    ]);
  });
});

describe("binary", () => {
  test.each([
    ["a string as a number", varint(15, 5), ["MALFORMED_BODY", "dispatch_id: wire.type"]],
    ["a number as a string", record(16, "x"), ["MALFORMED_BODY", "attempt_number: wire.type"]],
    ["a message as a number", record(2, varint(1, 1)), undefined],
    ["an enum as a string", record(2, record(1, "x")), ["MALFORMED_BODY", "status.outcome: wire.type"]],
    [
      "a list's element of another type",
      join(record(6, ""), varint(6, 1)),
      ["MALFORMED_BODY", "artifacts[1]: wire.type"],
    ],
    [
      "a length beyond the body",
      Uint8Array.of(0x7a, 0xff, 0xff, 0xff, 0x7f),
      ["MALFORMED_BODY", "dispatch_id: wire.length"],
    ],
    [
      "a length of 4 GiB",
      Uint8Array.of(0x7a, 0xff, 0xff, 0xff, 0xff, 0x0f),
      ["MALFORMED_BODY", "dispatch_id: wire.length"],
    ],
    [
      "a record that reaches out of its message",
      join(Uint8Array.of(0x12, 0x03, 0x1a, 0x05), new TextEncoder().encode("abcde")),
      ["MALFORMED_BODY", "status: wire.length"],
    ],
    ["field number 0", Uint8Array.of(0x02, 0x00), ["MALFORMED_BODY", ": wire.syntax"]],
    ["wire type 7", Uint8Array.of(0x7f), ["MALFORMED_BODY", ": wire.syntax"]],
    [
      "a varint without end",
      Uint8Array.from([0x80, 0x01, ...Array(11).fill(0x80)]),
      ["MALFORMED_BODY", "attempt_number: wire.syntax"],
    ],
    ["a group", Uint8Array.of(0x9b, 0x06, 0x9c, 0x06), ["MALFORMED_BODY", ": wire.type"]],
    ["the end of a group", Uint8Array.of(0x9c, 0x06), ["MALFORMED_BODY", ": wire.type"]],
    [
      "text that is not UTF-8",
      record(3, record(1, Uint8Array.of(0xc0, 0x80))),
      ["MALFORMED_BODY", "trace.trace_id: text.unicode"],
    ],
    ["U+0000", record(15, "a\0b"), ["VALIDATION_FAILED", "dispatch_id: text.nul"]],
    [
      "U+0000 in a Struct",
      dataOf(entry("a", valueOf({ case: "stringValue", value: "\0" }))),
      ["VALIDATION_FAILED", "response.data.a: text.nul"],
    ],
    [
      "__proto__ in a Struct",
      dataOf(entry("__proto__", valueOf({ case: "boolValue", value: true }))),
      ["VALIDATION_FAILED", "response.data.__proto__: json.name"],
    ],
    [
      "NaN in a Struct",
      dataOf(entry("a", double(2, Number.NaN))),
      ["VALIDATION_FAILED", "response.data.a: number.range"],
    ],
    [
      "infinity in a Struct",
      dataOf(entry("a", double(2, Infinity))),
      ["VALIDATION_FAILED", "response.data.a: number.range"],
    ],
    [
      "a time no calendar has",
      record(5, record(1, varint(2, -1))),
      ["VALIDATION_FAILED", "timing.started_at: timestamp.range"],
    ],
    [
      "a duration of two signs",
      record(5, record(3, join(varint(1, 1), varint(2, -1)))),
      ["VALIDATION_FAILED", "timing.duration: duration.range"],
    ],
  ])("%s", (_, input, answer) => {
    expect(binary(input)).toEqual(answer);
  });

  test("a Struct nested 100,000 deep stops at the depth allowed", () => {
    const bomb = record(2, nest(100_000, [opening(5), opening(2, record(1, "k")), opening(1)]));
    const answer = refusalOf(() =>
      decodeMessageBinary(ReportTurnRequestSchema, bomb, { limits: { maxBytes: 2 ** 24 } }),
    );
    expect(answer?.[0]).toBe("PAYLOAD_TOO_LARGE");
    expect(answer?.[1]).toMatch(/^turn(\.k){31}: limit\.depth$/);
  });

  test("a list nested 100,000 deep stops at the depth allowed", () => {
    const bomb = nest(100_000, [opening(6), opening(1)]);
    const answer = refusalOf(() =>
      decodeMessageBinary(ListValueSchema, bomb, { limits: { maxBytes: 2 ** 24 } }),
    );
    expect(answer).toEqual(["PAYLOAD_TOO_LARGE", `${"[0]".repeat(32)}: limit.depth`]);
  });

  test("a depth that is allowed is read by any reader at the usual limit of 100 messages", () => {
    let deepest: Value["kind"] = { case: "boolValue", value: true };
    for (let level = 0; level < 31; level++) {
      deepest = {
        case: "structValue",
        value: create(StructSchema, { fields: { k: create(ValueSchema, { kind: deepest }) } }),
      };
    }
    const struct = create(StructSchema, { fields: { k: create(ValueSchema, { kind: deepest }) } });
    const wire = toBinary(StructSchema, struct);
    expect(equals(StructSchema, decodeMessageBinary(StructSchema, wire), struct)).toBe(true);
    expect(equals(StructSchema, fromBinary(StructSchema, wire, { recursionLimit: 100 }), struct)).toBe(true);
    expect(
      equals(StructSchema, decodeMessageJson(StructSchema, toJsonString(StructSchema, struct)), struct),
    ).toBe(true);
  });

  test("two million empty messages stop at the count allowed", () => {
    const bomb = new Uint8Array(4_000_000).fill(record(6, "")[0] ?? 0);
    for (let at = 1; at < bomb.length; at += 2) bomb[at] = 0;
    expect(binary(bomb)).toEqual(["PAYLOAD_TOO_LARGE", "artifacts: limit.values"]);
    expect(binary(new Uint8Array(5_000_000))).toEqual(["PAYLOAD_TOO_LARGE", ": limit.bytes"]);
  });

  test("a value that is nothing is null in a Struct, and refused alone", () => {
    for (const nothing of [entry("a", new Uint8Array()), record(1, record(1, "a"))]) {
      expect(decodeMessageBinary(AgentResultSchema, dataOf(nothing)).response?.data).toEqual({ a: null });
    }
    expect(refusalOf(() => decodeMessageBinary(ValueSchema, new Uint8Array()))).toEqual([
      "VALIDATION_FAILED",
      ": type",
    ]);
  });

  test("a list of numbers is read packed or not", () => {
    expect(readPath(record(1, Uint8Array.of(1, 2, 3)))).toEqual({ value: [1, 2, 3] });
    expect(readPath(join(varint(1, 1), record(1, Uint8Array.of(2)), varint(1, 3)))).toEqual({
      value: [1, 2, 3],
    });
    expect(readPath(record(1, Uint8Array.of(1, 2, 3)), { maxValues: 2 })).toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
    });
    expect(readPath(record(1, Uint8Array.of(1, 0x80)))).toMatchObject({
      code: "MALFORMED_BODY",
      violations: [{ field: "path", rule: "wire.syntax" }],
    });
  });
});
