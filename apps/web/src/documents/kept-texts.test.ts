import { expect, test } from "vitest";
import { dropAllDrafts, draftPrefix, dropDrafts, dropIfSignedOut, noteSignedOut } from "./drop-drafts.ts";
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

function storageOf(kept: Record<string, string>): Storage {
  const entries = new Map(Object.entries(kept));
  return {
    get length() {
      return entries.size;
    },
    key: (at) => [...entries.keys()][at] ?? null,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  };
}

test("a tab that slept while somebody signed out has nothing left when it wakes; what is written later is kept", () => {
  const draft = `${draftPrefix}/t/a/task/new`;
  const localStorage = storageOf({});
  const open = { localStorage, sessionStorage: storageOf({ [draft]: "x" }) };
  const asleep = { localStorage, sessionStorage: storageOf({ [draft]: "y" }) };
  dropIfSignedOut(asleep, 50);
  expect(asleep.sessionStorage.getItem(draft)).toBe("y");
  noteSignedOut(open, 100);
  dropAllDrafts(open, 101);
  expect(open.sessionStorage.getItem(draft)).toBeNull();
  dropIfSignedOut(asleep, 200);
  expect(asleep.sessionStorage.getItem(draft)).toBeNull();
  for (const tab of [open, asleep]) {
    tab.sessionStorage.setItem(draft, "later");
    dropIfSignedOut(tab, 300);
    expect(tab.sessionStorage.getItem(draft)).toBe("later");
  }
});
