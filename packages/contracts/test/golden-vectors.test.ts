import { equals, fromBinary, fromJson, toBinary, toJson } from "@bufbuild/protobuf";
import { pathToString } from "@bufbuild/protobuf/reflect";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { CONTRACT_MESSAGES, findViolations, jsonSchema, validator } from "../src/index.ts";
import { messageAcceptor } from "../src/rules/message-acceptor.ts";
import { vectorBinary, vectorJson, VECTORS, vectorSchema } from "./vectors.ts";

const ajv = new Ajv2020({ strict: true, strictRequired: false, keywords: ["x-cel"] });
addFormats.default(ajv);
const meetsSchema = new Map(
  CONTRACT_MESSAGES.map((schema) => [schema.typeName, ajv.compile(jsonSchema(schema))]),
);

describe.each(VECTORS.map((vector) => [vector.file, vector] as const))("%s", (_file, vector) => {
  const schema = vectorSchema(vector);
  const message = fromBinary(schema, vectorBinary(vector));

  test("is the same message in binary and in JSON, and comes out as it went in", () => {
    expect(equals(schema, fromJson(schema, vectorJson(vector)), message)).toBe(true);
    expect(Buffer.from(toBinary(schema, message)).equals(vectorBinary(vector))).toBe(true);
    expect(toJson(schema, message)).toEqual(vectorJson(vector));
  });

  test("breaks the rule that it names, and no other", () => {
    const violations = findViolations(schema, message).map(({ ruleId, field }) => ({
      rule: ruleId,
      field: pathToString(field),
    }));
    expect(violations).toEqual(vector.violation ? [vector.violation] : []);
  });

  test("is judged by the compiled rules as by protovalidate", () => {
    const accepts = messageAcceptor(schema) ?? (() => true);
    expect(accepts(message)).toBe(validator.validate(schema, message).kind === "valid");
  });

  test("is judged by its JSON Schema as by protovalidate, but for a rule across fields", () => {
    expect(meetsSchema.get(vector.message)?.(vectorJson(vector))).toBe(vector.meetsJsonSchema);
    const named: { "x-cel"?: { id: string }[] }[] = Object.values(Object(jsonSchema(schema)["$defs"]));
    const acrossFields = named.flatMap((definition) => definition["x-cel"] ?? []).map(({ id }) => id);
    const blind = vector.violation !== undefined && acrossFields.includes(vector.violation.rule);
    expect(vector.meetsJsonSchema).toBe(vector.valid || blind);
  });
});
