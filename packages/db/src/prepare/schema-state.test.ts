import { describe, expect, test } from "vitest";
import { assertSchemaUsable, compareSchema, type AppliedMigration } from "./schema-state.ts";
import type { MigrationFile, MigrationMark } from "./migration-folder.ts";

const file = (tag: string): MigrationFile => ({
  tag,
  createdAt: Number(tag),
  hash: `hash of ${tag}`,
  mark: "breaking",
});
const row = (tag: string, mark: MigrationMark = "breaking", hash = `hash of ${tag}`): AppliedMigration => ({
  tag,
  mark,
  hash,
});

const outcome = (known: MigrationFile[], applied: AppliedMigration[]) => {
  const state = compareSchema(known, applied);
  try {
    assertSchemaUsable(state);
    return { ...state, refused: undefined };
  } catch (error) {
    return { ...state, refused: error };
  }
};

describe("an empty, an equal and an older database may be used", () => {
  test.each([
    ["empty", [], ["1", "2"]],
    ["older", [row("1")], ["2"]],
    ["equal", [row("1"), row("2")], []],
  ])("%s", (_, applied, pending) => {
    expect(outcome([file("1"), file("2")], applied)).toMatchObject({ pending, refused: undefined });
  });
});

test("a newer database whose unknown migrations are compatible may be used", () => {
  const state = outcome([file("1")], [row("1"), row("2", "compatible")]);
  expect(state).toMatchObject({ unknownCompatible: ["2"], unknownBreaking: [], refused: undefined });
});

test("a newer database with a breaking one is refused, and the message says what to do", () => {
  const state = outcome([file("1")], [row("1"), row("2", "compatible"), row("3")]);
  expect(state).toMatchObject({
    unknownBreaking: ["3"],
    refused: {
      fault: "SCHEMA_NEWER",
      message: expect.stringMatching(/\(3\).*Start the newer version, or restore the backup/),
    },
  });
});

test("a file that changed after it was applied is refused", () => {
  expect(outcome([file("1")], [row("1", "breaking", "another")])).toMatchObject({
    changed: ["1"],
    refused: { fault: "SCHEMA_DRIFTED" },
  });
});

test("a file that comes before one that was applied is refused: drizzle's migrator would skip it and say nothing", () => {
  expect(outcome([file("1"), file("2"), file("3")], [row("1"), row("3")])).toMatchObject({
    pending: ["2"],
    refused: { fault: "SCHEMA_DRIFTED", message: expect.stringContaining("Migrations 2 are missing") },
  });
});
