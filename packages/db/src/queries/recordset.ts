import { sql, type SQL } from "drizzle-orm";
import { arrayTypeOf, ColumnParameter, type ColumnType } from "./column-parameter.ts";

type Shape = Readonly<Record<string, ColumnType>>;
type NamesOfText<Row> = { [K in keyof Row]: Row[K] extends string ? K : never }[keyof Row] & string;
type TypesOf<Value> = [Value] extends [string | null | undefined]
  ? "text" | "uuid"
  : [Value] extends [number | null | undefined]
    ? "int" | "bigint" | "float8"
    : [Value] extends [boolean | null | undefined]
      ? "boolean"
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
  const columns = Object.entries(shape).map(([name, type]) => columnOf(name, type, valuesOf(rows, name)));
  const beside = documents.map((name) => columnOf(name, "text", printed(name, valuesOf(rows, name))));
  const names = [...Object.keys(shape), ...documents].map((name) => `"${name}"`).join(", ");
  return sql`unnest(${sql.join([...columns, ...beside], sql`, `)}) as given (${sql.raw(names)})`;
}

const valuesOf = (rows: readonly object[], name: string): unknown[] =>
  rows.map((row): unknown => Reflect.get(row, name));

const columnOf = (name: string, type: ColumnType, values: readonly unknown[]): SQL =>
  sql`${new ColumnParameter(name, type, values)}::${sql.raw(arrayTypeOf(type))}`;

/** Columns of text are not read by the database, so what is no object or list at all is stopped here. */
function printed(name: string, documents: readonly unknown[]): readonly unknown[] {
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
