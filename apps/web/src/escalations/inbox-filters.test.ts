import { expect, test } from "vitest";
import { readFilter } from "./inbox-filters.ts";
import { isNarrowed, listInputOf } from "./inbox-search.ts";

test("a URL's filters are read, and what nobody knows is passed over", () => {
  expect(readFilter({})).toEqual({});
  expect(
    readFilter({ status: "closed", assignee: " ada ", cause: "gate", pack: "painter", due: "late", x: "y" }),
  ).toEqual({ status: "closed", assignee: "ada", cause: "gate", pack: "painter", due: "late" });
  expect(
    readFilter({ status: "open", assignee: " ", cause: "toString", pack: 7, due: "constructor" }),
  ).toEqual({});
});

test("what waits longest stands first; what is over, the latest first", () => {
  expect(listInputOf({}, "ada")).toEqual({ open: true, order: "oldest" });
  expect(listInputOf({ status: "closed", due: "late" }, "ada")).toEqual({ open: false, order: "newest" });
  expect(listInputOf({ status: "all", due: "late" }, "ada")).toEqual({ order: "newest", timeliness: "late" });
});

test("me is whoever is signed in; nobody and others are named", () => {
  expect(listInputOf({ assignee: "me" }, "ada")).toMatchObject({ assignee: "ada" });
  expect(listInputOf({ assignee: "nobody" }, "ada")).toMatchObject({ assignee: "nobody" });
  expect(listInputOf({ assignee: "bob", pack: "p", cause: "gate" }, "ada")).toEqual({
    open: true,
    order: "oldest",
    assignee: "bob",
    packId: "p",
    cause: "gate",
  });
});

test("a status alone narrows nothing", () => {
  expect(isNarrowed({ status: "closed" })).toBe(false);
  expect(isNarrowed({ due: "soon" })).toBe(true);
});
