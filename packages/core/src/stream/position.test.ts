import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { comparePositions, type FeedPosition, judgeCursor } from "./position.ts";

const positions = fc.record({
  transaction: fc.bigInt(0n, (1n << 63n) - 1n).map(String),
  ordinal: fc.integer({ min: -1, max: 2 ** 31 - 1 }),
});
const at = (transaction: string, ordinal = 0): FeedPosition => ({ transaction, ordinal });

describe("positions and cursors (STREAM-6, STREAM-7, STREAM-8)", () => {
  test("STREAM-6 positions are ordered as their numbers are, whatever their length", () => {
    expect(comparePositions(at("9"), at("10"))).toBeLessThan(0);
    fc.assert(
      fc.property(positions, positions, (one, other) => {
        const [left, right] = [BigInt(one.transaction), BigInt(other.transaction)];
        const byOrdinal = Math.sign(one.ordinal - other.ordinal);
        const expected = left === right ? byOrdinal : left < right ? -1 : 1;
        expect(Math.sign(comparePositions(one, other))).toBe(expected);
      }),
    );
  });

  const feed = { tenantId: "north", forgotten: at("100", 3), frontier: at("500", 0) };
  test.each([
    ["STREAM-7 another tenant's", { tenantId: "south", ...at("200") }, "foreign"],
    ["STREAM-8 one before what is kept", { tenantId: "north", ...at("100", 2) }, "expired"],
    ["STREAM-8 the last that was forgotten", { tenantId: "north", ...at("100", 3) }, "fits"],
    ["STREAM-8 one in what is kept", { tenantId: "north", ...at("101") }, "fits"],
    ["STREAM-8 the frontier itself", { tenantId: "north", ...at("500") }, "fits"],
    ["STREAM-8 one beyond the frontier", { tenantId: "north", ...at("500", 1) }, "expired"],
  ])("%s", (_name, cursor, expected) => {
    expect(judgeCursor(cursor, feed)).toBe(expected);
  });

  test("STREAM-8 where nothing was forgotten the oldest cursor fits", () => {
    expect(judgeCursor({ tenantId: "north", ...at("0", -1) }, { ...feed, forgotten: undefined })).toBe(
      "fits",
    );
  });
});
