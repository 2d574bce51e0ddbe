import { SignalboxError } from "@signalbox/contracts";
import {
  isRole,
  signedIn,
  signedOut,
  signInLinkCreated,
  signInRefused,
  type Actor,
  type AuditContext,
  type Caller,
} from "@signalbox/core";
import {
  consumeSignInLink,
  endSession,
  findSessionByHash,
  findSignInLinkByHash,
  insertSession,
  insertSignInLink,
  type FoundSignInLink,
} from "@signalbox/db";
import { authorise } from "./authorise.ts";
import { firstTenant, systemActor } from "./keys.ts";
import { record } from "./record.ts";
import { hashOfSecret, newSecret } from "./secret.ts";
import type { Asked, System } from "./system.ts";
import { reach, transact } from "./transaction.ts";

export const linkMinutes = 15;
const sessionHours = 12;
const firstAdministrator: Actor = { type: "human", id: "administrator" };

/** A one-time link's token for the first tenant's administrator. Whoever starts the process may sign in to it. */
export async function createSignInLink(
  system: System,
  { requestId }: { requestId: string },
): Promise<string> {
  const token = newSecret(system);
  const { tenantId } = firstTenant;
  await transact(system, tenantId, async (tx) => {
    const role = "admin";
    await insertSignInLink(tx, {
      hash: hashOfSecret(token),
      actorId: firstAdministrator.id,
      role,
      lastsMinutes: linkMinutes,
    });
    await record(
      tx,
      signInLinkCreated({ tenantId, actor: systemActor, requestId }, { for: firstAdministrator, role }),
    );
  });
  return token;
}

export type OpenedSession = { token: string; caller: Caller; expiresAt: Date };

/** Exchanges a link's token for a session's: the link is used up in the transaction that opens the session. */
export async function openSession(
  system: System,
  { token, requestId }: { token: string; requestId: string },
): Promise<OpenedSession> {
  const link = await reach(system, () => findSignInLinkByHash(system.database, hashOfSecret(token)));
  if (link === undefined || !isRole(link.role)) throw refusal("The sign-in link is not known.");
  const caller: Caller = {
    tenantId: link.tenantId,
    actor: { type: "human", id: link.actorId },
    role: link.role,
    credential: "session",
  };
  const context = { tenantId: caller.tenantId, actor: caller.actor, requestId };
  const newToken = newSecret(system);
  const opened = await transact(system, link.tenantId, async (tx) => {
    if (!(await consumeSignInLink(tx, link.linkId))) return undefined;
    const { expiresAt } = await insertSession(tx, {
      hash: hashOfSecret(newToken),
      actorId: link.actorId,
      role: link.role,
      lastsMinutes: sessionHours * 60,
    });
    await record(tx, signedIn(context, caller.role));
    return { token: newToken, caller, expiresAt };
  });
  if (opened !== undefined) return opened;
  await recordFirstRefusal(system, link, context);
  throw refusal(`The sign-in link ${reasonOf(link)}.`);
}

const refused = new WeakMap<System, Set<string>>();

/** Whoever holds a spent link could fill the record with it: a process records the first refusal of each. */
async function recordFirstRefusal(
  system: System,
  link: FoundSignInLink,
  context: AuditContext,
): Promise<void> {
  const known = refused.get(system) ?? new Set<string>();
  refused.set(system, known);
  if (known.has(link.linkId)) return;
  known.add(link.linkId);
  try {
    await transact(system, link.tenantId, (tx) => record(tx, signInRefused(context, reasonOf(link))));
  } catch (error) {
    known.delete(link.linkId);
    throw error;
  }
}

/** A link that was active when it was found, and could not be consumed, was used by somebody in between. */
const reasonOf = ({ status }: FoundSignInLink) => (status === "expired" ? "has expired" : "was used before");

const refusal = (what: string) =>
  new SignalboxError("UNAUTHENTICATED", `${what} Start Signalbox again: each start prints a fresh one.`);

/** Whose session is it? Nobody's, once it was closed or its time is over. */
export async function authenticateSession(system: System, token: string): Promise<Caller | undefined> {
  const found = await reach(system, () => findSessionByHash(system.database, hashOfSecret(token)));
  if (found?.status !== "active" || !isRole(found.role)) return undefined;
  return {
    tenantId: found.tenantId,
    actor: { type: "human", id: found.actorId },
    role: found.role,
    credential: "session",
  };
}

/** Signs out. Closing a session twice is no fault: it is closed. */
export async function closeSession(system: System, asked: Asked, token: string): Promise<void> {
  const { caller, requestId } = asked;
  authorise(caller, "session.close", undefined);
  const found = await reach(system, () => findSessionByHash(system.database, hashOfSecret(token)));
  if (found === undefined || found.tenantId !== caller.tenantId) return;
  await transact(system, caller.tenantId, async (tx) => {
    if (!(await endSession(tx, found.sessionId))) return;
    await record(tx, signedOut({ tenantId: caller.tenantId, actor: caller.actor, requestId }));
  });
}
