import { openDatabase, type Database } from "../database.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

/** A test database for rows by hand and the product's handle on it, with one end for both. */
export async function openTestDatabase(
  options: { maxConnections?: number } = {},
): Promise<{ made: TestDatabase; database: Database; end: () => Promise<void> }> {
  const made = await createTestDatabase("by hand");
  const database = openDatabase({
    url: made.appUrl,
    applicationName: "signalbox test",
    maxConnections: options.maxConnections ?? 4,
  });
  return {
    made,
    database,
    end: async () => {
      await database.close();
      await made.dispose();
    },
  };
}
