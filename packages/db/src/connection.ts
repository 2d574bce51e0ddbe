import { setImmediate } from "node:timers/promises";
import { QueryPromise, type SQL, sql, type SQLWrapper } from "drizzle-orm";
import { type PgDatabase, PgDialect } from "drizzle-orm/pg-core";
import { drizzle, type PostgresJsDatabase, type PostgresJsQueryResultHKT } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { type ConnectionSettings, sessionOf, untilNextAttempt } from "./connection-settings.ts";
import { DatabaseError } from "./database-error.ts";
import { errorCode, explainFailure } from "./connection-failure.ts";
import { parseDatabaseUrl } from "./database-url.ts";

/** A handle on which statements run. */
export type Queries = PgDatabase<PostgresJsQueryResultHKT>;

/** What the driver sends next. A parameter that is a function writes itself into it; both are the patch's of `postgres`. */
export type Outgoing = postgres.Outgoing;

type Row = Record<string, unknown>;

export interface Connection {
  /** One statement in its own transaction. */
  execute: (statement: SQL) => Promise<Row[]>;
  /** The same for one that reads, or that finds its work done: sent again where its connection turns out to be lost. */
  read: (statement: SQL) => Promise<Row[]>;
  /** Settings hold for this transaction only and travel with its first statement. */
  transaction: <T>(
    settings: Readonly<Record<string, string>>,
    work: (queries: PostgresJsDatabase, commitAfter: (statements: number) => void) => Promise<T>,
    options?: TransactionOptions,
  ) => Promise<T>;
  close: () => Promise<void>;
}

export interface TransactionOptions {
  /**
   * The work leaves nothing behind but what it writes. Then it begins at once and BEGIN travels with its first statements,
   * a round trip less; where the connection turns out to be lost before the server has answered, all of it is done again.
   */
  repeatable?: boolean;
}

/**
 * `json` stays the text that was stored: parsing and printing again would change the bytes that the audit log hashes.
 * `bigint` and `xid8` arrive as text (a JavaScript number cannot hold them); `timestamptz` as text in UTC,
 * which schema/columns.ts turns into what each column means.
 */
const EXACT_JSON = { to: 114, from: [114], serialize: (text: string) => text, parse: (text: string) => text };

/** The one place that opens a connection; single-connection.test.ts holds every other file to that. */
export function connect(settings: ConnectionSettings): Connection {
  parseDatabaseUrl(settings.url);
  const pool = postgres(settings.url, {
    max: settings.maxConnections,
    connect_timeout: 10,
    backoff: untilNextAttempt,
    idle_timeout: 60,
    answer_timeout: settings.answerTimeoutMs === undefined ? null : settings.answerTimeoutMs / 1000,
    // The round trip that reads pg_type buys only array parameters; a recordset's columns say themselves what they are.
    fetch_types: false,
    types: { exactJson: EXACT_JSON },
    onnotice: (notice) => settings.onNotice?.(notice["message"] ?? ""),
    connection: sessionOf(settings),
  });
  const statements = queriesOn(gated(pool, pool, { open: true, left: undefined }));

  async function explained<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw explainFailure(error, settings.url);
    }
  }

  const execute = async (statement: SQL): Promise<Row[]> => Array.from(await statements.execute(statement));
  // Each pooled connection may fail twice for being lost: when its socket says so, and again until that has closed.
  const attempts = 2 * settings.maxConnections + 1;

  return {
    execute: (statement) => explained(() => execute(statement)),
    read: (statement) =>
      explained(() =>
        onNextConnection(
          attempts,
          () => true,
          () => execute(statement),
        ),
      ),
    transaction: (parameters, work, { repeatable = false } = {}) =>
      explained(() => {
        let begun = false;
        const noteBegun = () => {
          begun = true;
        };
        return onNextConnection(
          attempts,
          () => !begun,
          async () => {
            const gate: Gate = { open: true, left: undefined };
            try {
              const outcome = await pool.begin({ pipelined: repeatable }, async (transaction) => {
                if (!repeatable) noteBegun();
                const set = Object.entries(parameters);
                // Not awaited: it travels with the first statement, and its failure fails the transaction.
                if (set.length > 0)
                  void transaction
                    .unsafe(settingOf(set.length), set.flat(), { prepare: true })
                    .then(noteBegun, () => undefined);
                const commitAfter = (count: number) => {
                  gate.left = { count, finish: () => transaction.finish() };
                };
                const value = await onLiveConnection(gate, () =>
                  work(queriesOn(gated(transaction, pool, gate)), commitAfter),
                );
                return { value };
              });
              return outcome.value;
            } finally {
              gate.open = false;
            }
          },
        );
      }),
    close: () => pool.end({ timeout: 5 }),
  };
}

/** A single connection for the time of `work`: set-up, checks and tests; the product works through `openDatabase`. */
export async function withConnection<T>(
  url: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = connect({ url, applicationName: "signalbox setup", maxConnections: 1 });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** The same text for the same number of settings. */
const settingOf = (count: number): string =>
  `select ${Array.from({ length: count }, (_, place) => `set_config($${2 * place + 1}, $${2 * place + 2}, true)`).join(", ")}`;

const LOST = new Set(["57P01", "57P02", "CONNECTION_CLOSED", "CONNECTION_DESTROYED", "ECONNRESET", "EPIPE"]);

/** A pool learns that the server went away only when it uses a connection. While nothing was done, another will do. */
async function onNextConnection<T>(
  attempts: number,
  mayRepeat: () => boolean,
  run: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === attempts || !mayRepeat() || !LOST.has(errorCode(error) ?? "")) {
        throw error;
      }
    }
  }
}

/** Open until the driver says how the transaction went. Once it is known, how many statements are left until COMMIT. */
type Gate = { open: boolean; left: { count: number; readonly finish: () => void } | undefined };

/**
 * The driver rejects a transaction at once when its connection is lost, and the gate closes. When the work then ends, it
 * would still send COMMIT or ROLLBACK, and that to whoever works on the connection once it is open again: so the work's
 * end is kept from it.
 */
async function onLiveConnection<T>(gate: Gate, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // A statement fails a moment before its connection's close is known.
    await setImmediate();
    throw error;
  } finally {
    if (!gate.open) {
      await new Promise<never>(() => {});
    }
  }
}

const dialect = new PgDialect();

/** Sent when it is waited for, as drizzle's are: one that is kept past its transaction's end is refused then. */
class Written extends QueryPromise<Row[]> {
  readonly #send: () => Promise<Row[]>;

  constructor(send: () => Promise<Row[]>) {
    super();
    this.#send = send;
  }

  override async execute(): Promise<Row[]> {
    return await this.#send();
  }
}

/** Drizzle's handle. What is executed as it is written goes from it to the driver (docs/adr/0081-written-statements-go-to-the-driver.md). */
function queriesOn(client: postgres.Sql): PostgresJsDatabase {
  const queries = drizzle({ client });
  const execute = (statement: SQLWrapper | string) => {
    const written = typeof statement === "string" ? sql.raw(statement) : statement.getSQL();
    const { sql: text, params } = dialect.sqlToQuery(written);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what drizzle makes of parameters is the driver's to write
    return new Written(() => client.unsafe(text, params as never[]));
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a promise of the rows, as drizzle's is
  queries.execute = execute as unknown as typeof queries.execute;
  return queries;
}

const texts = new Map<string, string>();

/**
 * The same text as before, as one piece. Each connection keeps what it has prepared, and drizzle builds a text anew each
 * time, from some fifty pieces that would all be kept: of a statement, ten times what it says.
 */
function oneOf(text: string): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  const whole = Buffer.from(text).toString();
  texts.set(whole, whole);
  return whole;
}

/**
 * Drizzle's client: statements are prepared (drizzle asks for that only of named ones), and none passes once its
 * transaction is over, when the connection may already serve another tenant.
 */
function gated(scope: postgres.Sql | postgres.TransactionSql, pool: postgres.Sql, gate: Gate): postgres.Sql {
  const client = {
    options: pool.options,
    unsafe(text: string, parameters?: never[]) {
      if (!gate.open || gate.left?.count === 0) {
        throw new DatabaseError("TRANSACTION_OVER", "A statement was sent after its transaction had ended.");
      }
      const statement = scope.unsafe(oneOf(text), parameters, { prepare: true });
      if (gate.left !== undefined) {
        // Handed over now, and not when somebody waits for it: COMMIT must stand behind it.
        void statement.execute();
        gate.left.count -= 1;
        if (gate.left.count === 0) gate.left.finish();
      }
      return statement;
    },
    savepoint: (work: (inner: postgres.Sql) => Promise<unknown>) =>
      "savepoint" in scope &&
      scope.savepoint((inner) => onLiveConnection(gate, () => work(gated(inner, pool, gate)))),
    begin: (work: (inner: postgres.Sql) => Promise<unknown>) => client.savepoint(work),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- drizzle and queriesOn use these four members of a client and no other
  return client as unknown as postgres.Sql;
}
