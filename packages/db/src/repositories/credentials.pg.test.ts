import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withConnection } from "../connection.ts";
import { connectionOf, queriesOf } from "../database.ts";
import { openTestDatabase, readRows } from "../testing/index.ts";
import {
  findKeyByHash,
  findKeyMakers,
  insertKey,
  listKeys,
  markKeyUsed,
  revokeKey,
  revokeOtherKeys,
} from "./keys.ts";
import { findMemberNames, insertMember, removeMember, updateMember } from "./members.ts";
import { endSession, findSessionByHash, insertSession, listSessions, markSessionSeen } from "./sessions.ts";
import { countSignInAttempt, forgiveSignInAttempt } from "./sign-in-attempts.ts";
import { consumeSignInLink, findSignInLinkByHash, insertSignInLink } from "./sign-in-links.ts";
import { ensureTenant } from "./tenants.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase();
  for (const tenantId of ["east", "west"]) {
    await opened.database.inTenant(tenantId, async (tx) => {
      await ensureTenant(tx, { name: tenantId });
      await insertMember(tx, { memberId: "ada", name: "Ada", role: "operator", createdBy: "test" });
    });
  }
});
afterAll(() => opened.end());

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
const inTenant: typeof opened.database.inTenant = (tenantId, work) =>
  opened.database.inTenant(tenantId, work);
const listed = async (tenantId: string) =>
  (await inTenant(tenantId, (tx) => listKeys(tx, { limit: 100 }))).keys;
const person = { actorId: "ada", role: "operator" };

const insertBy = (tenantId: string, createdBy: string) =>
  inTenant(tenantId, async (tx) => {
    const hash = randomBytes(32);
    const made = await insertKey(tx, { hash, prefix: "x", label: "a/b", role: "admin", createdBy });
    return made?.keyId ?? "";
  });
const makers = (keyId: string, tenantId = "east") => inTenant(tenantId, (tx) => findKeyMakers(tx, keyId));

async function makeKey(tenantId: string, expiresAt?: Date) {
  const hash = randomBytes(32);
  const key = await inTenant(tenantId, (tx) =>
    insertKey(tx, {
      hash,
      prefix: "sbk_ab",
      label: "ci",
      role: "administrator",
      createdBy: "ada",
      ...(expiresAt && { expiresAt }),
    }),
  );
  return { hash, keyId: key?.keyId ?? "" };
}

async function makeSession(tenantId: string, lastsMinutes = 60) {
  const hash = randomBytes(32);
  const made = await inTenant(tenantId, (tx) => insertSession(tx, { hash, ...person, lastsMinutes }));
  return { hash, ...made };
}

async function makeLink(tenantId: string, lastsMinutes = 15) {
  const hash = randomBytes(32);
  const { linkId } = await inTenant(tenantId, (tx) =>
    insertSignInLink(tx, { hash, ...person, lastsMinutes }),
  );
  return { hash, linkId };
}

describe("a key", () => {
  test("is found by its hash, before the tenant is known", async () => {
    const { hash, keyId } = await makeKey("west");
    expect(await findKeyByHash(opened.database, hash)).toEqual({
      tenantId: "west",
      keyId,
      label: "ci",
      role: "administrator",
      status: "active",
      packIds: undefined,
    });
  });

  test("tells the packs that it is bound to, whatever they are called", async () => {
    const hash = randomBytes(32);
    const packIds = ["qa", "acme/größe", 'odd "name", {x}', "\\"];
    await inTenant("east", (tx) =>
      insertKey(tx, { hash, prefix: "x", label: "x", role: "agent", createdBy: "ada", packIds }),
    );
    expect(await findKeyByHash(opened.database, hash)).toMatchObject({ packIds });
    const { keys } = await inTenant("east", (tx) => listKeys(tx, { limit: 1 }));
    expect(keys[0]?.packIds).toEqual(packIds);
  });

  test("is expired and revoked by the database's clock", async () => {
    const expired = await makeKey("east", inMinutes(-1));
    expect(await findKeyByHash(opened.database, expired.hash)).toMatchObject({ status: "expired" });
    const { hash, keyId } = await makeKey("east", inMinutes(1));
    expect(await inTenant("east", (tx) => revokeKey(tx, keyId))).toBe(true);
    expect(await inTenant("east", (tx) => revokeKey(tx, keyId))).toBe(false);
    expect(await findKeyByHash(opened.database, hash)).toMatchObject({ status: "revoked" });
  });

  test("is not another tenant's to list, mark or revoke", async () => {
    const { hash, keyId } = await makeKey("west");
    expect(await inTenant("east", (tx) => revokeKey(tx, keyId))).toBe(false);
    await inTenant("east", (tx) => markKeyUsed(tx, keyId));
    expect((await listed("east")).map((key) => key.keyId)).not.toContain(keyId);
    const own = (await listed("west")).find((key) => key.keyId === keyId);
    expect(own).toMatchObject({ prefix: "sbk_ab", lastUsedAt: null, revokedAt: null });
    expect(own).not.toHaveProperty("hash");
    expect(await findKeyByHash(opened.database, hash)).toMatchObject({ status: "active" });
  });

  test("with a hash that exists is not written", async () => {
    const { hash } = await makeKey("east");
    const again = inTenant("west", (tx) =>
      insertKey(tx, { hash, prefix: "x", label: "x", role: "x", createdBy: "x" }),
    );
    expect(await again).toBeUndefined();
  });

  test("D15 tells who made it, and who made the key that did, within its tenant", async () => {
    const first = await insertBy("east", "ada");
    const second = await insertBy("east", `key/a/b/${first}`);
    const third = await insertBy("east", `key/a/b/${second}`);
    expect(await makers(first)).toEqual(["ada"]);
    expect((await makers(third)).toSorted()).toEqual(
      ["ada", `key/a/b/${first}`, `key/a/b/${second}`].toSorted(),
    );
    expect(await makers(third, "west")).toEqual([]);
    expect(await makers(await insertBy("west", `key/a/b/${first}`), "west")).toEqual([`key/a/b/${first}`]);
  });

  test("gives way to another of its maker and label, and no key else does", async () => {
    const [earlier, kept, foreign] = [await makeKey("east"), await makeKey("east"), await makeKey("west")];
    const others = { label: "ci", createdBy: "ada", kept: kept.hash };
    const revoke = (wanted: Partial<typeof others>) =>
      inTenant("east", (tx) => revokeOtherKeys(tx, { ...others, ...wanted }));
    expect(await revoke({ label: "other" })).toEqual([]);
    expect(await revoke({ createdBy: "grace" })).toEqual([]);
    expect(await revoke({})).toContainEqual({ keyId: earlier.keyId });
    expect(await revoke({})).toEqual([]);
    for (const { hash } of [kept, foreign]) {
      expect(await findKeyByHash(opened.database, hash)).toMatchObject({ status: "active" });
    }
  });

  test("is marked as used at most once a minute", async () => {
    const { keyId } = await makeKey("east");
    const used = async () => (await listed("east")).find((key) => key.keyId === keyId)?.lastUsedAt;
    await inTenant("east", (tx) => markKeyUsed(tx, keyId));
    const first = await used();
    await inTenant("east", (tx) => markKeyUsed(tx, keyId));
    expect(first).toBeInstanceOf(Date);
    expect(await used()).toEqual(first);
  });
});

describe("a session", () => {
  test("is found by its hash until it ends or expires", async () => {
    const { hash, sessionId, expiresAt } = await makeSession("east");
    const found = {
      tenantId: "east",
      sessionId,
      ...person,
      memberName: "Ada",
      method: undefined,
      openSeconds: expect.any(Number),
      expiresAt,
    };
    expect(await findSessionByHash(opened.database, hash)).toEqual({ ...found, status: "active" });
    expect(await inTenant("west", (tx) => endSession(tx, sessionId))).toBe(false);
    expect(await inTenant("east", (tx) => endSession(tx, sessionId))).toBe(true);
    expect(await inTenant("east", (tx) => endSession(tx, sessionId))).toBe(false);
    expect(await findSessionByHash(opened.database, hash)).toEqual({ ...found, status: "ended" });
    const expired = await makeSession("east", -1);
    expect(await findSessionByHash(opened.database, expired.hash)).toMatchObject({ status: "expired" });
  });

  test("that nobody used for its idle time is over, and one that is used goes on", async () => {
    const hash = randomBytes(32);
    const open = { hash, ...person, lastsMinutes: 60, idleMinutes: -1 };
    const { sessionId } = await inTenant("east", (tx) => insertSession(tx, open));
    expect(await findSessionByHash(opened.database, hash)).toMatchObject({ status: "expired" });
    await withConnection(opened.made.url, (connection) =>
      connection.transaction({ "signalbox.tenant_id": "east" }, (queries) =>
        queries.execute(
          sql`update signalbox.sessions set last_seen_at = now() - interval '2 minutes' where session_id = ${sessionId}`,
        ),
      ),
    );
    await inTenant("east", (tx) => markSessionSeen(tx, sessionId, 30));
    expect(await findSessionByHash(opened.database, hash)).toMatchObject({ status: "active" });
  });

  test("is seen from its first use on, and then to the minute", async () => {
    const hash = randomBytes(32);
    const { sessionId } = await inTenant("east", (tx) =>
      insertSession(tx, { hash, actorId: "first-use", role: "viewer", lastsMinutes: 60 }),
    );
    const seen = async () => {
      const [found] = await inTenant("east", (tx) => listSessions(tx, "first-use", { limit: 1 }));
      return (found?.lastSeenAt.getTime() ?? 0) - (found?.createdAt.getTime() ?? 0);
    };
    await withConnection(opened.made.url, (connection) =>
      connection.transaction({ "signalbox.tenant_id": "east" }, (queries) =>
        queries.execute(
          sql`update signalbox.sessions set created_at = now() - interval '9 seconds',
            last_seen_at = now() - interval '9 seconds' where session_id = ${sessionId}`,
        ),
      ),
    );
    expect(await seen()).toBe(0);
    await inTenant("east", (tx) => markSessionSeen(tx, sessionId));
    const first = await seen();
    expect(first).toBeGreaterThan(8_000);
    await inTenant("east", (tx) => markSessionSeen(tx, sessionId));
    expect(await seen()).toBe(first);
  });

  test("has the role that its member has now, and is nobody's once they are removed; so is a link", async () => {
    const { memberId = "" } =
      (await inTenant("east", (tx) =>
        insertMember(tx, { name: "Grace", role: "viewer", createdBy: "ada", email: "grace@example.org" }),
      )) ?? {};
    const [hash, linkHash] = [randomBytes(32), randomBytes(32)];
    const of = { actorId: memberId, role: "viewer", lastsMinutes: 60 };
    await inTenant("east", (tx) => insertSession(tx, { hash, ...of }));
    await inTenant("east", (tx) => insertSignInLink(tx, { hash: linkHash, ...of }));
    await inTenant("east", (tx) => updateMember(tx, memberId, { role: "admin" }));
    expect(await findSessionByHash(opened.database, hash)).toMatchObject({ status: "active", role: "admin" });
    await inTenant("west", (tx) => removeMember(tx, memberId));
    expect(await findSessionByHash(opened.database, hash)).toMatchObject({ status: "active" });
    await inTenant("east", (tx) => removeMember(tx, memberId));
    expect(await findSessionByHash(opened.database, hash)).toMatchObject({ status: "ended" });
    expect(await findSignInLinkByHash(opened.database, linkHash)).toMatchObject({ status: "expired" });
    const again = inTenant("east", (tx) =>
      insertMember(tx, { name: "Grace", role: "viewer", createdBy: "ada", email: "grace@example.org" }),
    );
    expect((await again)?.memberId, "an address comes back under another id").not.toBe(memberId);
    const names = (tenantId: string) =>
      inTenant(tenantId, (tx) => findMemberNames(tx, [memberId, "ada", "nobody"]));
    expect(await names("east"), "what they did stays on record").toEqual(
      expect.arrayContaining([
        { memberId, name: "Grace" },
        { memberId: "ada", name: "Ada" },
      ]),
    );
    expect(await names("west")).toEqual([{ memberId: "ada", name: "Ada" }]);
  });
});

const bucketOf = () => randomBytes(32).toString("hex");

describe("attempts to sign in", () => {
  test("are let through up to the bucket's number, of many at once as of many in a row", async () => {
    const bucket = { bucket: bucketOf(), most: 3, seconds: 60 };
    const waits = await Promise.all(
      Array.from({ length: 8 }, () => countSignInAttempt(opened.database, [bucket])),
    );
    expect(waits.filter((wait) => wait === 0)).toHaveLength(3);
    for (const wait of waits) expect(wait).toBeLessThanOrEqual(60);
  });

  test("keep nobody out for longer than their window, though the clock was ahead when they were counted", async () => {
    const limit = { bucket: bucketOf(), most: 1, seconds: 60 };
    expect(await countSignInAttempt(opened.database, [limit])).toBe(0);
    await readRows(
      opened.made.url,
      `update signalbox.sign_in_attempts set ends_at = now() + interval '300 days' where bucket = '\\x${limit.bucket}'`,
    );
    const wait = await countSignInAttempt(opened.database, [limit]);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(await countSignInAttempt(opened.database, [limit])).toBeLessThanOrEqual(wait);
  });

  test("are counted in all buckets, begin anew with the window, and are forgiven", async () => {
    const [account, address] = [bucketOf(), bucketOf()];
    const both = [
      { bucket: account, most: 1, seconds: 60 },
      { bucket: address, most: 2, seconds: 60 },
    ];
    const count = () => countSignInAttempt(opened.database, both);
    expect(await count()).toBe(0);
    expect(await count()).toBeGreaterThan(0);
    await forgiveSignInAttempt(opened.database, { forgotten: [account], returned: [address] });
    expect(await count(), "the address has back one of two").toBe(0);
    expect(await count()).toBeGreaterThan(0);
    // Over for a while: a clock that is put back between the two would find one of no length still open.
    const ended = [{ bucket: bucketOf(), most: 1, seconds: -60 }];
    expect(await countSignInAttempt(opened.database, ended)).toBe(0);
    expect(await countSignInAttempt(opened.database, ended)).toBe(0);
  });
});

describe("a sign-in link", () => {
  test("is used once, even by two at once", async () => {
    const { hash, linkId } = await makeLink("east");
    const used = await Promise.all(
      [1, 2, 3].map(() => inTenant("east", (tx) => consumeSignInLink(tx, linkId))),
    );
    expect(used.filter(Boolean)).toHaveLength(1);
    expect(await findSignInLinkByHash(opened.database, hash)).toEqual({
      tenantId: "east",
      linkId,
      ...person,
      status: "used",
    });
  });

  test("is given back when what it was used for fails", async () => {
    const { hash, linkId } = await makeLink("east");
    const failing = inTenant("east", async (tx) => {
      await consumeSignInLink(tx, linkId);
      throw new Error("no session after all");
    });
    await expect(failing).rejects.toThrow("no session after all");
    expect(await findSignInLinkByHash(opened.database, hash)).toMatchObject({ status: "active" });
  });

  test("is not used past its time, nor by another tenant", async () => {
    const expired = await makeLink("east", -1);
    expect(await inTenant("east", (tx) => consumeSignInLink(tx, expired.linkId))).toBe(false);
    expect(await findSignInLinkByHash(opened.database, expired.hash)).toMatchObject({ status: "expired" });
    const { linkId } = await makeLink("west");
    expect(await inTenant("east", (tx) => consumeSignInLink(tx, linkId))).toBe(false);
  });
});

describe("the look-ups, which run as the owner, are no way to another tenant's rows", () => {
  const functions = ["find_key_by_hash", "find_session_by_hash", "find_sign_in_link_by_hash"];

  test.each(functions)("%s finds nothing but by 32 exact bytes", async (name) => {
    for (const wanted of [randomBytes(32), Buffer.alloc(0), Buffer.alloc(32)]) {
      const found = await connectionOf(opened.database).execute(
        sql`select * from ${sql.raw(`signalbox.${name}`)}(${wanted})`,
      );
      expect(found).toEqual([]);
    }
    const forNull = await connectionOf(opened.database).execute(
      sql`select * from ${sql.raw(`signalbox.${name}`)}(null)`,
    );
    expect(forNull).toEqual([]);
  });

  test("a search_path of the caller's and its own temporary tables do not mislead them", async () => {
    const { hash } = await makeKey("west");
    const found = await inTenant("east", async (tx) => {
      const run = (text: string) => queriesOf(tx).execute(sql.raw(text));
      await run("create temporary table keys (like signalbox.keys)");
      await run("set local search_path = pg_temp, signalbox");
      return queriesOf(tx).execute(sql`select tenant_id from signalbox.find_key_by_hash(${hash})`);
    });
    expect(found).toEqual([{ tenant_id: "west" }]);
  });
});
