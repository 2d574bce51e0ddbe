import { describe, expect, test } from "vitest";
import { SAP_ERROR_CODES } from "../sap/error-codes.ts";
import { ERROR_CODES, GRPC_STATUS, isErrorCode } from "./error-codes.ts";

/** How gRPC's own HTTP mapping reads a status (googleapis google/rpc/code.proto), by class of HTTP status. */
const GRPC_CLASSES: Readonly<Record<keyof typeof GRPC_STATUS, readonly number[]>> = {
  INVALID_ARGUMENT: [400, 415, 422],
  DEADLINE_EXCEEDED: [504],
  NOT_FOUND: [404],
  ALREADY_EXISTS: [409],
  PERMISSION_DENIED: [403],
  RESOURCE_EXHAUSTED: [413, 429],
  FAILED_PRECONDITION: [409, 422],
  ABORTED: [409, 412],
  UNIMPLEMENTED: [405, 501],
  INTERNAL: [500],
  UNAVAILABLE: [503],
  UNAUTHENTICATED: [401],
};

const entries = Object.entries(ERROR_CODES);

describe.each(entries)("%s", (code, { httpStatus, grpcStatus, sapCode, title }) => {
  test("has the form of a code and a title of its own", () => {
    expect(code).toMatch(/^[A-Z]+(?:_[A-Z]+)*$/);
    expect(title).toMatch(/^[A-Z].*[^.]$/);
    expect(entries.filter(([, entry]) => entry.title === title)).toHaveLength(1);
  });

  test("says the same over HTTP and gRPC", () => {
    const [name] = Object.entries(GRPC_STATUS).find(([, number]) => number === grpcStatus) ?? [];
    expect(GRPC_CLASSES[name as keyof typeof GRPC_STATUS]).toContain(httpStatus);
  });

  test("has a code of SAP V2.0 §8", () => {
    expect(SAP_ERROR_CODES).toContain(sapCode);
  });
});

test("each of SAP's ten codes is the answer to some code", () => {
  expect(SAP_ERROR_CODES).toHaveLength(10);
  expect(new Set(entries.map(([, { sapCode }]) => sapCode))).toEqual(new Set(SAP_ERROR_CODES));
});

test("every gRPC status in the table is in use, and none is OK, CANCELLED, UNKNOWN, OUT_OF_RANGE or DATA_LOSS", () => {
  expect(new Set(entries.map(([, { grpcStatus }]) => grpcStatus))).toEqual(
    new Set(Object.values(GRPC_STATUS)),
  );
  for (const number of [0, 1, 2, 11, 15]) expect(Object.values(GRPC_STATUS)).not.toContain(number);
});

test.each([
  ["INTERNAL", true],
  ["internal", false],
  ["constructor", false],
  ["__proto__", false],
  [500, false],
  [undefined, false],
])("isErrorCode(%j) is %j", (value, expected) => {
  expect(isErrorCode(value)).toBe(expected);
});
