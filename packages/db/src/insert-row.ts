import { getTableColumns, is, SQL, sql, type InferInsertModel } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

/** A row to insert; a value may be left to the database to compute. */
type Row<T extends PgTable> = { [K in keyof InferInsertModel<T>]: InferInsertModel<T>[K] | SQL };

export function fromNow(minutes: number): SQL {
  return sql`now() + make_interval(mins => ${minutes}::int)`;
}

/**
 * `insert into … values …` that names only the given columns. Drizzle's own names every column and writes DEFAULT for the
 * rest, which Postgres counts as writing them: the app may not name a time, a number or a salt at all.
 */
export function insertRow<T extends PgTable>(table: T, row: Row<T>): SQL {
  const columns = getTableColumns<PgTable>(table);
  const given = Object.entries(row).flatMap(([property, value]) => {
    const column = columns[property];
    return column === undefined || value === undefined ? [] : [{ column, value }];
  });
  const names = given.map(({ column }) => sql.identifier(column.name));
  const values = given.map(({ column, value }) => (is(value, SQL) ? value : sql.param(value, column)));
  return sql`insert into ${table} (${sql.join(names, sql`, `)}) values (${sql.join(values, sql`, `)})`;
}
