import { expect, test } from "vitest";
import { draftKey, dropDraft, findDraft, keepDraft, type Shelf } from "./stored-draft.ts";

function shelf(): Shelf & { kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}
const draft = { text: "b", base: { text: "a", stored: { version: "1.0.0", edit: 3 } } };

test("what was written comes back after a reload, with what it began as", () => {
  const one = shelf();
  expect(keepDraft(one, "k", draft, false)).toBe(true);
  expect(findDraft(one, "k")).toEqual(draft);
  dropDraft(one, "k");
  expect(findDraft(one, "k")).toBeUndefined();
});

test("a version that is on no server yet is kept, too", () => {
  const one = shelf();
  const fresh = { text: "b", base: { text: "a", stored: null } };
  keepDraft(one, "k", fresh, false);
  expect(findDraft(one, "k")).toEqual(fresh);
});

test("a text that holds a secret is not kept, and what was kept of it before goes", () => {
  const one = shelf();
  keepDraft(one, "k", draft, false);
  expect(keepDraft(one, "k", { ...draft, text: "secret" }, true)).toBe(false);
  expect(one.kept.size).toBe(0);
});

test("what is as it was read needs no keeping", () => {
  const one = shelf();
  keepDraft(one, "k", draft, false);
  expect(keepDraft(one, "k", { ...draft, text: "a" }, false)).toBe(false);
  expect(one.kept.size).toBe(0);
});

test.each([
  "",
  "{",
  "null",
  "3",
  `{"text":1}`,
  `{"text":"a"}`,
  `{"text":"a","base":{"text":"a"}}`,
  `{"text":"a","base":{"text":"a","stored":{"edit":1}}}`,
])("%j is no draft of ours", (kept) => {
  const one = shelf();
  one.kept.set("k", kept);
  expect(findDraft(one, "k")).toBeUndefined();
});

const refuse = () => {
  throw new Error("QuotaExceededError");
};

test("a storage that refuses stops nobody", () => {
  const full: Shelf = { getItem: refuse, setItem: refuse, removeItem: refuse };
  expect(keepDraft(full, "k", draft, false)).toBe(false);
  expect(findDraft(full, "k")).toBeUndefined();
  expect(() => dropDraft(full, "k")).not.toThrow();
});

test("no two owners, kinds or names share a key, whatever is in them", () => {
  const owner = { tenantId: "a", actorId: "b/c" };
  expect(draftKey(owner, "routing-policy", "1.0.0")).not.toBe(
    draftKey({ tenantId: "a", actorId: "b" }, "c", "routing-policy/1.0.0"),
  );
});
