import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanLine, cleanText } from "./clean-text.ts";
import { factLines } from "./fact-lines.ts";
import { faultLines } from "./faults-text.ts";
import { durationText, momentText, statusText } from "./moment-text.ts";
import type { Paint } from "./paint.ts";
import { columnWidths, tableLines } from "./table.ts";
import { fitted, widthOf, wrapped } from "./width.ts";

const paint: Paint = (_tone, text) => text;
// oxlint-disable-next-line no-control-regex
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const anyText = fc.string({ unit: "binary", maxLength: 60 });

describe("CLI-50: what comes from outside", () => {
  test.each([
    ["\u001b[2J\u001b[Hgone", "\\u{1b}[2J\\u{1b}[Hgone"],
    ["a\rb", "a\\u{0d}b"],
    ["access\u202enimda", "access\\u{202e}nimda"],
    ["\u009b31m", "\\u{9b}31m"],
    ["one\r\ntwo\tthree", "one\ntwo\tthree"],
  ])("%j is shown as %j", (text, shown) => {
    expect(cleanText(text)).toBe(shown);
  });

  test("property: nothing that a terminal would act on is left, and a line is one line", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(cleanText(text)).not.toMatch(acting);
        expect(cleanLine(text)).not.toMatch(/[\n\t]/);
        expect(cleanText(text).isWellFormed()).toBe(true);
      }),
    );
  });
});

describe("CLI-51: a table", () => {
  const columns = [
    { title: "NAME", value: (row: { name: string; note: string }) => row.name, whole: true },
    { title: "NOTE", value: (row: { name: string; note: string }) => row.note },
  ];

  test("fits the terminal: what is long is cut before what is copied", () => {
    const rows = [{ name: "a-name-to-be-copied", note: "a note that goes on and on" }];
    const lines = tableLines(columns, rows, { paint, available: 32 });
    expect(lines).toEqual(["NAME                 NOTE", "a-name-to-be-copied  a note tha…"]);
    expect(tableLines(columns, rows, { paint, available: undefined })[1]).toContain("on and on");
  });

  test("at 80 columns an id stays whole beside two moments: texts are cut first, then moments, and what is spare goes", () => {
    const id = "01a1f4e7-31e3-77ac-8710-f157a9bd5502";
    const at = "2026-11-19 17:42:36";
    const listed = [
      { title: "PIPELINE", value: () => id, whole: true },
      { title: "STATUS", value: () => "completed", whole: true },
      { title: "TASK", value: () => "TASK-12345" },
      { title: "TITLE", value: () => "Greet by name" },
      { title: "NAME", value: () => "Implement and review", spare: true },
      { title: "CREATED", value: () => at, late: true },
      { title: "ENDED", value: () => at, late: true },
    ];
    const linesAt = (available: number) => tableLines(listed, [{}], { paint, available });
    expect(linesAt(80)).toEqual([
      `${"PIPELINE".padEnd(36)}  STATUS     TASK    TITLE   CREAT…  ENDED`,
      `${id}  completed  TASK-…  Greet…  2026-…  2026-1…`,
    ]);
    expect(linesAt(120)[1]).toContain(`Greet b…  Implemen…  ${at}  ${at}`);
  });

  test("property: no line is wider than the terminal where that can be, whatever is in it", () => {
    const row = fc.record({ name: anyText, note: anyText });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), fc.integer({ min: 16, max: 120 }), (rows, available) => {
        for (const line of tableLines(columns, rows, { paint, available })) {
          expect(widthOf(line)).toBeLessThanOrEqual(available);
        }
      }),
    );
  });

  test("property: columns are cut no more than is needed", () => {
    const widths = fc.array(fc.record({ widest: fc.integer({ min: 1, max: 80 }), whole: fc.boolean() }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(widths, fc.integer({ min: 10, max: 300 }), (shape, available) => {
        const gaps = 2 * (shape.length - 1);
        const wanted = shape.reduce((sum, { widest }) => sum + widest, gaps);
        const given = columnWidths(shape, available).reduce((sum, width) => sum + width, gaps);
        expect(given).toBeLessThanOrEqual(wanted);
        expect(given).toBeGreaterThanOrEqual(Math.min(wanted, available));
      }),
    );
  });

  test("an empty cell is a dash, and wide characters count as two", () => {
    const lines = tableLines(columns, [{ name: "日本", note: "" }], { paint, available: 80 });
    expect(lines[1]).toBe("日本  -");
  });
});

test("CLI-52: a fault is shown with its line and a mark below the place", () => {
  const source = "routing_policy:\n  version: one\n";
  const fault = {
    line: 2,
    column: 12,
    path: "routing_policy.version",
    rule: "format",
    message: "is no version",
  } as const;
  expect(faultLines("p.yaml", source, [fault], { paint })).toEqual([
    "p.yaml:2:12: routing_policy.version is no version [format]",
    "    2 |   version: one",
    "      |            ^",
  ]);
  const secret = faultLines("p.yaml", source, [{ ...fault, rule: "secret" }], { paint });
  expect(secret).toHaveLength(1);
  const [, excerpt = "", mark = ""] = faultLines(
    "p.yaml",
    `${"x".repeat(500)}here`,
    [{ ...fault, line: 1, column: 501 }],
    { paint },
  );
  expect(excerpt.length).toBeLessThan(170);
  expect(excerpt.slice(mark.indexOf("^"))).toBe("here");
});

test("texts are cut and wrapped by what they take on the screen", () => {
  expect(fitted("日本語テキスト", 7)).toBe("日本語…");
  expect(wrapped("one two three", 7)).toEqual(["one two", "three"]);
  expect(
    factLines(
      [
        ["A", "x"],
        ["Long", "one two three"],
        ["None", null],
      ],
      { paint, columns: 20 },
    ),
  ).toEqual(["A     x", "Long  one two three"]);
});

test("moments, durations and statuses as people read them", () => {
  expect(momentText("2026-01-02T03:04:05.6Z")).toMatch(/^2026-01-0[123] \d\d:04:05$/);
  expect(momentText("what")).toBe("what");
  expect([durationText(900), durationText(61_000), durationText(3_660_000)]).toEqual(["1s", "1m1s", "1h1m"]);
  expect(statusText("STAGE_STATUS_READY")).toBe("ready");
});
