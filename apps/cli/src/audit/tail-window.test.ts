import { describe, expect, test } from "vitest";
import type { Entry } from "./entries.ts";
import { readTailCursor, tailWindow } from "./tail-window.ts";

const entry = (at: string, auditId: string): Entry => ({
  auditId,
  recordedAt: `2026-01-01T00:00:${at}Z`,
  action: "",
  actor: "",
  subject: "",
  rationale: "",
  text: "",
});
const ids = (entries: readonly Entry[]) => entries.map(({ auditId }) => auditId);

describe("the tail's window", () => {
  test("CLI-42: an entry that was committed late is told, and none twice", () => {
    const window = tailWindow();
    expect(ids(window.fresh([entry("40.2", "c"), entry("40.1", "b")]))).toEqual(["b", "c"]);
    // Begun before c, seen after it.
    expect(
      ids(window.fresh([entry("41", "e"), entry("40.2", "c"), entry("40.15", "d"), entry("40.1", "b")])),
    ).toEqual(["d", "e"]);
    expect(window.from()).toBe("2026-01-01T00:00:11.000Z");
  });

  test("CLI-42: what was left out at the beginning stays left out", () => {
    const window = tailWindow();
    window.fresh([entry("40", "c")]);
    expect(ids(window.fresh([entry("40", "c"), entry("39", "b"), entry("12", "a")]))).toEqual([]);
  });

  test("CLI-42: what is recorded once a clock that was ahead is set right is told, and nothing again", () => {
    const window = tailWindow();
    window.fresh([entry("10", "a")], new Date("2026-01-01T00:00:10Z"));
    const ahead = { ...entry("12", "b"), recordedAt: "2026-01-02T00:00:12Z" };
    expect(ids(window.fresh([ahead, entry("10", "a")], new Date("2026-01-02T00:00:13Z")))).toEqual(["b"]);
    window.fresh([ahead], new Date("2026-01-01T00:00:40Z"));
    expect(window.from()).toBe("2026-01-01T00:00:10.000Z");
    const again = [ahead, entry("41", "c"), entry("10", "a")];
    expect(ids(window.fresh(again, new Date("2026-01-01T00:00:42Z")))).toEqual(["c"]);
    expect(ids(window.fresh(again, new Date("2026-01-01T00:00:43Z")))).toEqual([]);
  });

  test("CLI-42: another tail goes on from the cursor", () => {
    const window = tailWindow();
    window.fresh([entry("40.123456", "c")]);
    const next = tailWindow(readTailCursor(window.cursor() ?? ""));
    expect(ids(next.fresh([entry("40.123457", "d"), entry("40.123456", "c"), entry("40.1", "b")]))).toEqual([
      "d",
    ]);
  });
});
