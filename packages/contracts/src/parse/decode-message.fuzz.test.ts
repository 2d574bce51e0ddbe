import {
  type DescMessage,
  equals,
  fromBinary,
  fromJson,
  type Message,
  toBinary,
  toJson,
  toJsonString,
} from "@bufbuild/protobuf";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allMessages, exampleResult } from "../../test/messages.ts";
import { outcomeOf } from "../../test/outcome.ts";
import type { SignalboxError } from "../errors/signalbox-error.ts";
import { AgentResultSchema } from "../index.ts";
import { checkMessage } from "./check-message.ts";
import { decodeMessageBinary, decodeMessageJson } from "./decode-message.ts";

const wire = toBinary(AgentResultSchema, exampleResult);
const text = toJsonString(AgentResultSchema, exampleResult);
const schemas = fc.constantFrom(...allMessages);

type Reading = "refused" | "sound" | "unsound";

/**
 * Refused for a named fault that is not ours; or sound: a message that both mappings can write, that both readers read
 * again, and that every rule can be applied to.
 */
function readingOf(schema: DescMessage, input: Uint8Array | string): Reading {
  const outcome = outcomeOf(() =>
    typeof input === "string" ? decodeMessageJson(schema, input) : decodeMessageBinary(schema, input),
  );
  if ("value" in outcome) return isSound(schema, outcome.value) ? "sound" : "unsound";
  return isRefusal(outcome) ? "refused" : "unsound";
}

function isSound(schema: DescMessage, message: Message): boolean {
  const again = [fromBinary(schema, toBinary(schema, message)), fromJson(schema, toJson(schema, message))];
  const verdict = outcomeOf(() => checkMessage(schema, message));
  return again.every((read) => equals(schema, read, message)) && ("value" in verdict || isRefusal(verdict));
}

const isRefusal = ({ code, violations }: SignalboxError): boolean =>
  code !== "INTERNAL" && violations.length > 0;

describe("property: read or refused, never anything else", () => {
  test("any bytes, as any message", () => {
    const inputs = fc.property(schemas, fc.uint8Array({ maxLength: 200 }), (schema, bytes) => {
      expect(readingOf(schema, bytes)).not.toBe("unsound");
    });
    fc.assert(inputs, { numRuns: 2000 });
  });

  test("any JSON, as any message", () => {
    const inputs = fc.property(schemas, fc.json({ maxDepth: 5 }), (schema, json) => {
      expect(readingOf(schema, json)).not.toBe("unsound");
    });
    fc.assert(inputs, { numRuns: 1000 });
  });

  test("JSON with the message's own names and any values", () => {
    const values = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom("5s", "2026-02-24T09:30:00Z", -1, 1e10, [{}]),
    );
    const shaped = schemas.chain((schema) => {
      const names = schema.fields.flatMap((field) => [field.name, field.jsonName]);
      const name = names.length > 0 ? fc.constantFrom(...names) : fc.string();
      return fc.tuple(fc.constant(schema), fc.dictionary(name, values, { maxKeys: 4 }));
    });
    const inputs = fc.property(shaped, ([schema, value]) => {
      expect(readingOf(schema, JSON.stringify(value))).not.toBe("unsound");
    });
    fc.assert(inputs, { numRuns: 2000 });
  });

  test("a valid message with some bytes changed", () => {
    const change = fc.tuple(fc.nat(wire.length - 1), fc.integer({ min: 1, max: 255 }));
    const inputs = fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      const bytes = Uint8Array.from(wire);
      for (const [at, mask] of changes) bytes[at] = (bytes[at] ?? 0) ^ mask;
      expect(readingOf(AgentResultSchema, bytes)).not.toBe("unsound");
    });
    fc.assert(inputs, { numRuns: 3000 });
  });

  test("a valid text with some letters changed", () => {
    const letter = fc.constantFrom("{", "}", "[", "]", '"', ",", ":", "0", "e", "-", "n", "\\", " ");
    const change = fc.tuple(fc.nat(text.length - 1), letter);
    const inputs = fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      const letters = text.split("");
      for (const [at, other] of changes) letters[at] = other;
      expect(readingOf(AgentResultSchema, letters.join(""))).not.toBe("unsound");
    });
    fc.assert(inputs, { numRuns: 2000 });
  });
});

test("a valid message with any one bit flipped", () => {
  const readings = Array.from({ length: wire.length * 8 }, (_, bit) => {
    const bytes = Uint8Array.from(wire);
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    return readingOf(AgentResultSchema, bytes);
  });
  // Flips within text make another text; flips of a tag or length do not go unseen.
  expect(new Set(readings)).toEqual(new Set(["refused", "sound"]));
});

test("a valid message cut short at every offset", () => {
  for (let length = 0; length < wire.length; length++) {
    expect(readingOf(AgentResultSchema, wire.subarray(0, length))).not.toBe("unsound");
  }
  const bytes = new TextEncoder().encode(text);
  for (let length = 0; length < bytes.length; length++) {
    expect(outcomeOf(() => decodeMessageJson(AgentResultSchema, bytes.subarray(0, length)))).toMatchObject({
      code: "MALFORMED_BODY",
      violations: [{ rule: expect.stringMatching(/^(json\.syntax|text\.unicode)$/) }],
    });
  }
});
