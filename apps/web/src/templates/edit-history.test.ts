import fc from "fast-check";
import { expect, test } from "vitest";
import { beginHistory, record, redo, settle, undo } from "./edit-history.ts";

test("undo goes back to the very text, and redo forth", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 30 }), (texts) => {
      const distinct = texts.filter((text, index) => text !== (texts[index - 1] ?? ""));
      let history = beginHistory("");
      for (const text of distinct) history = record(history, text);
      for (const text of ["", ...distinct].toReversed()) {
        expect(history.text).toBe(text);
        history = undo(history);
      }
      expect(undo(history)).toEqual(history);
      for (const text of ["", ...distinct]) {
        expect(history.text).toBe(text);
        history = redo(history);
      }
    }),
  );
});

test("keys typed one after the other are one step, until a pause or another change", () => {
  let history = beginHistory("a");
  for (const text of ["ab", "abc"]) history = record(history, text, true);
  history = record(settle(history), "abcd", true);
  history = record(history, "graph");
  history = record(history, "graph!", true);
  const texts = [];
  for (; history.past.length > 0; history = undo(history)) texts.push(history.text);
  expect(texts).toEqual(["graph!", "graph", "abcd", "abc"]);
  expect(history.text).toBe("a");
});

test("what was undone is gone once something else is done", () => {
  const history = record(undo(record(beginHistory("a"), "b")), "c");
  expect(redo(history)).toEqual(history);
  expect(undo(history).text).toBe("a");
});
