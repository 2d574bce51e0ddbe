import { AsyncLocalStorage } from "node:async_hooks";
import { type SQL, sql } from "drizzle-orm";
import { ANSWER_TIMEOUT_MS, TRANSACTION_TIMEOUT_MS } from "./connection-settings.ts";
import { connect, type Connection, type Queries, type TransactionOptions } from "./connection.ts";
import { unwrapped } from "./connection-failure.ts";
import { DatabaseError } from "./database-error.ts";
import { sealFor, type Seal } from "./seal.ts";
import { assertTenantId } from "./tenant-id.ts";
import { createTurns } from "./turns.ts";

const queries = Symbol("queries");
const connection = Symbol("connection");
const numbered = Symbol("numbered");
const commitAfter = Symbol("commitAfter");

/** Proof that these tenants are set on the connection. Only `inTenants` and `inTenant` make one, only repositories look inside. */
export interface BatchTransaction {
  readonly tenantIds: readonly string[];
  readonly [queries]: Queries;
  /** How many events it has numbered; one count, whoever writes some in it. */
  readonly [numbered]: { events: number };
  readonly [commitAfter]: (statements: number) => void;
}

/** The same for one tenant, which opens that tenant's other tables too; it will do wherever a batch's will. */
export interface TenantTransaction extends BatchTransaction {
  readonly tenantId: string;
}

export interface Database {
  /** Runs `work` in one transaction that sees this tenant's rows and no other's. */
  inTenant<T>(tenantId: string, work: (tx: TenantTransaction) => Promise<T>): Promise<T>;
  /**
   * The same for several tenants, on the tables that take batches (docs/adr/0014-batches-across-tenants.md). In `work`,
   * every row names its tenant.
   */
  inTenants<T>(
    tenantIds: readonly string[],
    work: (tx: BatchTransaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
  /** Resolves when the database answers. */
  probe(): Promise<void>;
  close(): Promise<void>;
  /** Keeps from a reader of the tables what has to lie in them for a while. */
  readonly seal: Seal;
  readonly [connection]: Connection;
}

export interface DatabaseOptions {
  url: string;
  applicationName: string;
  maxConnections: number;
  onNotice?: (message: string) => void;
  /** How long a transaction may do nothing before the server ends it; as long as it may last where nothing is said. */
  idleInTransactionTimeoutMs?: number;
  /** How long a transaction may last before the server ends it; 20 seconds where nothing is said. */
  transactionTimeoutMs?: number;
  /** How long the server may say nothing while it owes an answer; above statement_timeout, and 20 seconds where nothing is said. */
  answerTimeoutMs?: number;
}

/**
 * A batch's statements have the same plan for one row as for a hundred. An array of one looks cheaper than the ten of the general
 * plan, so PostgreSQL would plan such a statement anew each time, for longer than it takes to run it.
 */
const KEPT_PLANS = { plan_cache_mode: "force_generic_plan" };

export function openDatabase(options: DatabaseOptions): Database {
  const opened = connect({
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
    transactionTimeoutMs: TRANSACTION_TIMEOUT_MS,
    ...options,
  });
  const current = new AsyncLocalStorage<{ over: boolean }>();
  // What runs before a tenant is known, and batches, which take their own in turn, find a connection beside them.
  const { take } = createTurns(Math.max(1, options.maxConnections - 2));

  async function inTransaction<T>(
    tenantIds: readonly string[],
    work: (handle: Queries, send: (statements: number) => void) => Promise<T>,
    { plans = {}, ...how }: TransactionOptions & { plans?: Readonly<Record<string, string>> } = {},
  ): Promise<T> {
    tenantIds.forEach(assertTenantId);
    if (current.getStore()?.over === false) {
      throw new DatabaseError(
        "TRANSACTION_NESTED",
        "A transaction was asked for inside another: a second connection would be held while the first waits, and the two " +
          "would not commit together. Pass the transaction on, or use inSavepoint.",
      );
    }
    const transaction = { over: false };
    try {
      return await current.run(transaction, () =>
        opened.transaction({ "signalbox.tenant_id": tenantIds.join(","), ...plans }, work, how),
      );
    } finally {
      transaction.over = true;
    }
  }

  return {
    async inTenant(tenantId, work) {
      // Who asks inside a transaction is refused below, and would wait here for its own end.
      const leave = current.getStore()?.over === false ? () => undefined : await take(tenantId);
      try {
        return await inTransaction([tenantId], (handle, send) =>
          work({
            tenantId,
            tenantIds: [tenantId],
            [queries]: handle,
            [numbered]: { events: 0 },
            [commitAfter]: send,
          }),
        );
      } finally {
        leave();
      }
    },
    async inTenants(tenantIds, work, repeatable) {
      const sorted = [...new Set(tenantIds)].toSorted();
      if (sorted.length === 0) {
        throw new DatabaseError("TENANT_INVALID", "tenantIds is empty: a transaction is some tenant's.");
      }
      return inTransaction(
        sorted,
        (handle, send) =>
          work({
            tenantIds: sorted,
            [queries]: handle,
            [numbered]: { events: 0 },
            [commitAfter]: send,
          }),
        { ...repeatable, plans: KEPT_PLANS },
      );
    },
    probe: async () => {
      await opened.read(sql`select 1`);
    },
    close: () => opened.close(),
    seal: sealFor(options.url),
    [connection]: opened,
  };
}

/** A part of a transaction that may fail alone: when `work` throws, only its own changes are undone. */
export async function inSavepoint<Tx extends BatchTransaction, T>(
  tx: Tx,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  try {
    return await tx[queries].transaction((handle) => work({ ...tx, [queries]: handle }));
  } catch (error) {
    throw unwrapped(error);
  }
}

type Row = Record<string, unknown>;

/** A statement that somebody else sends. Undefined where there is nothing to write. */
export type Statement = SQL | undefined;

/**
 * Sends these as the transaction's last, and COMMIT right behind them, so that nobody waits for the one to send the other.
 * The server commits where all of it succeeded; where any of it failed it keeps nothing, and whoever waits here is told.
 */
export function commitWith<Rows extends readonly Row[]>(
  tx: BatchTransaction,
  statements: { readonly [K in keyof Rows]: Statement },
): Promise<{ -readonly [K in keyof Rows]: Rows[K][] }>;
export async function commitWith(tx: BatchTransaction, statements: readonly Statement[]): Promise<Row[][]> {
  const sent = statements.filter((one) => one !== undefined);
  if (sent.length > 0) tx[commitAfter](sent.length);
  const answers = await Promise.all(sent.map(async (one) => Array.from(await tx[queries].execute(one))));
  return statements.map((one) => (one === undefined ? [] : (answers.shift() ?? [])));
}

/** For repositories: the statements of this transaction. Not exported from the package. */
export function queriesOf(tx: BatchTransaction): Queries {
  return tx[queries];
}

/** The first of so many places for events in this transaction. Not exported from the package. */
export function numberEvents(tx: BatchTransaction, count: number): number {
  const first = tx[numbered].events;
  tx[numbered].events += count;
  return first;
}

/** For look-ups that must run before the tenant is known. Not exported from the package. */
export function connectionOf(database: Database): Connection {
  return database[connection];
}
