import { sql, StringChunk, type SQL } from "drizzle-orm";
import { writerOf, type ColumnType } from "./column-writer.ts";

type Shape = Readonly<Record<string, ColumnType>>;
type NamesOfText<Row> = { [K in keyof Row]: Row[K] extends string ? K : never }[keyof Row] & string;
type TypesOf<Value> = [Value] extends [string | null | undefined]
  ? "text" | "uuid"
  : [Value] extends [number | null | undefined]
    ? "int" | "bigint" | "float8"
    : [Value] extends [boolean | null | undefined]
      ? "boolean"
      : [Value] extends [Uint8Array | null | undefined]
        ? "bytea"
        : never;

/**
 * A batch's rows as a source for FROM, called `given`: an array a column, so that a statement has the same text, and is
 * prepared once, whatever the number of rows. What is absent is null, as it would be in a row. The columns are written in
 * binary (docs/adr/0073-columns-travel-in-binary.md) when the statement is sent, from the values that they have now.
 */
export function recordset<Row extends object>(
  rows: readonly Row[],
  shape: Shape & { readonly [K in keyof Row]?: TypesOf<Row[K]> },
  documents: readonly NamesOfText<Row>[] = [],
): SQL {
  const columns = Object.entries(shape).map(([name, type]) => ({ name, type, values: valuesOf(rows, name) }));
  for (const name of documents)
    columns.push({ name, type: "text", values: printed(name, valuesOf(rows, name)) });
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const pieces = columns.flatMap(({ name, type, values }, place) => [
    place === 0 ? OPEN : COMMA,
    writerOf(name, type, values),
    CASTS[type],
  ]);
  return sql.fromList([...pieces, new StringChunk(`) as given (${names})`)]);
}

/** Drizzle puts each statement together anew, and pieces within pieces cost it most: these have none in them. */
const OPEN = new StringChunk("unnest(");
const COMMA = new StringChunk(", ");
const CASTS: Readonly<Record<ColumnType, StringChunk>> = {
  text: new StringChunk("::text[]"),
  // Never text that is cast beside a column: a cast may tell what it could not read, so that row security lets nothing be
  // found by it (it is not leakproof), and each row's key is looked for among all of the tenant's.
  uuid: new StringChunk("::uuid[]"),
  int: new StringChunk("::int4[]"),
  bigint: new StringChunk("::int8[]"),
  float8: new StringChunk("::float8[]"),
  boolean: new StringChunk("::bool[]"),
  bytea: new StringChunk("::bytea[]"),
};

const valuesOf = (rows: readonly object[], name: string): unknown[] =>
  rows.map((row): unknown => Reflect.get(row, name));

/** Columns of text are not read by the database, so what is no object or list at all is stopped here. */
function printed(name: string, documents: unknown[]): unknown[] {
  for (const text of documents) {
    if (typeof text !== "string" || !looksPrinted(text))
      throw new TypeError(
        `${name} is not JSON that was printed here: it begins ${String(text).slice(0, 20)}`,
      );
  }
  return documents;
}

const looksPrinted = (text: string): boolean =>
  (text.startsWith("{") && text.endsWith("}")) || (text.startsWith("[") && text.endsWith("]"));

/** Epoch milliseconds, as core counts them, from a column. */
export function epochMs(column: SQL): SQL {
  return sql`(extract(epoch from ${column}) * 1000)::float8`;
}

/** A moment from epoch milliseconds; null stays null. */
export function fromEpochMs(column: SQL): SQL {
  return sql`to_timestamp(${column} / 1000)`;
}
