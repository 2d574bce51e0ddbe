import fc from "fast-check";
import { sql, type SQL } from "drizzle-orm";
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
const short = fc.string({ unit: "binary" }).map((any) => any.replaceAll("\0", "").toWellFormed());
const text = fc.oneof(
  short,
  fc.tuple(short, fc.nat(3_000)).map(([part, times]) => part.repeat(times)),
);
const row = fc.record({
  name: fc.option(text),
  id: fc.option(fc.uuid()),
  count: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  change: fc.option(fc.maxSafeInteger()),
  at: fc.option(fc.double()),
  is: fc.option(fc.boolean()),
  bytes: fc.option(fc.uint8Array({ maxLength: 300 })),
  document: fc.object().map((value) => JSON.stringify(value)),
  beside: text.map((value) => `["\u001E", ${JSON.stringify(value)}]`),
});
const shape = {
  name: "text",
  id: "uuid",
  count: "int",
  change: "bigint",
  at: "float8",
  is: "boolean",
  bytes: "bytea",
} as const;

const inAny = async (statement: SQL) =>
  Array.from(await opened.database.inTenant("any", (tx) => queriesOf(tx).execute(statement)));

test("rows arrive as they were given, whatever stands in them, in their order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
      const found = await inAny(sql`select * from ${recordset(rows, shape, ["document", "beside"])}`);
      expect(found).toEqual(
        rows.map((one) => ({
          ...one,
          change: one.change === null ? null : String(one.change),
          // JSON has no other numbers, and no other zero.
          at: Number.isFinite(one.at) ? Number(one.at) + 0 : null,
          bytes: one.bytes === null ? null : Buffer.from(one.bytes),
        })),
      );
    }),
    { numRuns: 100 },
  );
});

test("what is absent is null", async () => {
  const rows: { name?: string; count: number | undefined }[] = [
    { name: "a", count: undefined },
    { count: 2 },
  ];
  expect(await inAny(sql`select * from ${recordset(rows, { name: "text", count: "int" })}`)).toEqual([
    { name: "a", count: null },
    { name: null, count: 2 },
  ]);
});

test("a document of many megabytes arrives whole", async () => {
  const document = JSON.stringify({ text: "中é😀a".repeat(1_000_000) });
  const rows = [{ document: "{}" }, { document }, { document: "[]" }];
  const found = await inAny(sql`select * from ${recordset(rows, {}, ["document"])}`);
  expect(found.map((one) => one["document"] === document)).toEqual([false, true, false]);
});

const named = (name: string) => inAny(sql`select * from ${recordset([{ name }], { name: "text" })}`);

test.each([[3], [3_000], [30_000]])("U+0000 among %i characters is refused", async (length) => {
  await expect(named(`a\0${"b".repeat(length)}`)).rejects.toMatchObject({ code: "22021" });
  expect(await named("as before")).toEqual([{ name: "as before" }]);
});

test("half of a surrogate pair becomes U+FFFD, as it does in every text that is sent", async () => {
  const half = "a\uD83D";
  const [sent] = await inAny(sql`select ${half}::text as name`);
  expect(await named(half)).toEqual([{ name: "a\uFFFD" }]);
  expect(sent).toEqual({ name: "a\uFFFD" });
});

test("a UUID is whatever Postgres takes for one", async () => {
  const id = "0199a7c0-1fa2-7000-8000-00000000000a";
  const change = fc.record({
    at: fc.nat(id.length),
    removed: fc.nat(2),
    put: fc.constantFrom("", "-", "{", "}", "a", "G", " ", "\n", "é"),
  });
  const made = fc
    .tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.array(change, { maxLength: 2 }))
    .map(([braced, bare, upper, changes]) => {
      const plain = bare ? id.replaceAll("-", "") : id;
      const whole = braced ? `{${plain}}` : plain;
      return changes.reduce(
        (all, { at, removed, put }) => all.slice(0, at) + put + all.slice(at + removed),
        upper ? whole.toUpperCase() : whole,
      );
    });
  await fc.assert(
    fc.asyncProperty(made, async (given) => {
      const [read, asked] = await Promise.allSettled([
        inAny(sql`select ${given}::uuid as id`),
        inAny(sql`select * from ${recordset([{ id: given }], { id: "uuid" })}`),
      ]);
      expect(asked).toEqual(
        read.status === "fulfilled"
          ? read
          : { status: "rejected", reason: new TypeError(`id is not a UUID: ${given}`) },
      );
    }),
    { numRuns: 200 },
  );
});

test.each([2 ** 31, -(2 ** 31) - 1, 1.5])("%d is no int", async (count) => {
  await expect(inAny(sql`select * from ${recordset([{ count }], { count: "int" })}`)).rejects.toThrow(
    `count is not an integer of 32 bits: ${count}`,
  );
});

test("half a change is no bigint", async () => {
  await expect(
    inAny(sql`select * from ${recordset([{ change: 0.5 }], { change: "bigint" })}`),
  ).rejects.toThrow("change is not an integer: 0.5");
});

test("no rows are no rows", async () => {
  const none = recordset<{ name: string }>([], { name: "text" });
  expect(await inAny(sql`select * from ${none}`)).toEqual([]);
});
