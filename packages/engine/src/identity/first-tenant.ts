import {
  type Actor,
  firstMemberAdded,
  keyCreated,
  keyRevoked,
  signInLinkCreated,
  tenantCreated,
} from "@signalbox/core";
import {
  ensureTenant,
  findKeyByHash,
  insertKey,
  insertMember,
  insertSignInLink,
  lockMembersOfRole,
  revokeOtherKeys,
} from "@signalbox/db";
import { record } from "../record.ts";
import { hashOfSecret, newSecret } from "../secret.ts";
import type { System } from "../system.ts";
import { reach, transact } from "../transaction.ts";

/** The tenant that a fresh installation has. */
export const firstTenant = { tenantId: "default", name: "Default" } as const;
/** Its first member: whoever starts the process, until they set up an account. */
const firstAdministrator = { memberId: "administrator", name: "Administrator" } as const;

export const linkMinutes = 15;
const systemActor: Actor = { type: "system", id: "signalbox" };

/**
 * Makes the first tenant with its first member, and an administrator's key where the configuration gives one that is not
 * known yet. A key that an earlier configuration gave is revoked: taking it out of the environment is how an operator
 * withdraws it.
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
    // The row of one who was removed is still there, and nobody comes in their place.
    if (await insertMember(tx, { ...firstAdministrator, role: "admin", createdBy }))
      await record(tx, firstMemberAdded(context, firstAdministrator));
    const revoked = await revokeOtherKeys(tx, { label: key.label, createdBy, kept: hash });
    await record(tx, ...revoked.map(({ keyId }) => keyRevoked(context, { keyId, label: key.label })));
    if (bootstrapKey === undefined || hash === undefined) return;
    const prefix = bootstrapKey.slice(0, 6);
    if (await insertKey(tx, { ...key, hash, prefix, createdBy })) await record(tx, keyCreated(context, key));
  });
  const found = hash && (await reach(system, () => findKeyByHash(system.database, hash)));
  return { bootstrapKeyWithdrawn: found !== undefined && found.status !== "active" };
}

/**
 * A one-time link's token for the first tenant's administrator, or nothing where one can sign in by themselves: whoever
 * reads what the process prints could else be an administrator at each start. `always` is for who lost every other way.
 */
export async function createSignInLink(
  system: System,
  { requestId, always = false }: { requestId: string; always?: boolean },
): Promise<string | undefined> {
  const token = newSecret(system);
  const { tenantId } = firstTenant;
  return transact(system, tenantId, async (tx) => {
    const administrators = await lockMembersOfRole(tx, "admin");
    const settled = administrators.some((one) => one.passwordHash !== null || one.oidcSubject !== null);
    const [oldest] = administrators.toSorted((one, other) => Number(one.createdAt) - Number(other.createdAt));
    if (oldest === undefined || (settled && !always)) return undefined;
    const role = "admin";
    const actor: Actor = { type: "human", id: oldest.memberId };
    const link = { hash: hashOfSecret(token), actorId: oldest.memberId, role, lastsMinutes: linkMinutes };
    await insertSignInLink(tx, link);
    await record(tx, signInLinkCreated({ tenantId, actor: systemActor, requestId }, { for: actor, role }));
    return token;
  });
}
