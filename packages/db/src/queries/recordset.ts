import { sql, type SQL } from "drizzle-orm";

type ColumnType = "text" | "uuid" | "int" | "bigint" | "float8" | "boolean";
type Shape = Readonly<Record<string, ColumnType>>;
type NamesOfText<Row> = { [K in keyof Row]: Row[K] extends string ? K : never }[keyof Row] & string;

/** The one control character that JSON cannot hold and that separates records by its name. */
const SEPARATOR = "\u001E";

/**
 * A batch's rows as a source for FROM, called `given`: an array a column, so that a statement has the same text, and is
 * prepared once, whatever the number of rows. Documents travel beside them, each as it is: inside an array they would be
 * escaped here and unescaped there. As one json recordset the same rows cost Postgres half as much again.
 */
export function recordset<Row extends object>(
  rows: readonly Row[],
  shape: Shape & { readonly [K in keyof Row]?: ColumnType },
  documents: readonly NamesOfText<Row>[] = [],
): SQL {
  const columns = Object.entries(shape).map(
    ([name, type]) => sql`${arrayOf(rows, name)}::${sql.raw(arrayTypes[type])}`,
  );
  const names = sql.raw([...Object.keys(shape), ...documents].map((name) => `"${name}"`).join(", "));
  const arrays = sql`unnest(${sql.join(columns, sql`, `)})`;
  if (documents.length === 0) return sql`${arrays} as given (${names})`;
  const beside = documents.map(
    (name) => sql`string_to_table(${joinDocuments(rows, name)}, ${sql.raw(`'${SEPARATOR}'`)})`,
  );
  return sql`rows from (${arrays}, ${sql.join(beside, sql`, `)}) as given (${names})`;
}

const arrayTypes: Readonly<Record<ColumnType, string>> = {
  text: "text[]",
  // Never text that is cast beside a column: a cast may tell what it could not read, so that row security lets nothing be
  // found by it (it is not leakproof), and each row's key is looked for among all of the tenant's.
  uuid: "uuid[]",
  int: "int4[]",
  bigint: "int8[]",
  float8: "float8[]",
  boolean: "bool[]",
};

/** An array's literal. What is absent is null, as it would be in a row. */
function arrayOf(rows: readonly object[], name: string): string {
  const values = rows.map((row) => {
    const value: unknown = Reflect.get(row, name);
    if (value === null || value === undefined) return "null";
    return typeof value === "string" ? quoted(value) : JSON.stringify(value);
  });
  return `{${values.join(",")}}`;
}

const quoted = (text: string): string => `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, "\\$&") : text}"`;

function joinDocuments<Row extends object>(rows: readonly Row[], name: keyof Row & string): string {
  return rows
    .map((row) => {
      const text = String(row[name]);
      if (!looksPrinted(text) || text.includes(SEPARATOR)) {
        // An empty or divided one would move every later document to another row.
        throw new TypeError(`${name} is not JSON that was printed here: it begins ${text.slice(0, 20)}`);
      }
      return text;
    })
    .join(SEPARATOR);
}

/** Columns of text are not read by the database, so what is no object or list at all is stopped here. */
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
