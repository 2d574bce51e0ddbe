import { expect, test } from "vitest";
import { draftPrefix, dropAllDrafts, dropIfSignedOut, noteSignedOut } from "./drop-drafts.ts";

/** As a browser's: what is kept are its own properties. */
function storageOf(kept: Record<string, string>): Storage {
  const methods = {
    getItem: (key: string) => storage[key] ?? null,
    setItem: (key: string, value: string) => void (storage[key] = value),
    removeItem: (key: string) => void Reflect.deleteProperty(storage, key),
  };
  const storage: Storage = Object.assign(Object.create(methods), kept);
  return storage;
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

test("at sign-out every draft is dropped, of whatever page, and nothing else", () => {
  const sessionStorage = storageOf({
    [`${draftPrefix}/t/a/task/new`]: "x",
    theme: "dark",
    [`${draftPrefix}/t/a/answer/e1`]: "y",
  });
  dropAllDrafts({ localStorage: storageOf({}), sessionStorage }, 100);
  expect(Object.keys(sessionStorage)).toEqual(["theme", expect.stringMatching(/signed-out/)]);
});

test("who signs out is signed out, also where the browser forbids to keep anything", () => {
  const forbidden = {
    get localStorage(): Storage {
      throw new Error("forbidden");
    },
    get sessionStorage(): Storage {
      throw new Error("forbidden");
    },
  };
  for (const left of [noteSignedOut, dropAllDrafts, dropIfSignedOut])
    expect(() => left(forbidden, 100)).not.toThrow();
});
