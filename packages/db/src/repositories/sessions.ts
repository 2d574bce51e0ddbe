import { and, eq, isNull, sql } from "drizzle-orm";
import { connectionOf, queriesOf, type Database, type TenantTransaction } from "../database.ts";
import { fromNow, insertRow } from "../insert-row.ts";
import { readMoment } from "../schema/columns.ts";
import { sessions } from "../schema/sessions.ts";

export type NewSession = Pick<typeof sessions.$inferInsert, "hash" | "actorId" | "role"> & {
  /** From the database's now, by which its end is judged: the clock of whoever asks may be wrong. */
  lastsMinutes: number;
};

export interface FoundSession {
  tenantId: string;
  sessionId: string;
  actorId: string;
  role: string;
  expiresAt: Date;
  /** By the database's clock. */
  status: "active" | "ended" | "expired";
}

/** Whose session has this SHA-256? Runs before the tenant is known, through a function that finds by exact hash only. */
export async function findSessionByHash(
  database: Database,
  hash: Uint8Array,
): Promise<FoundSession | undefined> {
  const [row] = await connectionOf(database).read(sql`select * from signalbox.find_session_by_hash(${hash})`);
  return (
    row && {
      tenantId: String(row["tenant_id"]),
      sessionId: String(row["session_id"]),
      actorId: String(row["actor_id"]),
      role: String(row["role"]),
      expiresAt: readMoment(row["expires_at"]),
      status: row["status"] === "active" || row["status"] === "ended" ? row["status"] : "expired",
    }
  );
}

export async function insertSession(
  tx: TenantTransaction,
  { lastsMinutes, ...session }: NewSession,
): Promise<{ sessionId: string; expiresAt: Date }> {
  const insert = insertRow(sessions, {
    tenantId: tx.tenantId,
    ...session,
    expiresAt: fromNow(lastsMinutes),
  });
  const [inserted] = await queriesOf(tx).execute(sql`${insert} returning session_id, expires_at`);
  return { sessionId: String(inserted?.["session_id"]), expiresAt: readMoment(inserted?.["expires_at"]) };
}

/** Says whether there was a session to end. */
export async function endSession(tx: TenantTransaction, sessionId: string): Promise<boolean> {
  const ended = await queriesOf(tx)
    .update(sessions)
    .set({ endedAt: sql`now()` })
    .where(
      and(eq(sessions.tenantId, tx.tenantId), eq(sessions.sessionId, sessionId), isNull(sessions.endedAt)),
    )
    .returning({ sessionId: sessions.sessionId });
  return ended.length === 1;
}
