import { SignalboxError } from "@signalbox/contracts";
import {
  type Caller,
  findKeyFaults,
  isRole,
  keyActorId,
  keyEvent,
  keyIssued,
  keyWithdrawn,
  type KeyWish,
  type Role,
} from "@signalbox/core";
import {
  type Database,
  findKey,
  findKeysByHash,
  findKeyStanding,
  type FoundKey,
  insertKey,
  type Key,
  type KeyCursor,
  listKeys as listKeyRows,
  markKeyUsed,
  revokeKey as revokeKeyRow,
} from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { cursorsOf, type PageRequest, readLimit, refuseCursor } from "../page.ts";
import { record } from "../record.ts";
import { hashOfSecret, newSecret } from "../secret.ts";
import { type GroupCommit, groupCommit } from "../registry/group-commit.ts";
import type { Asked, System } from "../system.ts";
import { tell } from "../stream/tell.ts";
import { reach, transact } from "../transaction.ts";
import { onceAMinute } from "./once-a-minute.ts";
import { keyText, rememberCaller } from "./remembered-keys.ts";
import { isUuid, refuseFaults, secretFaults } from "./said-names.ts";

const cursors = cursorsOf("keys");

export type KeyPage = { keys: Key[]; nextCursor: string | undefined };
export type CreatedKey = { key: Key; secret: string };

/** By it a person, and a scanner of files, tells a key of ours from any other text. */
const secretPrefix = "sbx_";
/** Of these, 36 random bits are shown: enough to tell keys apart, and 220 stay unknown. */
const shownCharacters = secretPrefix.length + 6;

/** Whose key is it? Nobody's, when it is unknown, expired or revoked: the answer does not tell which. */
export async function authenticateKey(system: System, key: string): Promise<Caller | undefined> {
  const { key: found } = await lookUpsOf(system).submit(hashOfSecret(key));
  const caller = await callerOf(system, found);
  if (caller !== undefined) rememberCaller(system, key, caller);
  return caller;
}

/** Who speaks by a way that is one key's own, such as a stream: the key is known by its id, and judged as by its secret. */
export async function authenticateKeyId(
  system: System,
  { tenantId, keyId }: { tenantId: string; keyId: string },
): Promise<Caller | undefined> {
  if (!isUuid(keyId)) return undefined;
  return callerOf(system, await transact(system, tenantId, (tx) => findKeyStanding(tx, keyId)));
}

async function callerOf(system: System, found: FoundKey | undefined): Promise<Caller | undefined> {
  if (found?.status !== "active" || !isRole(found.role)) return undefined;
  await markUsed(system, found);
  return {
    tenantId: found.tenantId,
    actor: { type: found.role === "agent" ? "agent" : "system", id: keyActorId(found) },
    role: found.role,
    credential: "key",
    packIds: found.packIds,
  };
}

const mostInOneLookUp = 200;
const mostWaiting = 20_000;
const lookUps = new WeakMap<Database, GroupCommit<Uint8Array, { key: FoundKey | undefined }>>();

/** Those who ask at once are looked up together. */
function lookUpsOf(system: System): GroupCommit<Uint8Array, { key: FoundKey | undefined }> {
  const known = lookUps.get(system.database);
  if (known !== undefined) return known;
  const made = groupCommit<Uint8Array, { key: FoundKey | undefined }>({
    write: async (hashes) => {
      // The agents of a tenant mostly share a key.
      const apart = new Map(hashes.map((hash) => [keyText(hash), hash]));
      const rows = await reach(system, () => findKeysByHash(system.database, [...apart.values()]));
      const found = new Map([...apart.keys()].map((text, place) => [text, rows[place]]));
      return hashes.map((hash) => ({ key: found.get(keyText(hash)) }));
    },
    most: mostInOneLookUp,
    bound: mostWaiting,
  });
  lookUps.set(system.database, made);
  return made;
}

/** The database keeps the minute; remembering it here as well spares a transaction a request. */
async function markUsed(system: System, { tenantId, keyId }: FoundKey): Promise<void> {
  if (!onceAMinute(system, keyId)) return;
  await transact(system, tenantId, (tx) => markKeyUsed(tx, keyId));
}

/** The secret is in this answer and nowhere else: only its hash is kept. */
export async function createKey(system: System, asked: Asked, wish: KeyWish): Promise<CreatedKey> {
  const { caller, requestId } = asked;
  authorise(caller, "key.create", undefined);
  const { label, role, packIds, expiresInDays } = wish;
  const packNames = Object.fromEntries((packIds ?? []).map((packId, at) => [`packIds[${at}]`, packId]));
  refuseFaults("The key cannot be made.", [...findKeyFaults(wish), ...secretFaults({ label, ...packNames })]);
  const secret = secretPrefix + newSecret(system);
  const key = await transact(system, caller.tenantId, async (tx) => {
    const inserted = await insertKey(tx, {
      hash: hashOfSecret(secret),
      prefix: secret.slice(0, shownCharacters),
      label,
      role,
      createdBy: caller.actor.id,
      ...(packIds !== undefined && { packIds: [...new Set(packIds)] }),
      ...(expiresInDays !== undefined && { lastsMinutes: expiresInDays * 24 * 60 }),
    });
    const made = inserted && (await findKey(tx, inserted.keyId));
    if (made === undefined) throw new Error("two random keys are the same");
    const context = { tenantId: caller.tenantId, actor: caller.actor, requestId };
    await record(tx, keyIssued(context, { ...named(made), ...bounds(made) }));
    await tell(tx, keyEvent());
    return made;
  });
  return { key, secret };
}

const named = ({ keyId, label, role }: Key): { keyId: string; label: string; role: Role } => {
  if (!isRole(role)) throw new Error(`a key has the role ${role}`);
  return { keyId, label, role };
};
const bounds = ({ packIds, expiresAt }: Key) => ({
  packIds: packIds ?? undefined,
  expiresAt: expiresAt ?? undefined,
});

/** The newest first, revoked ones too: who looks for what a key on record was, finds it here. */
export async function listKeys(system: System, { caller }: Asked, page: PageRequest): Promise<KeyPage> {
  authorise(caller, "key.read", undefined);
  const limit = readLimit(page.limit);
  const after = page.cursor === undefined ? undefined : readKeyCursor(page.cursor);
  const { keys, next } = await transact(system, caller.tenantId, (tx) => listKeyRows(tx, { limit, after }));
  return { keys, nextCursor: next && cursors.write([next.createdAt.toISOString(), next.keyId]) };
}

function readKeyCursor(cursor: string): KeyCursor {
  const [at = "", keyId = ""] = cursors.readMoment(cursor, 2);
  if (!isUuid(keyId)) throw refuseCursor();
  return { createdAt: new Date(at), keyId };
}

/** From the next request on it opens nothing. Revoking it again is no fault: it is revoked. */
export async function revokeKey(system: System, asked: Asked, keyId: string): Promise<void> {
  const { caller, requestId } = asked;
  authorise(caller, "key.revoke", undefined);
  if (!isUuid(keyId)) throw unknownKey();
  await transact(system, caller.tenantId, async (tx) => {
    const key = await findKey(tx, keyId);
    if (key === undefined) throw unknownKey();
    if (!(await revokeKeyRow(tx, keyId))) return;
    await record(tx, keyWithdrawn({ tenantId: caller.tenantId, actor: caller.actor, requestId }, key));
    await tell(tx, keyEvent());
  });
}

const unknownKey = () => new SignalboxError("NOT_FOUND", "There is no such key.");
