import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "./testing/index.ts";

const script = fileURLToPath(new URL("testing/aging-process.ts", import.meta.url));
/** Where V8 finds that what is made somewhere mostly lives long, it makes it old at once: here that is chance. */
const flags = ["--no-allocation-site-pretenuring"];

/**
 * V8 puts a function that is written where a property is set, and what belongs to a getter of an object's own, among its old
 * objects at once. One of these in the driver kept all that a transaction knew, and the next one's, until the old were collected: a
 * seventh of what a process could take of events.
 */
test.each([
  { name: "many tenants'", way: "repeatable" },
  { name: "one that is begun before its first statement", way: "begun" },
])("what a transaction held goes with the young: $name", { timeout: 60_000 }, async ({ way }) => {
  const made = await createTestDatabase();
  onTestFinished(() => made.dispose());
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, made.appUrl, way]);
  expect(Number.parseFloat(stdout)).toBeLessThan(600);
});
