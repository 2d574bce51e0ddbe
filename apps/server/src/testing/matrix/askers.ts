import { createHash, randomBytes } from "node:crypto";
import {
  type Action,
  type Caller,
  may,
  type MemberRole,
  memberRoles,
  type Role,
  roles,
} from "@signalbox/core";
import {
  ensureTenant,
  insertKey,
  insertMember,
  insertSession,
  openDatabase,
  type TenantTransaction,
} from "@signalbox/db";
import { bearer, type TestServer } from "../test-server.ts";

/** Who asks, and with what; nobody has nothing. */
export type Asker = {
  readonly name: string;
  readonly caller: Caller | undefined;
  readonly headers: () => Record<string, string>;
  /** An answer may hold another session in place of this one. */
  readonly remember: (answer: Response) => void;
};

const nobody: Asker = {
  name: "nobody",
  caller: undefined,
  headers: () => ({}),
  remember: () => undefined,
};

/** Every role by key and, where people have it, signed in; a key that is bound to another pack; and nobody. */
export async function everyAsker(server: TestServer, tenantId: string, packId: string): Promise<Asker[]> {
  const database = openDatabase({ url: server.appUrl, applicationName: "matrix", maxConnections: 1 });
  try {
    return await database.inTenant(tenantId, async (tx) => {
      await ensureTenant(tx, { name: tenantId });
      const known = [];
      for (const role of roles) known.push(await byKey(tx, role));
      for (const role of memberRoles) known.push(await signedIn(tx, role, server.origin));
      known.push(await byKey(tx, "agent", [`not-${packId}`]), ...(await byToken(tx, server.origin)));
      return [nobody, ...known];
    });
  } finally {
    await database.close();
  }
}

async function byKey(tx: TenantTransaction, role: Role, packIds?: string[]): Promise<Asker> {
  const secret = newSecret();
  const label = packIds === undefined ? `${role} by key` : `${role} by a key of another pack`;
  const made = await insertKey(tx, {
    hash: hashOf(secret),
    prefix: secret.slice(0, 6),
    label,
    role,
    createdBy: "matrix",
    ...(packIds && { packIds }),
  });
  const actor = { type: role === "agent" ? "agent" : "system", id: `key/${made?.keyId ?? ""}` } as const;
  const caller: Caller = { tenantId: tx.tenantId, actor, role, credential: "key", packIds };
  return { name: label, caller, headers: () => bearer(secret), remember: () => undefined };
}

async function signedIn(tx: TenantTransaction, role: MemberRole, origin: string): Promise<Asker> {
  const { tenantId } = tx;
  const memberId = `matrix-${role}`;
  await insertMember(tx, { memberId, email: null, name: role, role, createdBy: "matrix" });
  const secret = newSecret();
  const opened = { hash: hashOf(secret), actorId: memberId, role, method: "link", lastsMinutes: 60 };
  const { sessionId } = await insertSession(tx, opened);
  const actor = { type: "human", id: memberId } as const;
  let cookie = `signalbox_session=${secret}`;
  return {
    name: `${role} signed in`,
    caller: { tenantId, actor, role, credential: "session", sessionId },
    headers: () => ({ cookie, origin }),
    remember: (answer) => {
      cookie = answer.headers.get("set-cookie")?.split(";", 1)[0] ?? cookie;
    },
  };
}

/** TOKEN-2: an administrator's, by the header and as a cookie. What these doors are asked by it, nobody asked. */
async function byToken(tx: TenantTransaction, origin: string): Promise<Asker[]> {
  const secret = `sbt_${newSecret()}`;
  const made = {
    hash: hashOf(secret),
    actorId: "matrix-admin",
    role: "admin",
    method: "token",
    lastsMinutes: 60,
  };
  await insertSession(tx, made);
  const headers = [bearer(secret), { cookie: `signalbox_session=${secret}`, origin }];
  return headers.map((header, place) => ({
    name: `token of an admin, ${place === 0 ? "as a key" : "as a cookie"}`,
    caller: undefined,
    headers: () => header,
    remember: () => undefined,
  }));
}

const newSecret = () => randomBytes(24).toString("hex");
const hashOf = (secret: string) => createHash("sha256").update(secret).digest();

/** Of a pack that the request itself names; whose a dispatch is, is known only once it is found. */
const ofNamedPack: ReadonlySet<Action> = new Set(["pack.register", "instance.heartbeat", "dispatch.lease"]);

/** What the permission table says of a request for this action. */
export function tableSays({ caller }: Asker, action: Action, packId: string): "let in" | 401 | 403 {
  if (caller === undefined) return 401;
  const subject = { packId: ofNamedPack.has(action) ? packId : (caller.packIds?.[0] ?? packId) };
  return may(caller, action, subject).allowed ? "let in" : 403;
}
