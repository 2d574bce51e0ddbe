import { expect, test } from "vitest";
import { inOrder, withTurn } from "./turn-news.ts";

const turns = (...indices: number[]) => indices.map((turnIndex) => ({ turnIndex }));
const pages = (...of: { turns: { turnIndex: number }[]; more: boolean }[]) => ({
  pages: of,
  pageParams: [null, 3],
});
const indicesIn = (told: ReturnType<typeof pages>) =>
  told.pages.map((page) => page.turns.map(({ turnIndex }) => turnIndex));

test("a turn that is told stands at its place, once", () => {
  expect(inOrder(turns(0, 2), { turnIndex: 1 })).toEqual(turns(0, 1, 2));
  expect(inOrder(turns(0, 2), { turnIndex: 2 })).toEqual(turns(0, 2));
});

test("it goes into the page whose stretch it is in, and behind the last where all was read", () => {
  const all = pages({ turns: turns(0, 1, 3), more: true }, { turns: turns(4, 5), more: false });
  expect(indicesIn(withTurn(all, { turnIndex: 2 }))).toEqual([
    [0, 1, 2, 3],
    [4, 5],
  ]);
  expect(indicesIn(withTurn(all, { turnIndex: 6 }))).toEqual([
    [0, 1, 3],
    [4, 5, 6],
  ]);
  expect(indicesIn(withTurn(pages({ turns: [], more: false }), { turnIndex: 0 }))).toEqual([[0]]);
});

test("where turns are left to be read it is read with them", () => {
  const some = pages({ turns: turns(0, 1), more: true });
  expect(withTurn(some, { turnIndex: 9 })).toEqual(some);
});
