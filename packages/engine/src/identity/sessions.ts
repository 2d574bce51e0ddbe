import { SignalboxError } from "@signalbox/contracts";
import {
  type Caller,
  compileRedactor,
  isRole,
  memberEvent,
  redactText,
  sessionClosed,
  sessionMinutes,
  sessionReplaced,
  signedIn,
  signedOut,
  type SignInMethod,
  tokenMethod,
  tokenWithdrawn,
} from "@signalbox/core";
import {
  endSession as endSessionRow,
  endSessionByHash,
  findSessionByHash,
  findSessionOwner,
  type FoundSession,
  insertSession,
  listSessions,
  markSessionSeen,
  type Session,
  type TenantTransaction,
} from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { record } from "../record.ts";
import { hashOfSecret, newSecret } from "../secret.ts";
import { tell } from "../stream/tell.ts";
import type { Asked, System } from "../system.ts";
import { reach, transact } from "../transaction.ts";
import { onceAMinute } from "./once-a-minute.ts";
import { isUuid } from "./said-names.ts";

/** Where somebody comes from: what a sign-in is counted by, and what tells a session from another. */
export type Came = {
  requestId: string;
  address: string;
  userAgent: string | undefined;
  /** The cookie that the browser has already: it is worth nothing once somebody signs in anew. */
  replaces: string | undefined;
  /** Told of what failed behind a sign-in that stands. */
  onFailure: (error: unknown, what: string) => void;
};
export type OpenedSession = { token: string; caller: Caller; expiresAt: Date };
export type OwnSession = Session & { current: boolean };

const longestUserAgent = 200;
const mostListed = 100;

export const callerOfSession = ({
  tenantId,
  actorId,
  role,
  sessionId,
  method,
}: FoundSession): Caller | undefined =>
  isRole(role)
    ? {
        tenantId,
        actor: { type: "human", id: actorId },
        role,
        credential: method === tokenMethod ? "token" : "session",
        sessionId,
      }
    : undefined;

/** Finds the session that a cookie opens, over or not. */
export const findSession = (system: System, token: string): Promise<FoundSession | undefined> =>
  reach(system, () => findSessionByHash(system.database, hashOfSecret(token)));

/**
 * Whose session is it? Nobody's, once it was closed, its time is over, or its member was removed; and the role is the
 * member's of this moment. For a connection that stays open: asking is one look-up and leaves no trace, so a page that
 * nobody touches goes on to become idle.
 */
export async function standingOfSession(system: System, token: string): Promise<Caller | undefined> {
  const found = await findSession(system, token);
  // TOKEN-2: what a program was given opens no page.
  return found?.status === "active" && found.method !== tokenMethod ? callerOfSession(found) : undefined;
}

/** The same for a request: it shows that somebody is there. */
export async function authenticateSession(system: System, token: string): Promise<Caller | undefined> {
  const caller = await standingOfSession(system, token);
  const { tenantId, sessionId } = caller ?? {};
  if (tenantId !== undefined && sessionId !== undefined && onceAMinute(system, sessionId))
    await transact(system, tenantId, (tx) => markSessionSeen(tx, sessionId, sessionMinutes.idle));
  return caller;
}

type Person = { memberId: string; role: string };

/** Opens a session in the transaction that says why, and ends the one that the browser had: a cookie never grows in rights. */
export async function openSession(
  system: System,
  tx: TenantTransaction,
  { memberId, role }: Person,
  { method, requestId, userAgent, replaces }: { method: SignInMethod } & Omit<Came, "address" | "onFailure">,
): Promise<OpenedSession> {
  if (!isRole(role)) throw new Error(`member ${memberId} has the role ${role}`);
  const token = newSecret(system);
  const { tenantId } = tx;
  const actor = { type: "human", id: memberId } as const;
  const context = { tenantId, actor, requestId };
  if (replaces !== undefined) {
    const earlier = await endSessionByHash(tx, hashOfSecret(replaces));
    if (earlier !== undefined)
      await record(tx, sessionReplaced({ ...context, actor: { type: "human", id: earlier.actorId } }));
  }
  const { sessionId, expiresAt } = await insertSession(tx, {
    hash: hashOfSecret(token),
    actorId: memberId,
    role,
    method,
    ...(userAgent !== undefined && { userAgent: readableAgent(userAgent) }),
    lastsMinutes: sessionMinutes.most,
    idleMinutes: sessionMinutes.idle,
  });
  await record(tx, signedIn(context, role, method));
  await tell(tx, memberEvent("signed-in", { memberId }));
  return { token, caller: { tenantId, actor, role, credential: "session", sessionId }, expiresAt };
}

/**
 * A browser has one cookie, whosever it is. The session that it had in another tenant ends there too, which that tenant's own
 * transaction alone can do: nobody could use it any more, or sign out of it.
 */
export async function endReplacedElsewhere(
  system: System,
  { caller }: Pick<OpenedSession, "caller">,
  { replaces, requestId }: Pick<Came, "replaces" | "requestId">,
): Promise<void> {
  const earlier = replaces === undefined ? undefined : await findSession(system, replaces);
  if (earlier === undefined || earlier.status !== "active" || earlier.tenantId === caller.tenantId) return;
  const { tenantId, sessionId, actorId } = earlier;
  await transact(system, tenantId, async (tx) => {
    if (!(await endSessionRow(tx, sessionId))) return;
    await record(tx, sessionReplaced({ tenantId, actor: { type: "human", id: actorId }, requestId }));
  });
}

const redactor = compileRedactor();

/** D21: some programs put a credential into it, and it is shown to whoever looks at their sessions. */
const readableAgent = (userAgent: string): string =>
  redactText(redactor, userAgent.replaceAll(/[^\x20-\x7E]/g, "?")).text.slice(0, longestUserAgent);

/** Signs out. Closing a session twice is no fault: it is closed. */
export async function closeSession(system: System, asked: Asked, token: string): Promise<void> {
  const { caller, requestId } = asked;
  authorise(caller, "session.close", undefined);
  const found = await findSession(system, token);
  if (found === undefined || found.tenantId !== caller.tenantId) return;
  await transact(system, caller.tenantId, async (tx) => {
    if (!(await endSessionRow(tx, found.sessionId))) return;
    await record(tx, signedOut({ tenantId: caller.tenantId, actor: caller.actor, requestId }));
  });
}

/** What the person has open, here and elsewhere; the newest first. */
export async function listOwnSessions(system: System, { caller }: Asked): Promise<OwnSession[]> {
  authorise(caller, "session.close", undefined);
  const found = await transact(system, caller.tenantId, (tx) =>
    listSessions(tx, caller.actor.id, { limit: mostListed }),
  );
  return found.map((session) => Object.assign(session, { current: session.sessionId === caller.sessionId }));
}

/** Closes one that was left open elsewhere. Another person's and one that never was are one answer. */
export async function endOwnSession(system: System, asked: Asked, sessionId: string): Promise<void> {
  const { caller, requestId } = asked;
  authorise(caller, "session.close", undefined);
  if (!isUuid(sessionId)) throw unknownSession();
  await transact(system, caller.tenantId, async (tx) => {
    const found = await findSessionOwner(tx, sessionId);
    if (found?.actorId !== caller.actor.id) throw unknownSession();
    if (!(await endSessionRow(tx, sessionId))) return;
    const context = { tenantId: caller.tenantId, actor: caller.actor, requestId };
    const entry = found.method === tokenMethod ? tokenWithdrawn : sessionClosed;
    await record(tx, entry(context, sessionId));
  });
}

const unknownSession = () => new SignalboxError("NOT_FOUND", "You have no such session.");
