import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvEnd, csvHeader, csvRow } from "./audit-csv.ts";

const entry = (said: { action?: string; rationale?: string }, packId: string | null = null) => ({
  auditId: "0190b3a8-8f0f-7bbb-8888-0123456789ab",
  recordedAt: "2026-11-18T10:00:00.123456Z",
  eventType: 101,
  actorType: 3,
  actorId: "ada",
  traceId: null,
  pipelineId: null,
  stageId: null,
  dispatchId: null,
  attemptNumber: null,
  packId,
  transaction: "1",
  salt: new Uint8Array(16),
  payload: JSON.stringify(said),
});

/** A reader of RFC 4180 that knows nothing of the writer. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    cells.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
    if (end !== "\r\n") continue;
    rows.push(cells);
    cells = [];
  }
  return rows;
}

const actionOf = (said: string) => readCsv(csvRow(entry({ action: said })))[0]?.[5];

describe("an entry as a row", () => {
  test("has a cell for each column, and the payload as it was recorded", () => {
    const made = entry({ action: 'named "a, b"', rationale: "two\nlines" }, "painter");
    const [names, cells, end] = readCsv(csvHeader + csvRow(made) + csvEnd(1, undefined));
    expect(names?.map((name) => name.replace("\uFEFF", ""))).toEqual([
      "auditId",
      "recordedAt",
      "eventType",
      "actorType",
      "actorId",
      "action",
      "rationale",
      "traceId",
      "pipelineId",
      "stageId",
      "dispatchId",
      "attemptNumber",
      "packId",
      "payload",
    ]);
    expect(cells).toEqual([
      made.auditId,
      made.recordedAt,
      "PACK_REGISTERED",
      "HUMAN",
      "ada",
      'named "a, b"',
      "two\nlines",
      "",
      "",
      "",
      "",
      "",
      "painter",
      made.payload,
    ]);
    expect(end).toHaveLength(cells?.length ?? 0);
    expect(end?.slice(0, 3)).toEqual(["#exported", "1", ""]);
  });

  test("whatever was said, a reader gets it back, and no cell begins as a formula does", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (action, packId) => {
        const rows = readCsv(csvRow(entry({ action }, packId)));
        expect(rows).toHaveLength(1);
        for (const [at, said] of [
          [5, action],
          [12, packId],
        ] as const) {
          const cell = rows[0]?.[at] ?? "";
          expect([said, `'${said}`]).toContain(cell);
          expect(cell).not.toMatch(/^\s*[=+\-@\t\r]/);
        }
      }),
    );
  });

  test.each(["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", "＠x"])(
    "%j is no formula",
    (said) => {
      expect(actionOf(said)).toBe(`'${said}`);
    },
  );

  test("what is no formula is left as it is", () => {
    for (const said of ["a=b", "registered pack", "1+1", "{-}", ""]) expect(actionOf(said)).toBe(said);
  });
});

test("the last row says how many there were, and where another export goes on", () => {
  expect(readCsv(csvEnd(100_000, "WyJh"))[0]?.slice(0, 3)).toEqual(["#exported", "100000", "WyJh"]);
});
