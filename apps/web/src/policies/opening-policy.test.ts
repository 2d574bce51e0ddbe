import { expect, test } from "vitest";
import { openingPolicy } from "./opening-policy.ts";
import { firstPolicy } from "./policy-outline.ts";

const draft = {
  version: "1.1.0",
  status: "draft" as const,
  edit: 3,
  text: firstPolicy.replace("1.0.0", "1.1.0"),
  note: "",
  createdAt: "2030-01-01T00:00:00.000Z",
  createdBy: "ada",
  publishedAt: null,
  publishedBy: null,
  retiredAt: null,
};

test("a draft is gone on with at the edit that was read", () => {
  expect(openingPolicy({ version: "1.1.0" }, draft, ["1.1.0"])).toEqual({
    name: "1.1.0",
    version: "1.1.0",
    initial: { text: draft.text, base: { text: draft.text, stored: { version: "1.1.0", edit: 3 } } },
  });
});

test("what was published, and what is to be begun from, goes on under a version that nobody has", () => {
  const taken = ["1.2.0", "1.1.0", "1.0.0"];
  const published = { ...draft, status: "active" as const };
  for (const [asked, named] of [
    [{}, published],
    [{ version: "1.1.0" }, published],
    [{ from: "1.1.0" }, draft],
  ] as const) {
    const { name, version, initial } = openingPolicy(asked, named, taken);
    expect([name, version, initial.base.stored]).toEqual(["from 1.1.0", undefined, null]);
    expect(initial.text).toContain('version: "1.3.0"');
    expect(initial.base.text).toBe(initial.text);
  }
});

test("where nothing was published, a first one is begun", () => {
  expect(openingPolicy({}, null, []).initial.text).toBe(firstPolicy);
});
