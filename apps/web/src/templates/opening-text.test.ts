import { expect, test } from "vitest";
import { openingText } from "./opening-text.ts";
import { emptyDocument } from "./starters.ts";

const none = { templateId: "ship", base: null, versions: [] };

test("where there is no document, a starter begins one", () => {
  const opened = openingText({ ...none, starter: "review", name: "Ship it" });
  expect(opened?.draft).toBeUndefined();
  expect(opened?.text).toMatch(/version: 1\.0\.0/);
  expect(opened?.text).toMatch(/template_id: "ship"\n +name: "Ship it"/);
  expect(openingText(none)).toBeUndefined();
});

test("what was published is begun anew under a version that nobody has; a draft is edited on", () => {
  const text = openingText({ ...none, starter: "single" })?.text ?? "";
  const active = { version: "1.0.0", status: "active", text };
  const next = openingText({ ...none, base: active, versions: ["1.0.0", "1.1.0"] });
  expect(next?.text).toBe(text.replace("version: 1.0.0", "version: 1.2.0"));
  const draft = { ...active, status: "draft" };
  expect(openingText({ ...none, base: draft, versions: ["1.0.0"] })).toEqual({ text, draft });
});

test("a template that a version does not have is not made without being asked for", () => {
  const base = { version: "1.0.0", status: "active", text: emptyDocument("1.0.0") };
  expect(openingText({ ...none, base })).toBeUndefined();
});
