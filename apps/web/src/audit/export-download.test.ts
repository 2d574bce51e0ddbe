import { describe, expect, test } from "vitest";
import { endOf, fileNameOf } from "./export-download.ts";

describe("the last line of an export", () => {
  test.each([
    ["jsonl", '{"auditId":"a"}\n{"exported":1}\n', { entries: 1, nextCursor: undefined }],
    ["jsonl", '{"exported":100000,"nextCursor":"WyJh_-"}\n', { entries: 100_000, nextCursor: "WyJh_-" }],
    ["csv", "a,b\r\n#exported,7,,,,\r\n", { entries: 7, nextCursor: undefined }],
    ["csv", "#exported,100000,WyJh,,,\r\n", { entries: 100_000, nextCursor: "WyJh" }],
  ] as const)("%s says how many there were: %j", (format, tail, end) => {
    expect(endOf(format, tail)).toEqual(end);
  });

  test.each([
    ["jsonl", ""],
    ["jsonl", '{"auditId":"a"}\n'],
    ["jsonl", '{"exported":1'],
    ["jsonl", '{"exported":1}'],
    ["jsonl", '{"auditId":"a","payload":{"exported":1}}\n'],
    ["csv", "a,b\r\n"],
    ["csv", "#exported,12"],
    ["csv", "'#exported,1,,\r\n"],
  ] as const)("without it a %s export is not whole: %j", (format, tail) => {
    expect(endOf(format, tail)).toBeUndefined();
  });
});

test("files are named by when they were made", () => {
  expect(fileNameOf("csv", new Date("2026-11-18T10:20:30.400Z"))).toBe("audit-2026-11-18T102030Z.csv");
});
