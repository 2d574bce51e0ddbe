import { randomBytes } from "node:crypto";
import { AuditEventType } from "@signalbox/contracts";
import {
  endSessionsOf,
  insertMember,
  listAuditEntries,
  listSessions,
  removeMember,
  schemaState,
  updateMember,
} from "@signalbox/db";
import { openTestDatabase, readRows } from "@signalbox/db/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../clock.ts";
import { createSignInLink, firstTenant, prepareFirstTenant, prepareTenant } from "./first-tenant.ts";
import { authenticateKey } from "./keys.ts";
import { watchReadiness } from "../readiness-watcher.ts";
import { authenticateSession, type Came, standingOfSession } from "./sessions.ts";
import { signInByLink } from "./sign-in.ts";
import type { System } from "../system.ts";

const requestId = "0190b3a8-8f0f-7bbb-8888-0123456789ab";
const hour = 3_600_000;
const came: Came = {
  requestId,
  address: "192.0.2.1",
  userAgent: undefined,
  replaces: undefined,
  onFailure(error) {
    throw error;
  },
};

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
let system: System;
beforeEach(async () => {
  opened = await openTestDatabase();
  const { database } = opened;
  system = {
    database,
    clock: systemClock,
    randomBytes,
    orchestrator: { version: "1.0.0", capabilitySchema: "^1.0.0" },
    readiness: watchReadiness({
      clock: systemClock,
      probe: () => database.probe(),
      schema: () => schemaState(database),
      onLost: () => undefined,
    }),
    startedAt: systemClock.now(),
  };
});
afterEach(async () => {
  system.readiness.stop();
  await opened.end();
});

const prepare = (bootstrapKey?: string) => prepareFirstTenant(system, { bootstrapKey, requestId });
const newKey = () => randomBytes(24).toString("hex");
async function recorded() {
  const { entries } = await opened.database.inTenant(firstTenant.tenantId, (tx) =>
    listAuditEntries(tx, { limit: 100 }),
  );
  return entries.map(({ eventType }) => eventType).toReversed();
}

describe("the first tenant", () => {
  test("is made once, and its record begins with that", async () => {
    await prepare();
    await prepare();
    expect(await recorded()).toEqual([AuditEventType.TENANT_CREATED, AuditEventType.MEMBER_ADDED]);
  });

  test("a start with another bootstrap key, or with none, withdraws the earlier one, on record and for good", async () => {
    const [first, second] = [newKey(), newKey()];
    await prepare(first);
    await prepare(first);
    expect(await authenticateKey(system, first)).toMatchObject({ role: "admin" });
    expect(await prepare(second)).toEqual({ bootstrapKeyWithdrawn: false, withdrawnKeys: 1 });
    expect(await authenticateKey(system, first)).toBeUndefined();
    expect(await authenticateKey(system, second)).toMatchObject({ role: "admin" });
    await prepare();
    expect(await authenticateKey(system, second)).toBeUndefined();
    expect(await prepare(first)).toEqual({ bootstrapKeyWithdrawn: true, withdrawnKeys: 0 });
    expect(await authenticateKey(system, first)).toBeUndefined();
    expect(await recorded()).toEqual([
      AuditEventType.TENANT_CREATED,
      AuditEventType.MEMBER_ADDED,
      AuditEventType.KEY_CREATED,
      AuditEventType.KEY_REVOKED,
      AuditEventType.KEY_CREATED,
      AuditEventType.KEY_REVOKED,
    ]);
  });

  test("STREAM-17 readers hear of its keys where a start makes or withdraws one, and else nothing", async () => {
    const [first, second] = [newKey(), newKey()];
    const heard: number[] = [];
    for (const given of [undefined, first, first, second, undefined, first]) {
      await prepare(given);
      const told = await readRows(
        opened.made.url,
        "select 1 from signalbox.events where kind = 'key.changed'",
      );
      heard.push(told.length);
    }
    expect(heard).toEqual([0, 1, 1, 2, 3, 3]);
  });
});

test("a start that serves nobody leaves the bootstrap key alone, whatever it was given", async () => {
  const key = newKey();
  await prepare(key);
  for (const bootstrapKey of [undefined, newKey()])
    expect(await prepareFirstTenant(system, { bootstrapKey, requestId, serves: false })).toEqual({
      bootstrapKeyWithdrawn: false,
      withdrawnKeys: 0,
    });
  expect(await authenticateKey(system, key)).toMatchObject({ role: "admin" });
});

const inTenant = <T>(work: Parameters<typeof opened.database.inTenant<T>>[1]) =>
  opened.database.inTenant(firstTenant.tenantId, work);

describe("the link that a start prints", () => {
  test("is there while no administrator can sign in by themselves, and then only where it is asked for", async () => {
    await prepare();
    for (let start = 0; start < 2; start += 1)
      expect(await createSignInLink(system, { requestId })).toMatch(/^[\w-]{43}$/);
    await opened.database.inTenant(firstTenant.tenantId, (tx) =>
      updateMember(tx, "administrator", { oidcIssuer: "https://id.example", oidcSubject: "7" }),
    );
    expect(await createSignInLink(system, { requestId })).toBeUndefined();
    const token = (await createSignInLink(system, { requestId, always: true })) ?? "";
    const { caller } = await signInByLink(system, token, came);
    expect(caller).toMatchObject({ actor: { id: "administrator" }, role: "admin" });
  });

  test("is another administrator's where the first one was removed", async () => {
    await prepare();
    const { memberId = "" } =
      (await opened.database.inTenant(firstTenant.tenantId, async (tx) => {
        await removeMember(tx, "administrator");
        return insertMember(tx, { name: "Grace", role: "admin", createdBy: "test" });
      })) ?? {};
    await prepare();
    const token = (await createSignInLink(system, { requestId })) ?? "";
    const { caller } = await signInByLink(system, token, came);
    expect(caller.actor.id).toBe(memberId);
  });
});

describe("a session that is only asked for its standing", () => {
  test("is closed, changed and removed from one question to the next, and is not kept alive by it", async () => {
    await prepare();
    const token = (await createSignInLink(system, { requestId })) ?? "";
    const session = await signInByLink(system, token, came);
    const standing = () => standingOfSession(system, session.token);
    expect(await standing()).toMatchObject({ role: "admin" });
    await inTenant((tx) => updateMember(tx, "administrator", { role: "viewer" }));
    expect(await standing()).toMatchObject({ role: "viewer" });
    const seen = () => inTenant((tx) => listSessions(tx, "administrator", { limit: 1 }));
    const [before] = await seen();
    await standing();
    expect((await seen())[0]?.lastSeenAt).toEqual(before?.lastSeenAt);
    await inTenant((tx) => endSessionsOf(tx, "administrator"));
    expect(await standing()).toBeUndefined();
  });
});

describe("signing in", () => {
  test.each([
    ["a day behind", -24 * hour],
    ["a day ahead", 24 * hour],
  ])("works for as long as it says where the process's clock is %s", async (_, skew) => {
    await prepare();
    system = { ...system, clock: { ...systemClock, now: () => new Date(Date.now() + skew) } };
    const token = (await createSignInLink(system, { requestId })) ?? "";
    const session = await signInByLink(system, token, came);
    expect(await authenticateSession(system, session.token)).toMatchObject({ role: "admin" });
    expect(Math.abs(session.expiresAt.getTime() - Date.now() - 12 * hour)).toBeLessThan(hour);
  });

  test("to another tenant stands where the earlier session there could not be ended, and that is told", async () => {
    await prepare();
    await prepareTenant(system, { tenantId: "north", name: "Northern Works", requestId });
    const linkOf = async (tenantId?: string) =>
      (await createSignInLink(system, { requestId, always: true, ...(tenantId && { tenantId }) })) ?? "";
    const north = await signInByLink(system, await linkOf("north"), came);
    const told: unknown[] = [];
    const again = { ...came, replaces: north.token, onFailure: (...said: unknown[]) => told.push(said) };
    const { database } = system;
    const failure = new Error("the connection broke");
    const broken: System = {
      ...system,
      database: {
        ...database,
        inTenant: (tenantId, work) =>
          tenantId === "north" ? Promise.reject(failure) : database.inTenant(tenantId, work),
      },
    };
    const { token, caller } = await signInByLink(broken, await linkOf(), again);
    expect(caller.tenantId).toBe(firstTenant.tenantId);
    expect(await authenticateSession(system, token)).toMatchObject({ role: "admin" });
    expect(told).toEqual([[failure, expect.stringContaining("in another tenant")]]);
    await signInByLink(system, await linkOf(), again);
    expect(await standingOfSession(system, north.token)).toBeUndefined();
    expect(told).toHaveLength(1);
  });

  test("with a spent link is refused each time, and on record once", async () => {
    await prepare();
    const token = (await createSignInLink(system, { requestId })) ?? "";
    await signInByLink(system, token, came);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(signInByLink(system, token, came)).rejects.toMatchObject({
        code: "UNAUTHENTICATED",
      });
    }
    const refusals = (await recorded()).filter((type) => type === AuditEventType.SIGN_IN_REFUSED);
    expect(refusals).toHaveLength(1);
  });
});
