import fc from "fast-check";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { queriesOf } from "../database.ts";
import { openTestDatabase } from "../testing/index.ts";
import { recordset } from "./recordset.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.end());

// Postgres' text holds every character but U+0000, and no half of a surrogate pair has a UTF-8 form.
const text = fc.string({ unit: "binary" }).map((any) => any.replaceAll("\0", "").toWellFormed());
const row = fc.record({
  name: fc.option(text),
  count: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  at: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
  is: fc.option(fc.boolean()),
  document: fc.object().map((value) => JSON.stringify(value)),
});

test("rows arrive as they were given, whatever stands in them, in their order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
      const shape = { name: "text", count: "int", at: "float8", is: "boolean" } as const;
      const found = await opened.database.inTenant("any", (tx) =>
        queriesOf(tx).execute(sql`select * from ${recordset(rows, shape, ["document"])}`),
      );
      expect(Array.from(found)).toEqual(
        rows.map((one) => ({ ...one, at: one.at === null ? null : one.at + 0 })),
      );
    }),
    { numRuns: 100 },
  );
});

test("no rows are no rows", async () => {
  const found = await opened.database.inTenant("any", (tx) =>
    queriesOf(tx).execute(sql`select * from ${recordset<{ name: string }>([], { name: "text" })}`),
  );
  expect(Array.from(found)).toEqual([]);
});
