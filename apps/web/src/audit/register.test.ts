import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addNewest,
  addOlder,
  baseFor,
  begin,
  MOST_ROWS,
  placeOf,
  roomFor,
  rowsInView,
  rowsOf,
} from "./register.ts";

const entries = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ auditId: `e${from + index}` }));
const page = (from: number, to: number, nextCursor: string | null) => ({
  entries: entries(from, to),
  nextCursor,
});

describe("what came last", () => {
  const register = begin(page(10, 110, "c110"));

  test("is put before what is there, and no cursor moves", () => {
    const after = addNewest(register, page(7, 107, "c107"));
    expect(after.head.map(({ auditId }) => auditId).slice(0, 5)).toEqual(["e7", "e8", "e9", "e10", "e11"]);
    expect(after.head).toHaveLength(103);
    expect(after).toMatchObject({ cursors: ["c110"], added: 3 });
  });

  test("changes nothing where nothing came", () => {
    expect(addNewest(register, page(10, 110, "c110"))).toBe(register);
    const empty = begin(page(0, 0, null));
    expect(addNewest(empty, page(0, 0, null))).toBe(empty);
    expect(addNewest(empty, page(0, 2, null)).head).toHaveLength(2);
  });

  test("begins anew where more came than a page holds: what lies between is not known", () => {
    expect(addNewest(register, { entries: entries(200, 300), nextCursor: "c300" })).toEqual(
      begin({ entries: entries(200, 300), nextCursor: "c300" }),
    );
  });
});

describe("what is older", () => {
  test("goes on where its page gave a cursor, and ends where it gave none", () => {
    const one = begin(page(0, 100, "c100"));
    expect(rowsOf(one, 100)).toBe(108);
    const two = addOlder(one, "c100", page(100, 200, "c200"));
    expect(two.cursors).toEqual(["c100", "c200"]);
    expect(rowsOf(two, 100)).toBe(208);
    const end = addOlder(two, "c200", page(200, 230, null));
    expect(rowsOf(end, 100)).toBe(230);
    expect(addOlder(end, "c200", page(200, 230, null))).toBe(end);
  });

  test("a page that was read a second time adds no cursor", () => {
    const one = begin(page(0, 100, "c100"));
    const two = addOlder(one, "c100", page(100, 200, "c200"));
    expect(addOlder(two, "c100", page(100, 200, "c200"))).toBe(two);
  });
});

const view = (first: number) => ({ first, last: first + 30 });

describe("a record of millions", () => {
  test("is gone through from end to end and back, in a page that is never too tall; nothing jumps", () => {
    let [base, row] = [0, 0];
    const pass = (steps: number, step: number) => {
      for (let turn = 0; turn < steps; turn += 1) {
        row += step;
        const next = baseFor(base, view(row - base));
        expect(row - next).toBeGreaterThanOrEqual(0);
        expect(row - next + 30).toBeLessThan(MOST_ROWS);
        base = next;
        // Where the page begins anew it stays so, however often it is looked at.
        expect(baseFor(base, view(row - base))).toBe(base);
      }
    };
    pass(3_000, 1_000);
    expect(base).toBeGreaterThan(2_900_000);
    pass(3_000, -1_000);
    expect([base, row]).toEqual([0, 0]);
  });

  test("is longer than a page has room for", () => {
    let register = begin(page(0, 100, "c0"));
    for (let turn = 0; turn < 1_000; turn += 1)
      register = addOlder(register, register.cursors.at(-1) ?? "", page(0, 100, `c${turn + 1}`));
    expect(rowsOf(register, 100)).toBe(100_108);
    expect(roomFor(100_108, 0)).toBe(MOST_ROWS);
    expect(roomFor(100_108, 75_000)).toBe(25_108);
  });
});

test("every row of a list has one place, in order", () => {
  fc.assert(
    fc.property(fc.nat(150), fc.integer({ min: 1, max: 5 }), (head, pages) => {
      let register = begin(page(0, head, "c0"));
      for (let index = 1; index < pages; index += 1)
        register = addOlder(register, `c${index - 1}`, page(0, 100, `c${index}`));
      const places = Array.from({ length: rowsOf(register, 100) }, (_, row) => placeOf(register, row, 100));
      expect(places.slice(0, head).every((place, row) => place.page === -1 && place.at === row)).toBe(true);
      expect(places.slice(head).every(({ page: of, at }, row) => of * 100 + at === row)).toBe(true);
    }),
  );
});

test("the rows in view are those between the top and the bottom, and some more", () => {
  const list = { rows: 1_000, rowHeight: 50, more: 2 };
  expect(rowsInView({ top: 0, height: 500 }, list)).toEqual({ first: 0, last: 12 });
  expect(rowsInView({ top: 1_000, height: 500 }, list)).toEqual({ first: 18, last: 32 });
  expect(rowsInView({ top: 49_900, height: 500 }, list)).toEqual({ first: 996, last: 999 });
  expect(rowsInView({ top: 90_000, height: 500 }, list)).toEqual({ first: 999, last: 999 });
  expect(rowsInView({ top: 0, height: 500 }, { ...list, rows: 0 })).toEqual({ first: 0, last: -1 });
  expect(rowsInView({ top: -300, height: 500 }, list)).toEqual({ first: 0, last: 6 });
});
