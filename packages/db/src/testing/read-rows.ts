import { sql } from "drizzle-orm";
import { withConnection } from "../connection.ts";

/** Rows as a login that sees every tenant finds them: what a test compares the product's own view with. */
export const readRows = (url: string, text: string): Promise<Record<string, unknown>[]> =>
  withConnection(url, (connection) => connection.execute(sql.raw(text)));
