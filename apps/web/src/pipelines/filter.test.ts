import { expect, test } from "vitest";
import { readFilter, searchOf } from "./filter.ts";

test("what the URL says is read, and what it says wrongly is left out", () => {
  expect(readFilter({ status: "PAUSED", pack: "qa", q: "a", since: "day" })).toEqual({
    status: "PAUSED",
    pack: "qa",
    q: "a",
    since: "day",
  });
  expect(readFilter({ status: "paused", pack: "  ", q: 7, since: "year", more: "x" })).toEqual({});
  const long = readFilter({ q: ` ${"x".repeat(199)}😀`, pack: "p".repeat(300) });
  expect(long).toEqual({ q: `${"x".repeat(199)}\uFFFD`, pack: "p".repeat(200) });
});

test("a span ends now and begins at a full minute, so that the same page asks the same question", () => {
  const now = Date.UTC(2030, 0, 2, 12, 30, 59);
  expect(searchOf({ since: "hour", pack: "qa" }, now)).toEqual({
    packId: "qa",
    from: "2030-01-02T11:30:00.000Z",
  });
  expect(searchOf({ since: "hour" }, now)).toEqual(searchOf({ since: "hour" }, now - 58_000));
  expect(searchOf({}, now)).toEqual({});
});
