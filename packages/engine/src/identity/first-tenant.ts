import {
  type Actor,
  type AuditContext,
  firstMemberAdded,
  keyCreated,
  keyEvent,
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
  type TenantTransaction,
} from "@signalbox/db";
import { record } from "../record.ts";
import { hashOfSecret, newSecret } from "../secret.ts";
import { tell } from "../stream/tell.ts";
import type { System } from "../system.ts";
import { reach, transact } from "../transaction.ts";

export type Tenant = { readonly tenantId: string; readonly name: string };

/** The tenant that a fresh installation has. */
export const firstTenant = { tenantId: "default", name: "Default" } as const;
/** A tenant's first member: whoever starts the process, until they set up an account. */
const firstAdministrator = { memberId: "administrator", name: "Administrator" } as const;

export const linkMinutes = 15;
const systemActor: Actor = { type: "system", id: "signalbox" };

/**
 * Makes the first tenant with its first member, and an administrator's key where the configuration gives one that is not
 * known yet. A key that an earlier configuration gave is revoked: taking it out of the environment is how an operator
 * withdraws it. Nobody comes to a process that serves nothing with a key, and so what its configuration says of one is no word.
 */
export async function prepareFirstTenant(
  system: System,
  {
    bootstrapKey,
    requestId,
    serves = true,
  }: { bootstrapKey: string | undefined; requestId: string; serves?: boolean },
): Promise<{ bootstrapKeyWithdrawn: boolean; withdrawnKeys: number }> {
  const context = { tenantId: firstTenant.tenantId, actor: systemActor, requestId };
  const key = { label: "bootstrap", role: "admin" } as const;
  const hash = bootstrapKey === undefined ? undefined : hashOfSecret(bootstrapKey);
  const createdBy = systemActor.id;
  const ensureKey = async (tx: TenantTransaction): Promise<boolean> => {
    if (bootstrapKey === undefined || hash === undefined) return false;
    const row = { ...key, hash, prefix: bootstrapKey.slice(0, 6), createdBy };
    return (await insertKey(tx, row)) !== undefined;
  };
  const withdrawnKeys = await transact(system, firstTenant.tenantId, async (tx) => {
    await ensureAdministered(tx, context, firstTenant.name);
    if (!serves) return 0;
    const revoked = await revokeOtherKeys(tx, { label: key.label, createdBy, kept: hash });
    await record(tx, ...revoked.map(({ keyId }) => keyRevoked(context, { keyId, label: key.label })));
    const made = await ensureKey(tx);
    if (made) await record(tx, keyCreated(context, key));
    if (made || revoked.length > 0) await tell(tx, keyEvent());
    return revoked.length;
  });
  const found = hash && (await reach(system, () => findKeyByHash(system.database, hash)));
  return { bootstrapKeyWithdrawn: found !== undefined && found.status !== "active", withdrawnKeys };
}

/** Another tenant beside the first, with its first member; one that is there is left as it is. */
export async function prepareTenant(
  system: System,
  { tenantId, name, requestId }: Tenant & { requestId: string },
): Promise<void> {
  await transact(system, tenantId, (tx) =>
    ensureAdministered(tx, { tenantId, actor: systemActor, requestId }, name),
  );
}

async function ensureAdministered(tx: TenantTransaction, context: AuditContext, name: string): Promise<void> {
  if (await ensureTenant(tx, { name })) await record(tx, tenantCreated(context, { name }));
  // The row of one who was removed is still there, and nobody comes in their place.
  if (await insertMember(tx, { ...firstAdministrator, role: "admin", createdBy: systemActor.id }))
    await record(tx, firstMemberAdded(context, firstAdministrator));
}

/**
 * A one-time link's token for a tenant's administrator, or nothing where one can sign in by themselves: whoever
 * reads what the process prints could else be an administrator at each start. `always` is for who lost every other way.
 */
export async function createSignInLink(
  system: System,
  {
    tenantId = firstTenant.tenantId,
    requestId,
    always = false,
  }: { tenantId?: string; requestId: string; always?: boolean },
): Promise<string | undefined> {
  const token = newSecret(system);
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
