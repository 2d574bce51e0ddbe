import { type DescMessage, type JsonValue, toBinary, toJson } from "@bufbuild/protobuf";
import { pathToString, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { CONTRACT_MESSAGES, validator } from "../../src/index.ts";
import { messageRules } from "../../src/rules/message-rules.ts";
import { invalidMessages } from "./invalid-messages.ts";
import { fullMessage, minimalMessage, turns } from "./sample-message.ts";

/** One entry of vectors/manifest.json. */
export type Vector = {
  /** The message's full name. */
  readonly message: string;
  readonly case: string;
  /** Path below vectors/, to which .json and .binpb are added. */
  readonly file: string;
  readonly valid: boolean;
  /** What protovalidate must find: this and nothing else. */
  readonly violation?: { readonly rule: string; readonly field: string };
  /** Whether the message meets its JSON Schema, which cannot see a rule across fields. */
  readonly meetsJsonSchema: boolean;
};

export type GoldenVector = {
  readonly vector: Vector;
  readonly schema: DescMessage;
  readonly json: JsonValue;
  readonly binary: Uint8Array;
};

/** All golden vectors, made from the descriptors, so that a rule without a vector is an error here. */
export function goldenVectors(): GoldenVector[] {
  const covered = new Set<DescMessage>();
  return CONTRACT_MESSAGES.flatMap((schema) => vectorsOf(schema, covered));
}

function vectorsOf(schema: DescMessage, covered: Set<DescMessage>): GoldenVector[] {
  const invalid = invalidMessages(schema, covered);
  return [
    golden("minimal", minimalMessage(schema)),
    ...fullMessages(schema),
    ...invalid.map(({ name, message }) => golden(`invalid-${name}`, message)),
  ];
}

function fullMessages(schema: DescMessage): GoldenVector[] {
  return Array.from({ length: turns(schema) }, (_, turn) =>
    golden(turn === 0 ? "full" : `full-${turn + 1}`, fullMessage(schema, turn)),
  );
}

function golden(name: string, { desc: schema, message }: ReflectMessage): GoldenVector {
  const { violations = [], error } = validator.validate(schema, message);
  const expected = name.startsWith("invalid-") ? 1 : 0;
  if (violations.length !== expected) {
    throw new Error(
      `${schema.name} ${name} has ${violations.length} violations, not ${expected}: ${error?.message}`,
    );
  }
  const [violation] = violations;
  return {
    schema,
    vector: {
      message: schema.typeName,
      case: name,
      file: `${schema.name}/${name}`,
      valid: violation === undefined,
      ...(violation && { violation: { rule: violation.ruleId, field: pathToString(violation.field) } }),
      meetsJsonSchema: violation === undefined || messageRules.has(violation.ruleId),
    },
    json: toJson(schema, message),
    binary: toBinary(schema, message),
  };
}
