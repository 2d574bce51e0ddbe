import { expect, test } from "vitest";
import { filterOf, isNarrowed, localOf, momentOf } from "./audit-filter.ts";

test("a URL's search narrows by what is a filter, and by nothing else", () => {
  expect(
    filterOf({
      q: " no instance ",
      eventType: "GATE_REJECTED",
      packId: "",
      actor: "ada",
      from: "2026-11-18T10:00:00Z",
      to: "2026-11-18T10:00:00+01:00",
      stranger: "x",
      traceId: 7,
    }),
  ).toEqual({
    q: "no instance",
    eventType: "GATE_REJECTED",
    actor: "ada",
    from: "2026-11-18T10:00:00Z",
    to: "2026-11-18T10:00:00+01:00",
  });
  expect(filterOf({ q: "w".repeat(300), actor: "a".repeat(600) })).toEqual({
    q: "w".repeat(200),
    actor: "a".repeat(500),
  });
  expect(isNarrowed(filterOf({}))).toBe(false);
});

test.each([
  [{ from: "yesterday" }],
  [{ to: "2026-11-18" }],
  [{ from: "2026-99-18T10:00:00Z" }],
  [{ eventType: "toString" }],
  [{ eventType: "GATE PASSED" }],
])("%j is left out, for the server would refuse the page for it", (search) => {
  expect(filterOf(search)).toEqual({});
});

test("a moment that is put in in local time comes back as it was put in", () => {
  expect(localOf(momentOf("2026-11-18T10:30"))).toBe("2026-11-18T10:30");
  expect(momentOf("2026-11-18T10:30")).toMatch(/^2026-11-1[789]T\d\d:\d\d:00Z$/);
  expect(momentOf("")).toBeUndefined();
  expect(localOf(undefined)).toBe("");
  expect(localOf("no moment")).toBe("");
});
