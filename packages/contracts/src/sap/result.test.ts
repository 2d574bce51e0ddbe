import { describe, expect, test } from "vitest";
import { type FieldTable, testEachField } from "../../test/field-table.ts";
import { checkShape } from "../parse/zod-violations.ts";
import { SAP_ERROR_CODES } from "./error-codes.ts";
import { exampleResult } from "../../test/sap-examples.ts";
import { ConstitutionalEvidenceSchema, ErrorSchema, ResultSchema, ResultStatusSchema } from "./result.ts";

const notText = [null, 1, {}];
const notObject = [null, [], "text", 1];
const notObjects = [null, {}, ["text"], [[]], [null]];
const notUuid = ["7fbb32b6", "not-a-uuid", "", 1, null];

const evidence = {
  ...exampleResult.constitutionalEvidence,
  violations: [{ principle: "strategic_pause", severity: "low", evidence: "none" }],
  cache: { hit: true, cacheKey: "k", ageSec: 0 },
};
const evidenceFields: FieldTable = {
  alignment: ["valid", "", null],
  "pressureReadings?": [null, [], { a: "5" }, { a: Number.NaN }, { a: Infinity }],
  "policyChecks?": [null, {}, ["text"], [null]],
  "policyChecks[].principle?": notText,
  "policyChecks[].status?": notText,
  "policyChecks[].notes?": notText,
  "violations?": [null, {}, ["text"], [null]],
  "violations[].principle?": notText,
  "violations[].severity?": notText,
  "violations[].evidence?": notText,
  "citations?": [null, "text", [1]],
  "cache?": notObject,
  "cache.hit?": ["true", 1, null],
  "cache.cacheKey?": notText,
  "cache.ageSec?": [-1, 0.5, "1", null],
};
const error = { code: "TIMEOUT", message: "took too long", details: { seconds: 30 } };
const errorFields: FieldTable = { "code?": notText, "message?": notText, "details?": notObject };
const under = (prefix: string, fields: FieldTable): FieldTable =>
  Object.fromEntries(Object.entries(fields).map(([field, values]) => [`${prefix}.${field}`, values]));

describe("ConstitutionalEvidenceSchema", () => {
  testEachField(ConstitutionalEvidenceSchema, evidence, evidenceFields);
});

describe("ErrorSchema", () => {
  testEachField(ErrorSchema, error, errorFields);

  test("§8 recommends its codes and does not forbid others", () => {
    for (const code of [...SAP_ERROR_CODES, "QUOTA_SPENT"])
      expect(ErrorSchema.parse({ code })).toEqual({ code });
  });
});

describe("ResultSchema", () => {
  const result = {
    ...exampleResult,
    status: "PARTIAL",
    constitutionalEvidence: evidence,
    error,
    nextActions: [{ capability: "consult.align" }],
  };

  testEachField(ResultSchema, result, {
    protocolVersion: ["1.0", 2, null],
    taskId: notUuid,
    correlationId: notUuid,
    reportedAt: ["2025-09-28T10:29:12.5Z", "2025-09-28T10:29:12", "2025-06-31T10:29:12Z", null],
    producer: notObject,
    "producer.agentId": ["", 1, null],
    "producer.agentKind": ["user", "", null],
    status: ["DONE", "succeeded", "", null],
    "output?": [],
    "artifacts?": notObjects,
    "metrics?": notObject,
    constitutionalEvidence: notObject,
    ...under("constitutionalEvidence", evidenceFields),
    "error?": notObject,
    ...under("error", errorFields),
    "nextActions?": notObjects,
    "meta?": notObject,
  });

  test("the example of §4.2 is accepted as it stands", () => {
    expect(ResultSchema.parse(exampleResult)).toEqual(exampleResult);
  });

  test.each([undefined, {}, { code: "INTERNAL" }, { message: "" }])(
    "§8 FAILED with the error %j is refused",
    (given) => {
      const failed = { ...exampleResult, status: "FAILED", ...(given === undefined ? {} : { error: given }) };
      expect(() => checkShape(ResultSchema, failed)).toThrow(
        expect.objectContaining({
          violations: [expect.objectContaining({ field: "error.message", rule: "custom" })],
        }),
      );
      const other = { ...failed, status: "CANCELLED" };
      expect(ResultSchema.parse(other)).toEqual(other);
    },
  );

  test("§8 FAILED with an error message is accepted", () => {
    const failed = { ...exampleResult, status: "FAILED", error: { message: "no answer in the cache" } };
    expect(ResultSchema.parse(failed)).toEqual(failed);
  });

  test.each(["text", 0, false, null, [], { any: "thing" }])("the output may be %j", (output) => {
    expect(ResultSchema.parse({ ...exampleResult, output }).output).toEqual(output);
  });

  test("§4.2 has seven statuses", () => {
    expect(ResultStatusSchema.options).toEqual([
      "QUEUED",
      "RUNNING",
      "SUCCEEDED",
      "FAILED",
      "CANCELLED",
      "ESCALATED",
      "PARTIAL",
    ]);
  });
});
