import { expect, test } from "vitest";
import { draftPrefix, dropDrafts } from "./drop-drafts.ts";
import { textsIn } from "./kept-texts.ts";

test("of what was kept of a form its texts are read, and nothing else", () => {
  expect(textsIn('{"comment":"so","option":7,"more":{"x":"y"}}')).toEqual({ comment: "so" });
  expect([undefined, "{", "null", "7", "[]"].map(textsIn)).toEqual([{}, {}, {}, {}, {}]);
});

test("at sign-out every draft is dropped, of whatever page, and nothing else", () => {
  const kept = new Map([
    [`${draftPrefix}/t/a/task/new`, "x"],
    ["theme", "dark"],
    [`${draftPrefix}/t/a/answer/e1`, "y"],
  ]);
  dropDrafts(() => ({
    length: kept.size,
    key: (at) => [...kept.keys()][at] ?? null,
    removeItem: (key) => void kept.delete(key),
  }));
  expect([...kept.keys()]).toEqual(["theme"]);
  expect(() =>
    dropDrafts(() => {
      throw new Error("forbidden");
    }),
  ).not.toThrow();
});
