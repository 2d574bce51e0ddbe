import { expect, test } from "vitest";
import { heardOf, newsOf } from "./draft-news.ts";

const own = { version: "1.1.0", edit: 2 };
const stored = {
  version: "1.1.0",
  status: "draft" as const,
  edit: 2,
  text: "t",
  note: "",
  createdAt: "2030-01-01T00:00:00.000Z",
  createdBy: "ada",
  publishedAt: null,
  publishedBy: null,
  retiredAt: null,
};
const edited = (edit: number, by: string) => ({ what: "edited", version: "1.1.0", edit, by });

test("a draft that stands as it was read is no news, nor is one that is on no server yet", () => {
  expect(newsOf(own, stored, [])).toEqual({ kind: "none" });
  expect(newsOf(null, stored, [])).toEqual({ kind: "none" });
  expect(newsOf(own, undefined, [])).toEqual({ kind: "none" });
  expect(newsOf(own, { ...stored, version: "1.0.0", edit: 9 }, [])).toEqual({ kind: "none" });
});

test("a later edit is told with whoever made that very edit", () => {
  const newest = { ...stored, edit: 4 };
  const heard = [edited(3, "bob"), edited(4, "eve"), { ...edited(4, "mia"), version: "1.2.0" }];
  expect(newsOf(own, newest, heard)).toEqual({ kind: "edited", newest, by: "eve" });
  expect(newsOf(own, newest, [])).toEqual({ kind: "edited", newest, by: undefined });
});

test("what was published, or retired since, is closed, with who and when", () => {
  const theirs = {
    ...stored,
    status: "active" as const,
    publishedAt: "2030-01-02T00:00:00.000Z",
    publishedBy: "bob",
  };
  const closed = { kind: "closed", version: "1.1.0", by: "bob", at: "2030-01-02T00:00:00.000Z" };
  expect(newsOf(own, theirs, [])).toEqual({ ...closed, how: "published", theirs });
  const retired = { ...theirs, status: "retired" as const };
  expect(newsOf(own, retired, [])).toEqual({ ...closed, how: "retired", theirs: retired });
});

test("a draft that is not there any more was discarded, by whom the stream said", () => {
  const heard = [{ what: "discarded", version: "1.1.0", edit: undefined, by: "bob" }];
  expect(newsOf(own, "gone", heard)).toMatchObject({ kind: "closed", how: "discarded", by: "bob" });
  expect(newsOf(own, "gone", [])).toMatchObject({ kind: "closed", how: "discarded", by: undefined });
});

test("an event is heard for its own kind of document only, and whatever it lacks is not made up", () => {
  const data = { kind: "routing-policy", version: "1.1.0", edit: 3, by: { type: "human", id: "bob" } };
  const event = { kind: "document.edited", data };
  expect(heardOf(event, "routing-policy")).toEqual(edited(3, "bob"));
  expect(heardOf(event, "pipeline-templates")).toBeUndefined();
  expect(heardOf({ kind: "pack.registered", data }, "routing-policy")).toBeUndefined();
  expect(heardOf({ ...event, data: { ...data, version: 7 } }, "routing-policy")).toBeUndefined();
  const older = { kind: "routing-policy", version: "1.1.0" };
  expect(heardOf({ ...event, data: older }, "routing-policy")).toEqual({
    what: "edited",
    version: "1.1.0",
    edit: undefined,
    by: undefined,
  });
});
