import { and, desc, eq, gt, isNull, ne, or, sql } from "drizzle-orm";
import { connectionOf, queriesOf, type Database, type TenantTransaction } from "../database.ts";
import { fromNow, insertRow } from "../insert-row.ts";
import { readMoment } from "../schema/columns.ts";
import { sessions } from "../schema/sessions.ts";

export type NewSession = Pick<
  typeof sessions.$inferInsert,
  "hash" | "actorId" | "role" | "method" | "userAgent"
> & {
  /** From the database's now, by which its end is judged: the clock of whoever asks may be wrong. */
  lastsMinutes: number;
  /** Nobody using it for so long ends it; without this only its time does. */
  idleMinutes?: number;
};
export type Session = Pick<
  typeof sessions.$inferSelect,
  "sessionId" | "method" | "userAgent" | "createdAt" | "lastSeenAt" | "expiresAt"
>;

export interface FoundSession {
  tenantId: string;
  sessionId: string;
  actorId: string;
  /** The member's of this moment. */
  role: string;
  memberName: string;
  method: string | undefined;
  /** For how long it has been open. */
  openSeconds: number;
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
      memberName: typeof row["member_name"] === "string" ? row["member_name"] : "",
      method: typeof row["method"] === "string" ? row["method"] : undefined,
      openSeconds: Number(row["open_seconds"]),
      expiresAt: readMoment(row["expires_at"]),
      status: row["status"] === "active" || row["status"] === "ended" ? row["status"] : "expired",
    }
  );
}

export async function insertSession(
  tx: TenantTransaction,
  { lastsMinutes, idleMinutes, ...session }: NewSession,
): Promise<{ sessionId: string; expiresAt: Date }> {
  const insert = insertRow(sessions, {
    tenantId: tx.tenantId,
    ...session,
    expiresAt: fromNow(lastsMinutes),
    ...(idleMinutes !== undefined && { idleExpiresAt: fromNow(idleMinutes) }),
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

/** Ends the session that this hash opens, where it is this tenant's; gives whose it was. */
export async function endSessionByHash(
  tx: TenantTransaction,
  hash: Uint8Array,
): Promise<{ actorId: string } | undefined> {
  const [ended] = await queriesOf(tx)
    .update(sessions)
    .set({ endedAt: sql`now()` })
    .where(and(eq(sessions.tenantId, tx.tenantId), eq(sessions.hash, hash), isNull(sessions.endedAt)))
    .returning({ actorId: sessions.actorId });
  return ended;
}

/** To the minute: a busy page must not cost a write a request. The first use is always marked: it tells from one that never was. */
export async function markSessionSeen(
  tx: TenantTransaction,
  sessionId: string,
  /** Without them it does not end by being left alone. */
  idleMinutes?: number,
): Promise<void> {
  await queriesOf(tx)
    .update(sessions)
    .set({
      lastSeenAt: sql`now()`,
      ...(idleMinutes !== undefined && { idleExpiresAt: fromNow(idleMinutes) }),
    })
    .where(
      and(
        eq(sessions.tenantId, tx.tenantId),
        eq(sessions.sessionId, sessionId),
        sql`(${sessions.lastSeenAt} < now() - interval '1 minute' or ${sessions.lastSeenAt} = ${sessions.createdAt})`,
      ),
    );
}

/** What somebody has open, the newest first. */
export function listSessions(
  tx: TenantTransaction,
  actorId: string,
  { limit }: { limit: number },
): Promise<Session[]> {
  return queriesOf(tx)
    .select({
      sessionId: sessions.sessionId,
      method: sessions.method,
      userAgent: sessions.userAgent,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      expiresAt: sessions.expiresAt,
    })
    .from(sessions)
    .where(openOf(tx, actorId))
    .orderBy(desc(sessions.createdAt), desc(sessions.sessionId))
    .limit(limit);
}

/** How many of a kind somebody has open. */
export function countOpenSessions(tx: TenantTransaction, actorId: string, method: string): Promise<number> {
  return queriesOf(tx).$count(sessions, and(openOf(tx, actorId), eq(sessions.method, method)));
}

/** Ends all that somebody has open, but for one where it is named; says how many there were. */
export async function endSessionsOf(
  tx: TenantTransaction,
  actorId: string,
  { but }: { but?: string | undefined } = {},
): Promise<number> {
  const ended = await queriesOf(tx)
    .update(sessions)
    .set({ endedAt: sql`now()` })
    .where(and(openOf(tx, actorId), but === undefined ? undefined : ne(sessions.sessionId, but)))
    .returning({ sessionId: sessions.sessionId });
  return ended.length;
}

/** Whose session it is, and how it came to be, whether it is over or not. */
export async function findSessionOwner(
  tx: TenantTransaction,
  sessionId: string,
): Promise<{ actorId: string; method: string | null } | undefined> {
  const [found] = await queriesOf(tx)
    .select({ actorId: sessions.actorId, method: sessions.method })
    .from(sessions)
    .where(and(eq(sessions.tenantId, tx.tenantId), eq(sessions.sessionId, sessionId)));
  return found;
}

const openOf = (tx: TenantTransaction, actorId: string) =>
  and(
    eq(sessions.tenantId, tx.tenantId),
    eq(sessions.actorId, actorId),
    isNull(sessions.endedAt),
    gt(sessions.expiresAt, sql`now()`),
    or(isNull(sessions.idleExpiresAt), gt(sessions.idleExpiresAt, sql`now()`)),
  );
