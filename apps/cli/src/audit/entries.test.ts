import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { elementTexts, readEntryPage } from "./entries.ts";
import { filterQuery } from "./filters.ts";

describe("entries", () => {
  test("CLI-43: property: the elements of a list are its texts, to the letter", () => {
    const spaced = fc.constantFrom("", " ", "\n  ");
    fc.assert(
      fc.property(fc.array(fc.json(), { maxLength: 6 }), spaced, fc.json(), (elements, gap, other) => {
        const text = `{"first":${other},${gap}"entries"${gap}:[${elements.map((one) => gap + one + gap).join(",")}],"nextCursor":"entries"}`;
        expect(elementTexts(text, "entries")).toEqual(elements.map((one) => one.trim()));
      }),
    );
  });

  test("CLI-43: a payload keeps its bytes", () => {
    const payload = '{ "action":"a",  "n": 1.0, "rationale":"\\u00e4 \\"[{" }';
    const page = readEntryPage(`{"entries":[{"auditId":"1","recordedAt":"t","payload":${payload}}]}`);
    expect(page?.entries[0]?.text).toBe(`{"auditId":"1","recordedAt":"t","payload":${payload}}`);
    expect(readEntryPage('{"entries":[3]}')).toBeUndefined();
    expect(readEntryPage("[]")).toBeUndefined();
  });

  test("times are days, moments, or so long ago", () => {
    const now = new Date("2026-01-10T12:00:00Z");
    expect(
      filterQuery({ from: "90m", to: "2026-01-10T11:00:00Z", eventType: "pack-registered" }, now),
    ).toMatchObject({
      from: "2026-01-10T10:30:00.000Z",
      to: "2026-01-10T11:00:00.000Z",
      eventType: "AUDIT_EVENT_TYPE_PACK_REGISTERED",
    });
    for (const from of ["soon", "12", "9".repeat(40), "2026-13-01"])
      expect(() => filterQuery({ from }, now)).toThrow("is allowed");
  });
});
