import { SignalboxError } from "@signalbox/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cursorsOf,
  pageLimit,
  readCursor,
  readLimit,
  readMomentCursor,
  readQuery,
  writeCursor,
} from "./page.ts";

const fieldOf = (read: () => unknown): string | undefined => {
  try {
    read();
    return undefined;
  } catch (error) {
    if (!(error instanceof SignalboxError)) throw error;
    return error.violations[0]?.field;
  }
};

describe("pages", () => {
  test("a cursor gives back the position it was made of", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 40 }), { maxLength: 4 }), (position) => {
        expect(readCursor(writeCursor(position), position.length)).toEqual(position);
      }),
    );
  });

  test("what was not made here is refused by its name, whatever it is", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map((text) => Buffer.from(text).toString("base64url")),
        ),
        (text) => {
          expect(fieldOf(() => readCursor(text, 3))).toBe("cursor");
        },
      ),
    );
    expect(fieldOf(() => readCursor(writeCursor(["a".repeat(3000), "b", "c"]), 3))).toBe("cursor");
  });

  test("a moment that a cursor begins with is one that PostgreSQL holds, given back as it was written", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
        (at) => {
          const position = [at.toISOString(), "an id"];
          expect(readMomentCursor(writeCursor(position), 2)).toEqual(position);
        },
      ),
    );
    const exact = "2026-01-01T00:00:00.123456Z";
    expect(readMomentCursor(writeCursor([exact]), 1)).toEqual([exact]);
    const none = ["", "Tue", "-271821-04-20T00:00:00Z", "0000-01-01T00:00:00Z", "2026-02-30T00:00:00Z"];
    const long = `2026-01-01T00:00:00.${"1".repeat(300)}Z`;
    const outside = [...none, "2026-13-45T99:99:99Z", "+010000-01-01T00:00:00.000Z", long];
    expect(outside.map((text) => fieldOf(() => readMomentCursor(writeCursor([text]), 1)))).toEqual(
      outside.map(() => "cursor"),
    );
  });

  test("a limit is a whole number within bounds, and absent the usual one", () => {
    expect(readLimit()).toBe(pageLimit.usual);
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.double()), (limit) => {
        const allowed = Number.isInteger(limit) && limit >= 1 && limit <= pageLimit.most;
        expect(fieldOf(() => readLimit(limit))).toBe(allowed ? undefined : "limit");
      }),
    );
  });

  test("a query of nothing but space asks for everything", () => {
    expect([readQuery(undefined), readQuery(""), readQuery("  "), readQuery(" a b ")]).toEqual([
      undefined,
      undefined,
      undefined,
      "a b",
    ]);
    expect(fieldOf(() => readQuery("a".repeat(201)))).toBe("query");
    expect(fieldOf(() => readQuery("\0"))).toBe("query");
  });
});

test("a list's cursor is no other list's", () => {
  const [keys, packs] = [cursorsOf("keys"), cursorsOf("packs")];
  const at = "2026-11-19T12:00:00.000Z";
  expect(keys.read(keys.write(["a", "b"]), 2)).toEqual(["a", "b"]);
  expect(keys.readMoment(keys.write([at, "b"]), 2)).toEqual([at, "b"]);
  expect(fieldOf(() => packs.read(keys.write(["a", "b"]), 2))).toBe("cursor");
  expect(fieldOf(() => packs.readMoment(keys.write([at, "b"]), 2))).toBe("cursor");
  expect(fieldOf(() => keys.readMoment(keys.write(["a", "b"]), 2))).toBe("cursor");
  expect(fieldOf(() => keys.read(writeCursor(["a", "b"]), 2))).toBe("cursor");
});
