import { describe, expect, test } from "vitest";
import { requestIdOf } from "./request-id.ts";

const made = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
const of = (id: string | undefined) =>
  requestIdOf({ headers: id === undefined ? {} : { "x-request-id": id } });

describe("the id of a request", () => {
  test.each([
    "0190b3a8-8f0f-7bbb-8888-0123456789ab",
    "4bf92f3577b34da6a3ce929d0e0e4736",
    "01JC8YJ8W7M3Z9T2Q4R6S8V0X1",
    "Root=1-67891233-abcdef012345678912345678",
    "checkout/2026-11-19/42",
    "k7Jm2Qw9Zx4Vb8Nc1Rt6Yh3P",
  ])("is the caller's own: %s", (id) => {
    expect(of(id)).toBe(id);
  });

  test.each([
    ["a platform's token", `ghp_${"a1B2c3D4e5F6".repeat(3)}`],
    ["a cloud's key", `AKIA${"Q3Z7".repeat(4)}`],
    ["a key of ours", `sbx_${"aB3dE6gH9k".repeat(4)}xyz`],
    ["what holds one", `run-1/ghp_${"a1B2c3D4e5F6".repeat(3)}/2`],
  ])("is never a secret, which would stand on record for good (D21): %s", (_, id) => {
    expect(of(id)).toMatch(made);
  });

  test.each([undefined, "", "short", "with space in it", "x".repeat(129)])("else is made: %s", (id) => {
    expect(of(id)).toMatch(made);
  });
});
