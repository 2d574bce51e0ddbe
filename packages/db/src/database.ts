import { AsyncLocalStorage } from "node:async_hooks";
import { sql } from "drizzle-orm";
import { connect, type Connection, type Queries } from "./connection.ts";
import { unwrapped } from "./connection-failure.ts";
import { DatabaseError } from "./database-error.ts";
import { assertTenantId } from "./tenant-id.ts";

const queries = Symbol("queries");
const connection = Symbol("connection");

/** Proof that the tenant is set on the connection. Only `inTenant` makes one, and only repositories look inside. */
export interface TenantTransaction {
  readonly tenantId: string;
  readonly [queries]: Queries;
}

export interface Database {
  /** Runs `work` in one transaction that sees this tenant's rows and no other's. */
  inTenant<T>(tenantId: string, work: (tx: TenantTransaction) => Promise<T>): Promise<T>;
  /** Resolves when the database answers. */
  probe(): Promise<void>;
  close(): Promise<void>;
  readonly [connection]: Connection;
}

export interface DatabaseOptions {
  url: string;
  applicationName: string;
  maxConnections: number;
  onNotice?: (message: string) => void;
}

export function openDatabase(options: DatabaseOptions): Database {
  const opened = connect(options);
  const current = new AsyncLocalStorage<{ over: boolean }>();
  return {
    async inTenant(tenantId, work) {
      assertTenantId(tenantId);
      if (current.getStore()?.over === false) {
        throw new DatabaseError(
          "TRANSACTION_NESTED",
          "inTenant was called inside inTenant: a second connection would be held while the first waits, and the two " +
            "would not commit together. Pass the transaction on, or use inSavepoint.",
        );
      }
      const transaction = { over: false };
      try {
        return await current.run(transaction, () =>
          opened.transaction({ "signalbox.tenant_id": tenantId }, (handle) =>
            work({ tenantId, [queries]: handle }),
          ),
        );
      } finally {
        transaction.over = true;
      }
    },
    probe: async () => {
      await opened.read(sql`select 1`);
    },
    close: () => opened.close(),
    [connection]: opened,
  };
}

/** A part of a transaction that may fail alone: when `work` throws, only its own changes are undone. */
export async function inSavepoint<T>(
  tx: TenantTransaction,
  work: (tx: TenantTransaction) => Promise<T>,
): Promise<T> {
  try {
    return await tx[queries].transaction((handle) => work({ tenantId: tx.tenantId, [queries]: handle }));
  } catch (error) {
    throw unwrapped(error);
  }
}

/** For repositories: the statements of this transaction. Not exported from the package. */
export function queriesOf(tx: TenantTransaction): Queries {
  return tx[queries];
}

/** For look-ups that must run before the tenant is known. Not exported from the package. */
export function connectionOf(database: Database): Connection {
  return database[connection];
}
