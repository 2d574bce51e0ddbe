import { expect, test } from "vitest";
import { openDatabase } from "../database.ts";
import { createTestDatabase } from "./test-database.ts";

test("a test that leaves a connection open fails, and is told whose", async () => {
  const made = await createTestDatabase();
  const leaking = openDatabase({ url: made.appUrl, applicationName: "the leak", maxConnections: 1 });
  await leaking.probe();
  await expect(made.dispose()).rejects.toThrow("left open, by: the leak");
  await leaking.close();
});

test("databases of two tests share nothing", async () => {
  const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  expect(first.name).not.toBe(second.name);
  await Promise.all([first.dispose(), second.dispose()]);
});
