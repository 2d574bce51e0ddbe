import { expect, test } from "vitest";
import { destinationsFor } from "./destinations.ts";

const namesFor = (typed: string, packIds: string[] = []) =>
  destinationsFor(typed, packIds).map(({ kind, name }) => `${kind}: ${name}`);

const kindsOf = (typed: string) => destinationsFor(typed, []).map(({ kind }) => kind);

test("without a word every page is there", () => {
  const names = namesFor(" ");
  expect(names).toContain("Page: Overview");
  expect(names).toContain("Page: Audit");
  expect(names).toContain("Settings: Redaction");
});

test("what begins with the word comes first, and the record last", () => {
  expect(namesFor("re")[0]).toBe("Settings: Redaction");
  expect(namesFor("settings k")[0]).toBe("Settings: Keys");
  expect(namesFor("painter", ["painter", "painter-2"])).toEqual([
    "Pack: painter",
    "Pack: painter-2",
    "Audit: “painter” on record",
  ]);
});

test("an id leads to what it may name", () => {
  const id = "0190b3a8-8f0f-7bbb-8888-0123456789ab";
  expect(kindsOf(id)).toEqual(["Pipeline", "Audit entry", "Trace", "Audit"]);
  expect(kindsOf(` ${id.toUpperCase()} `)).toEqual(["Pipeline", "Audit entry", "Trace", "Audit"]);
  expect(kindsOf(`${id}-e1`)).toEqual(["Escalation", "Pipeline", "Audit"]);
  expect(kindsOf(`${id}-d0.12`)).toEqual(["Pipeline", "Audit"]);
  expect(kindsOf(`${id}-x`)).toEqual(["Audit"]);
});

test("no two have one id: a list of options has one of each", () => {
  const ids = destinationsFor("a", ["a", "b"]).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
