import { isRole, keyCreated, keyRevoked, tenantCreated, type Actor, type Caller } from "@signalbox/core";
import {
  ensureTenant,
  findKeyByHash,
  insertKey,
  markKeyUsed,
  revokeOtherKeys,
  type FoundKey,
} from "@signalbox/db";
import { record } from "./record.ts";
import { hashOfSecret } from "./secret.ts";
import type { System } from "./system.ts";
import { reach, transact } from "./transaction.ts";

/** The tenant that a fresh installation has. More come with members and sign-up. */
export const firstTenant = { tenantId: "default", name: "Default" } as const;

export const systemActor: Actor = { type: "system", id: "signalbox" };

const markEveryMs = 60_000;
const markedAt = new WeakMap<System, Map<string, number>>();

/** Whose key is it? Nobody's, when it is unknown, expired or revoked: the answer does not tell which. */
export async function authenticateKey(system: System, key: string): Promise<Caller | undefined> {
  const found = await reach(system, () => findKeyByHash(system.database, hashOfSecret(key)));
  if (found?.status !== "active" || !isRole(found.role)) return undefined;
  await markUsed(system, found);
  return {
    tenantId: found.tenantId,
    actor: { type: found.role === "agent" ? "agent" : "system", id: `key/${found.label}/${found.keyId}` },
    role: found.role,
    credential: "key",
  };
}

/** The database keeps the minute; remembering it here as well spares a transaction a request. */
async function markUsed(system: System, { tenantId, keyId }: FoundKey): Promise<void> {
  const marked = markedAt.get(system) ?? new Map<string, number>();
  markedAt.set(system, marked);
  const now = system.clock.now().getTime();
  if (now - (marked.get(keyId) ?? 0) < markEveryMs) return;
  marked.set(keyId, now);
  await transact(system, tenantId, (tx) => markKeyUsed(tx, keyId));
}

/**
 * Makes the first tenant, and its administrator's key where the configuration gives one that is not known yet. A key that
 * an earlier configuration gave is revoked: taking it out of the environment is how an operator withdraws it.
 */
export async function prepareFirstTenant(
  system: System,
  { bootstrapKey, requestId }: { bootstrapKey: string | undefined; requestId: string },
): Promise<{ bootstrapKeyWithdrawn: boolean }> {
  const context = { tenantId: firstTenant.tenantId, actor: systemActor, requestId };
  const key = { label: "bootstrap", role: "admin" } as const;
  const hash = bootstrapKey === undefined ? undefined : hashOfSecret(bootstrapKey);
  const createdBy = systemActor.id;
  await transact(system, firstTenant.tenantId, async (tx) => {
    const { name } = firstTenant;
    if (await ensureTenant(tx, { name })) await record(tx, tenantCreated(context, { name }));
    const revoked = await revokeOtherKeys(tx, { label: key.label, createdBy, kept: hash });
    await record(tx, ...revoked.map(({ keyId }) => keyRevoked(context, { keyId, label: key.label })));
    if (bootstrapKey === undefined || hash === undefined) return;
    const prefix = bootstrapKey.slice(0, 6);
    if (await insertKey(tx, { ...key, hash, prefix, createdBy })) await record(tx, keyCreated(context, key));
  });
  const found = hash && (await reach(system, () => findKeyByHash(system.database, hash)));
  return { bootstrapKeyWithdrawn: found !== undefined && found.status !== "active" };
}
