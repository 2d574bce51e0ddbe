import { expect, test } from "vitest";
import { openDatabase } from "../database.ts";
import { insertPipelines } from "../queries/write-pipelines.ts";
import { samplePipeline } from "./sample-rows.ts";
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

test("FOLD-1: a test that leaves a state without its record fails, unless it wrote its rows by hand", async () => {
  for (const rows of ["the product's", "by hand"] as const) {
    const made = await createTestDatabase(rows);
    const database = openDatabase({ url: made.appUrl, applicationName: "by hand", maxConnections: 1 });
    await database.inTenants(["east"], (tx) => insertPipelines(tx, [samplePipeline("east", "p-1")]));
    await database.close();
    const disposed = made.dispose().then(
      () => "dropped",
      (error: unknown) => String(error),
    );
    await expect(disposed).resolves.toMatch(rows === "by hand" ? /^dropped$/ : /east\/p-1: it has no task/);
  }
});
