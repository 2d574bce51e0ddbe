import { expect, test } from "vitest";
import { dropToken, ownPath, peekToken, takeTokenFromUrl, tokenOfPastedLink } from "./sign-in-link.ts";

function pageAt(url: string) {
  const { pathname, search, hash } = new URL(url);
  const replaced: string[] = [];
  const page = {
    location: { pathname, search, hash },
    history: {
      state: { key: "k" },
      replaceState: (_state: unknown, _title: string, to: string) => replaced.push(to),
    },
  };
  return { page: page as unknown as Window, replaced };
}

test("the token is taken and the fragment is gone from the URL, the rest of which stays", () => {
  const { page, replaced } = pageAt("http://127.0.0.1:7400/sign-in?next=%2Fpacks#sb_abc-1");
  expect(takeTokenFromUrl(page)).toBe(true);
  expect(peekToken()).toBe("sb_abc-1");
  expect(replaced).toEqual(["/sign-in?next=%2Fpacks"]);
  dropToken();
  expect(peekToken()).toBeUndefined();
});

test("an invitation's link brings its token too", () => {
  const { page, replaced } = pageAt("http://127.0.0.1:7400/invitation#sb_abc-2");
  expect(takeTokenFromUrl(page)).toBe(true);
  expect(peekToken()).toBe("sb_abc-2");
  expect(replaced).toEqual(["/invitation"]);
  dropToken();
});

test.each([
  "http://127.0.0.1:7400/sign-in",
  "http://127.0.0.1:7400/sign-in#",
  "http://127.0.0.1:7400/packs#row-3",
])("%s brings no token and is left as it is", (url) => {
  const { page, replaced } = pageAt(url);
  expect(takeTokenFromUrl(page)).toBe(false);
  expect(peekToken()).toBeUndefined();
  expect(replaced).toEqual([]);
});

test.each([
  ["http://127.0.0.1:7400/sign-in#abc", "abc"],
  ["  http://127.0.0.1:7400/sign-in#abc \n", "abc"],
  ["abc-DEF_1.2~3", "abc-DEF_1.2~3"],
  ["", undefined],
  ["http://127.0.0.1:7400/sign-in", undefined],
  ["http://127.0.0.1:7400/sign-in#", undefined],
  ["two words", undefined],
])("pasting %j gives the token %j", (pasted, token) => {
  expect(tokenOfPastedLink(pasted)).toBe(token);
});

test.each(["/", "/packs", "/packs?q=a#b", "/packs/a%2Fb/versions/1.0.0"])(
  "%s is a path of the SPA",
  (next) => {
    expect(ownPath(next)).toBe(next);
  },
);

test.each([
  "",
  "packs",
  "//evil.example",
  "/\\evil.example",
  "https://evil.example",
  "/\t/evil.example",
  7,
  undefined,
])("%j is not a path to go on to", (next) => {
  expect(ownPath(next)).toBeUndefined();
});
