import { PipelineStatus, PipelineStatusSchema, SignalboxError } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { z } from "zod";
import { enumNames, enumNumber } from "../enum-name.ts";
import { listQuery, momentParameter, namedParameter, readQuery, textParameter } from "./list-query.ts";

const query = listQuery({
  status: namedParameter((name) => enumNumber(PipelineStatusSchema, name), enumNames(PipelineStatusSchema)),
  from: momentParameter,
  actor: textParameter,
});

function faultsOf(given: object) {
  try {
    readQuery(query, given);
    return [];
  } catch (error) {
    if (!(error instanceof SignalboxError)) throw error;
    return error.violations;
  }
}

test("what is given is read, and what is not given narrows nothing", () => {
  expect(readQuery(query, undefined)).toEqual({});
  expect(readQuery(query, { status: "PAUSED", limit: "7", from: "2026-01-31T13:00:00+01:00" })).toEqual({
    status: PipelineStatus.PAUSED,
    limit: 7,
    from: new Date("2026-01-31T12:00:00Z"),
  });
  expect(readQuery(query, { status: "PIPELINE_STATUS_PAUSED" })).toEqual({ status: PipelineStatus.PAUSED });
});

test("every fault is named at once, with what is allowed", () => {
  const faults = faultsOf({
    status: "UNSPECIFIED",
    limit: "-1",
    from: "2026-01-31",
    actor: ["a", "b"],
    cursor: "\0",
    page: "2",
  });
  const told = new Map(faults.map(({ field, message }) => [field, message]));
  expect(told.get("status")).toBe("one of PENDING, RUNNING, PAUSED, COMPLETED, FAILED, ABORTED");
  expect(told.get("limit")).toContain("from 1 to 100");
  expect(told.get("from")).toContain("2026-01-31T12:00:00Z");
  expect(told.get("actor")).toBe("give it once");
  expect(told.get("cursor")).toContain("U+0000");
  expect(told.get("page")).toBe("there is no such parameter; cursor, limit, status, from, actor are");
});

test.each(["0000-06-01T00:00:00Z", "9999-12-31T23:59:59-01:00", "0001-01-01T00:00:00+01:00"])(
  "%s is a moment that no table holds, and is refused",
  (from) => {
    expect(faultsOf({ from }).map(({ message }) => message)).toEqual([
      "a moment of the years 0001 to 9999 in UTC",
    ]);
  },
);

test.each(["__proto__", "constructor", "toString"])(
  "%s is a parameter like any other unknown one",
  (name) => {
    const given: unknown = JSON.parse(`{"${name}": "x"}`);
    expect(faultsOf(given as object).map(({ field }) => field)).toEqual([name]);
  },
);

test("a word that is none of those allowed is told like every other", () => {
  const choice = listQuery({ by: z.enum(["territory", "all"]).optional() });
  expect(() => readQuery(choice, { by: "moon" })).toThrow(
    expect.objectContaining({
      violations: [{ field: "by", rule: "invalid_value", message: 'must be one of "territory", "all"' }],
    }),
  );
});
