import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type AgentResult, AgentResultSchema } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { checkResult } from "./check-result.ts";

const expected = { dispatchId: "d-2", attemptNumber: 2, traceId: "trace", schemaVersion: "1.2.0" };
type ResultInit = Extract<MessageInitShape<typeof AgentResultSchema>, { $typeName?: never }>;
const result = (said: ResultInit = {}): AgentResult =>
  create(AgentResultSchema, {
    protocolVersion: { schemaVersion: "1.0.0" },
    trace: { traceId: "trace", spanId: "s", tenantId: "t" },
    dispatchId: "d-2",
    attemptNumber: 2,
    ...said,
  });
const check = (said: ResultInit = {}, addressedTo: string | undefined = "d-2") =>
  checkResult(result(said), expected, addressedTo, []);
const reasons = (...args: Parameters<typeof check>) => {
  const checked = check(...args);
  return checked.kind === "invalid" ? checked.faults.map(({ reason }) => reason) : checked.kind;
};

test("DSP-100: a result that answers the current dispatch is valid", () => {
  expect(check()).toEqual({ kind: "valid" });
});

test("DSP-101 (D1, D6): what the transport says need not be said again; what nobody says is missing", () => {
  expect(reasons({ dispatchId: "", attemptNumber: 0 })).toBe("valid");
  expect(reasons({ attemptNumber: 0 })).toBe("valid");
  expect(checkResult(result(), expected, undefined, []).kind).toBe("valid");
  expect(checkResult(result({ dispatchId: "" }), expected, undefined, [])).toMatchObject({
    kind: "invalid",
    faults: [{ reason: "dispatch-missing" }],
  });
});

test("DSP-102 (D6): one of a dispatch or attempt that is over is stale, whatever else is wrong with it", () => {
  expect(check({ dispatchId: "d-1", attemptNumber: 1, trace: { traceId: "x" } }, "d-1")).toEqual({
    kind: "stale",
    message: "dispatch d-1 is over; the stage's current dispatch is d-2",
  });
  expect(checkResult(result({ dispatchId: "d-1" }), expected, undefined, []).kind).toBe("stale");
  expect(check({ attemptNumber: 1 })).toEqual({
    kind: "stale",
    message: "attempt 1 is over; the current one is 2",
  });
});

test("DSP-103: one that answers for the current dispatch but names another, or an attempt to come, is invalid", () => {
  expect(reasons({ dispatchId: "d-9" })).toEqual(["dispatch"]);
  expect(reasons({ attemptNumber: 3 })).toEqual(["attempt"]);
});

test.each([
  ["1.0.0", "valid"],
  ["1.9.3", "valid"],
  ["1.2.0-rc.1", "valid"],
  ["2.0.0", ["schema-version"]],
  ["0.9.0", ["schema-version"]],
  ["", ["schema-version"]],
  ["one", ["schema-version"]],
])("DSP-104: schema version %j is %j to one that speaks 1.2.0", (schemaVersion, found) => {
  expect(reasons({ protocolVersion: { schemaVersion } })).toEqual(found);
});

test("DSP-104: while the major version is 0, the minor one must be the same", () => {
  const young = { ...expected, schemaVersion: "0.2.1" };
  const kindOf = (schemaVersion: string) =>
    checkResult(result({ protocolVersion: { schemaVersion } }), young, "d-2", []).kind;
  expect([kindOf("0.2.9"), kindOf("0.3.0")]).toEqual(["valid", "invalid"]);
});

test("DSP-105: every fault is named, those of the contract's rules among them", () => {
  const violations = [
    { field: "status.outcome", rule: "enum.defined_only", message: "must be a known value" },
  ];
  const bare = create(AgentResultSchema, { dispatchId: "d-2", attemptNumber: 5 });
  expect(checkResult(bare, expected, "d-2", violations)).toEqual({
    kind: "invalid",
    faults: [
      {
        reason: "schema",
        message: "status.outcome: must be a known value",
        found: { field: "status.outcome", rule: "enum.defined_only" },
      },
      {
        reason: "schema-version",
        message: 'the result speaks schema version "", which does not go with 1.2.0',
      },
      { reason: "trace", message: 'the result names trace "", and the envelope named trace' },
      { reason: "attempt", message: "the result names attempt 5, and the envelope named 2" },
    ],
  });
});
