import { SignalboxError } from "@signalbox/contracts";
import {
  type Caller,
  findTokenFaults,
  mostTokens,
  tokenHours,
  tokenIssued,
  tokenMethod,
  type TokenWish,
} from "@signalbox/core";
import { countOpenSessions, insertSession, lockMember, markSessionSeen } from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { record } from "../record.ts";
import { hashOfSecret, newSecret } from "../secret.ts";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";
import { onceAMinute } from "./once-a-minute.ts";
import { refuseFaults, secretFaults } from "./said-names.ts";
import { callerOfSession, findSession } from "./sessions.ts";

export type MadeToken = { sessionId: string; token: string; label: string; expiresAt: Date };

/** By it a door tells a person's token from a program's key, and a scanner of files either from any other text. */
const tokenPrefix = "sbt_";

export const isToken = (secret: string): boolean => secret.startsWith(tokenPrefix);

/** TOKEN-1 (ADR 0060): a stay of the person's own that a program has. The secret is in this answer and nowhere else. */
export async function createToken(system: System, asked: Asked, wish: TokenWish): Promise<MadeToken> {
  const { caller, requestId } = asked;
  authorise(caller, "token.create", undefined);
  const { label, expiresInHours = tokenHours.usual } = wish;
  refuseFaults("The token cannot be made.", [...findTokenFaults(wish), ...secretFaults({ label })]);
  const { tenantId, actor, role } = caller;
  const token = tokenPrefix + newSecret(system);
  return transact(system, tenantId, async (tx) => {
    // Under the member's lock, or two at once would each be the last that is allowed.
    await lockMember(tx, actor.id);
    if ((await countOpenSessions(tx, actor.id, tokenMethod)) >= mostTokens) throw tooMany();
    const { sessionId, expiresAt } = await insertSession(tx, {
      hash: hashOfSecret(token),
      actorId: actor.id,
      role,
      method: tokenMethod,
      userAgent: label,
      lastsMinutes: expiresInHours * 60,
    });
    await record(tx, tokenIssued({ tenantId, actor, requestId }, { label, sessionId, expiresAt }));
    return { sessionId, token, label, expiresAt };
  });
}

/** TOKEN-2: whose token is it? Nobody's, once it was revoked, its time is over, or its member was removed. */
export async function authenticateToken(system: System, token: string): Promise<Caller | undefined> {
  const found = await findSession(system, token);
  if (found?.status !== "active" || found.method !== tokenMethod) return undefined;
  const caller = callerOfSession(found);
  const { tenantId, sessionId } = found;
  if (onceAMinute(system, sessionId))
    await transact(system, tenantId, (tx) => markSessionSeen(tx, sessionId));
  return caller;
}

const tooMany = () =>
  new SignalboxError(
    "INVALID_STATE",
    `You have ${mostTokens} tokens that still count, and may have no more. Revoke one.`,
  );
