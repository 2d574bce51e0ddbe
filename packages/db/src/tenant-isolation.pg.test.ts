import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase, type Database } from "./database.ts";
import { createTestDatabase, type TestDatabase } from "./testing/index.ts";

let made: TestDatabase;
let database: Database;
beforeAll(async () => {
  made = await createTestDatabase();
  database = openDatabase({ url: made.appUrl, applicationName: "test", maxConnections: 4 });
});
afterAll(async () => {
  await database.close();
  await made.dispose();
});

describe("a", () => {
  test("probe", async () => {
    await expect(database.probe()).resolves.toBeUndefined();
  });
});
