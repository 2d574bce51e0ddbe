import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type RestClient, restClient, withKey } from "./testing/rest-client.ts";
import { startTestServer, type TestServer } from "./testing/test-server.ts";

let server: TestServer;
let admin: RestClient;
let adminCookie = "";
beforeAll(async () => {
  server = await startTestServer();
  const answer = await restClient(server, {})("POST", "/v1/session", { body: { token: server.signInToken } });
  adminCookie = cookieOf(answer);
  admin = own(adminCookie);
});
afterAll(() => server.dispose());

type Answer = Awaited<ReturnType<RestClient>>;
const cookieOf = ({ headers }: Answer): string => headers.get("set-cookie")?.split(";", 1)[0] ?? "";
const own = (cookie: string): RestClient => restClient(server, { cookie, origin: server.origin });
const nobody: RestClient = (...asked) => restClient(server, {})(...asked);
const password = "correct horse battery";
const come = (email: string, secret = password) =>
  nobody("POST", "/v1/session", { body: { email, password: secret } });

/** Invited, come by the link, and with a password of their own. */
async function settle(name: string, role = "operator") {
  const email = `${name}@example.org`;
  const invited = await admin("POST", "/v1/members", { body: { email, name, role } });
  const token = invited.json.text("invitation", "link").split("#")[1];
  const came = await nobody("POST", "/v1/session", { body: { token } });
  const chosen = await own(cookieOf(came))("PATCH", "/v1/account", { body: { password } });
  expect(chosen.status).toBe(200);
  const memberId = invited.json.text("member", "memberId");
  return { email, memberId, linkCookie: cookieOf(came), cookie: cookieOf(chosen), token };
}

describe("the first administrator", () => {
  test("comes by the link and sets up an account; the session is renewed by it, and the old cookie is worth nothing", async () => {
    expect((await admin("GET", "/v1/account")).json.value).toMatchObject({
      memberId: "administrator",
      email: null,
      hasPassword: false,
      passwordNeeds: "nothing",
    });
    const alone = await admin("PATCH", "/v1/account", { body: { password } });
    expect(alone.json.at("violations", 0, "field")).toBe("email");
    const before = admin;
    const body = { name: "Ada", email: "Ada@Example.org", password };
    const answer = await admin("PATCH", "/v1/account", { body });
    expect(answer.json.value).toMatchObject({ email: "ada@example.org", name: "Ada", hasPassword: true });
    adminCookie = cookieOf(answer);
    admin = own(adminCookie);
    expect((await before("GET", "/v1/account")).status).toBe(401);
    expect((await admin("GET", "/v1/account")).status).toBe(200);
    const again = await admin("PATCH", "/v1/account", { body: { email: "other@example.org" } });
    expect(again.json.at("code")).toBe("INVALID_STATE");
  });

  test("signs in by the account from then on", async () => {
    const answer = await come(" ADA@example.org ");
    expect(answer.json.value).toMatchObject({ actor: { type: "human", id: "administrator" }, role: "admin" });
    expect(answer.headers.get("set-cookie")).toMatch(/HttpOnly; SameSite=Strict$/);
  });
});

// A password costs a tenth of a second where nothing else runs, and many times that where everything does.
describe("an account", { timeout: 90_000 }, () => {
  test("that is not there, a wrong password and an account without one are one answer, word for word", async () => {
    await admin("POST", "/v1/members", { body: { email: "new@example.org", name: "New", role: "viewer" } });
    const answers = await Promise.all([
      come("ada@example.org", "wrong password 1"),
      come("nobody@example.org"),
      come("new@example.org"),
      nobody("POST", "/v1/session", { body: { email: "ada@example.org", password, tenantId: "elsewhere" } }),
    ]);
    const texts = answers.map(({ status, json }) => {
      const { requestId: _id, ...problem } = z.looseObject({ requestId: z.string() }).parse(json.value);
      return JSON.stringify({ status, ...problem });
    });
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('"status":401');
    const { json } = await admin("GET", "/v1/audit?eventType=SIGN_IN_REFUSED");
    const refusals = z.array(z.unknown()).parse(json.at("entries"));
    expect(refusals).toHaveLength(3);
    expect(JSON.stringify(refusals)).not.toContain("@example.org");
  });

  test("is kept from guessers by address and account, on every node, whether it is there or not", async () => {
    await settle("guessed");
    const statuses = async (email: string) => {
      const tried = await Promise.all(Array.from({ length: 12 }, () => come(email, "a wrong guess 1")));
      return tried.map(({ status }) => status).toSorted((one, other) => one - other);
    };
    const expected = [...Array.from({ length: 10 }, () => 401), 429, 429];
    expect(await statuses("guessed@example.org")).toEqual(expected);
    expect(await statuses("not-there@example.org")).toEqual(expected);
    const right = await come("guessed@example.org");
    expect(right.json.at("code")).toBe("RATE_LIMITED");
    expect(right.json.at("detail")).toMatch(/^Too many attempts to sign in\. Try again in \d+ minutes\.$/);
    expect((await come("ada@example.org")).status, "others are not kept out").toBe(201);
  });

  test("chooses a password with the current one, and every other session ends", async () => {
    const { cookie, email } = await settle("changes");
    const other = cookieOf(await come(email));
    const wanted = { password: "another good phrase" };
    const change = (body: object) => own(cookie)("PATCH", "/v1/account", { body });
    expect((await change(wanted)).json.at("violations", 0, "field")).toBe("currentPassword");
    expect((await change({ ...wanted, currentPassword: "wrong password 1" })).status).toBe(403);
    expect((await change({ password: "short", currentPassword: password })).status).toBe(422);
    const changed = await change({ ...wanted, currentPassword: password });
    expect(changed.status).toBe(200);
    expect((await own(other)("GET", "/v1/account")).status).toBe(401);
    expect((await own(cookieOf(changed))("GET", "/v1/account")).status).toBe(200);
    expect((await come(email)).status).toBe(401);
    expect((await come(email, wanted.password)).status).toBe(201);
  });

  test("sees its own sessions and closes them, and nobody else's", async () => {
    const { cookie, email } = await settle("sees");
    const elsewhere = await restClient(server, {
      "user-agent": `A browser\u00e9 elsewhere, token=ghp_${"a1B2".repeat(9)}`,
    })("POST", "/v1/session", {
      body: { email, password },
    });
    const { sessions } = z
      .object({ sessions: z.array(z.looseObject({ sessionId: z.string(), current: z.boolean() })) })
      .parse((await own(cookie)("GET", "/v1/sessions")).json.value);
    expect(sessions).toMatchObject([
      { current: false, method: "password", userAgent: expect.stringContaining("A browser") },
      { current: true, method: "password" },
    ]);
    expect(JSON.stringify(sessions), "what was masked of it").toMatch(/elsewhere, token=\[redacted:/);
    const path = `/v1/sessions/${sessions[0]?.sessionId}`;
    expect((await admin("DELETE", path)).status, "another person's is not there").toBe(404);
    expect((await own(cookie)("DELETE", path)).status).toBe(204);
    expect((await own(cookieOf(elsewhere))("GET", "/v1/sessions")).status).toBe(401);
    expect((await own(cookie)("GET", "/v1/sessions")).status).toBe(200);
  });

  test("TOKEN-1 TOKEN-3 makes a token, sees it among its sessions, revokes it, and loses it with the password", async () => {
    const { cookie, email } = await settle("speaks");
    const make = (body: object) => own(cookie)("POST", "/v1/sessions", { body });
    const faulty = await make({ label: "", expiresInHours: 13 });
    expect([faulty.status, faulty.json.at("violations", 1, "field")]).toEqual([422, "expiresInHours"]);
    const made = await make({ label: "my editor" });
    expect(made.status).toBe(201);
    const { token, sessionId } = z
      .object({ token: z.string(), sessionId: z.string() })
      .parse(made.json.value);
    expect(token).toMatch(/^sbt_[\w-]{43}$/);
    expect(JSON.stringify((await own(cookie)("GET", "/v1/sessions")).json.value)).toContain(
      '"browser":"my editor"',
    );
    const speak = (secret: string) =>
      restClient(server, { authorization: `Bearer ${secret}` })("POST", "/mcp", {
        body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
      });
    expect((await speak(token)).status).toBe(200);
    const elsewhere = await restClient(server, { authorization: `Bearer ${token}` })("GET", "/v1/packs");
    expect([elsewhere.status, elsewhere.json.text("detail")]).toEqual([
      401,
      "A person's token counts at POST /mcp, and nowhere else.",
    ]);
    expect((await own(cookie)("DELETE", `/v1/sessions/${sessionId}`)).status).toBe(204);
    expect((await speak(token)).status).toBe(401);
    const others = await Promise.all(Array.from({ length: 11 }, () => make({ label: "one more" })));
    expect(others.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(others.filter(({ status }) => status === 409)).toHaveLength(1);
    const kept = others.find(({ status }) => status === 201)?.json.text("token") ?? "";
    const body = { password: "another good phrase", currentPassword: password };
    expect((await own(cookie)("PATCH", "/v1/account", { body })).status).toBe(200);
    expect((await speak(kept)).status).toBe(401);
    expect((await come(email, body.password)).status).toBe(201);
  });

  test("who signs in again in the same browser has one session, and not two", async () => {
    const { cookie, email } = await settle("again");
    const again = await own(cookie)("POST", "/v1/session", { body: { email, password } });
    expect(again.status).toBe(201);
    expect((await own(cookie)("GET", "/v1/account")).status).toBe(401);
  });
});

describe("a member", () => {
  test("is invited once for an address, comes once by the link, and a new link takes the earlier one's place", async () => {
    const body = { email: "once@example.org", name: "Once", role: "viewer" };
    const { json } = await admin("POST", "/v1/members", { body });
    expect((await admin("POST", "/v1/members", { body })).json.at("violations", 0, "rule")).toBe("unique");
    const path = `/v1/members/${json.text("member", "memberId")}/link`;
    const second = await admin("POST", path);
    const tokens = [json.text("invitation", "link"), second.json.text("link")].map(
      (link) => link.split("#")[1],
    );
    const statuses = [];
    for (const token of [tokens[0], tokens[1], tokens[1]])
      statuses.push((await nobody("POST", "/v1/session", { body: { token } })).status);
    expect(statuses).toEqual([401, 201, 401]);
  });

  test("has a new role at once, in the session that is open", async () => {
    const { cookie, memberId } = await settle("promoted", "viewer");
    const register = () => own(cookie)("POST", "/v1/packs", { body: { packId: "by-promoted" } });
    expect((await register()).status).toBe(403);
    expect((await admin("PATCH", `/v1/members/${memberId}`, { body: { role: "operator" } })).status).toBe(
      200,
    );
    expect((await register()).status, "only the manifest is at fault now").toBe(422);
    await admin("PATCH", `/v1/members/${memberId}`, { body: { role: "viewer" } });
    expect((await register()).status).toBe(403);
  });

  test("is signed out everywhere by an administrator, and removed", async () => {
    const { cookie, memberId, email, token } = await settle("removed");
    expect((await admin("DELETE", `/v1/members/${memberId}/sessions`)).json.value).toEqual({ ended: 1 });
    expect((await own(cookie)("GET", "/v1/account")).status).toBe(401);
    const back = cookieOf(await come(email));
    expect((await admin("DELETE", `/v1/members/${memberId}`)).status).toBe(204);
    expect((await own(back)("GET", "/v1/account")).status).toBe(401);
    expect((await come(email)).status).toBe(401);
    expect((await nobody("POST", "/v1/session", { body: { token } })).status).toBe(401);
    expect((await admin("DELETE", `/v1/members/${memberId}`)).status).toBe(404);
    const again = await admin("POST", "/v1/members", { body: { email, name: "Again", role: "viewer" } });
    expect(again.status).toBe(201);
    expect(again.json.text("member", "memberId")).not.toBe(memberId);
  });

  test("is the tenant's last administrator only if another is there before", async () => {
    const demote = (memberId: string) =>
      admin("PATCH", `/v1/members/${memberId}`, { body: { role: "viewer" } });
    expect((await demote("administrator")).json.at("code")).toBe("INVALID_STATE");
    expect((await admin("DELETE", "/v1/members/administrator")).json.at("code")).toBe("INVALID_STATE");
    const second = await settle("second", "admin");
    const removing = await Promise.all([
      admin("DELETE", `/v1/members/${second.memberId}`),
      own(second.cookie)("PATCH", "/v1/members/administrator", { body: { role: "viewer" } }),
    ]);
    const done = removing.filter(({ status }) => status < 300);
    expect(done, "of two who take the other's role, one comes too late").toHaveLength(1);
    // Whichever it was, the rest of this file needs the first one back.
    const key = withKey(server, server.adminKey);
    const { json } = await key("GET", "/v1/members");
    const admins = z.array(z.looseObject({ role: z.string() })).parse(json.at("members"));
    expect(admins.filter(({ role }) => role === "admin")).toHaveLength(1);
    await own(second.cookie)("PATCH", "/v1/members/administrator", { body: { role: "admin" } });
  });
});

const makeKey = async (body: object) => {
  const { json } = await admin("POST", "/v1/keys", { body });
  return { secret: json.text("secret"), keyId: json.text("keyId"), prefix: json.text("prefix") };
};

const manifest = (packId: string) => ({
  packId,
  packVersion: "1.0.0",
  safetyTier: "RISK_TIER_NORMAL",
  interface: { supportedSchemaVersions: ["^1.0.0"] },
});

describe("a key", () => {
  test("is shown once, recognised by its beginning, and revoked for good", async () => {
    const { secret, keyId, prefix } = await makeKey({ label: "ci", role: "viewer", expiresInDays: 1 });
    expect(secret).toMatch(/^sbx_[\w-]{43}$/);
    expect(secret.startsWith(prefix)).toBe(true);
    const { json } = await admin("GET", "/v1/keys");
    expect(JSON.stringify(json.value)).toContain(prefix);
    expect(JSON.stringify(json.value)).not.toContain(secret);
    expect(json.at("keys", 0)).toMatchObject({ keyId, packIds: null, lastUsedAt: null, revokedAt: null });
    const call = withKey(server, secret);
    expect((await call("GET", "/v1/packs")).status).toBe(200);
    expect((await admin("GET", "/v1/keys")).json.at("keys", 0, "lastUsedAt")).not.toBeNull();
    expect((await admin("DELETE", `/v1/keys/${keyId}`)).status).toBe(204);
    expect((await admin("DELETE", `/v1/keys/${keyId}`)).status).toBe(204);
    expect((await call("GET", "/v1/packs")).status).toBe(401);
    expect(server.log()).not.toContain(secret);
    const audit = await admin("GET", "/v1/audit");
    expect(JSON.stringify(audit.json.value)).not.toContain(secret);
  });

  test("names no pack that looks like a secret: the record keeps the names as they are", async () => {
    const packIds = ["mine", `ghp_${"a1B2c3D4e5F6".repeat(3)}`];
    const { status, json } = await admin("POST", "/v1/keys", {
      body: { label: "runner", role: "agent", packIds },
    });
    expect(status).toBe(422);
    expect(json.at("violations")).toMatchObject([{ field: "packIds[1]", rule: "no_secret" }]);
  });

  test("is never a person: it manages no members and has no account, whatever its role", async () => {
    const key = withKey(server, (await makeKey({ label: "all", role: "admin" })).secret);
    expect((await key("GET", "/v1/members")).status).toBe(200);
    expect((await key("POST", "/v1/members/administrator/link")).status).toBe(403);
    expect((await key("GET", "/v1/account")).status).toBe(403);
    const beside = restClient(server, { authorization: `Bearer ${server.adminKey}`, cookie: adminCookie });
    expect((await beside("GET", "/v1/account")).status, "a cookie beside a key does not count").toBe(403);
  });

  test("that is bound to packs speaks for them on every door, and for no other", async () => {
    const { secret } = await makeKey({ label: "runner", role: "agent", packIds: ["mine"] });
    const agent = withKey(server, secret);
    expect((await agent("POST", "/v1/packs", { body: manifest("mine") })).status).toBe(201);
    expect((await admin("POST", "/v1/packs", { body: manifest("theirs") })).status).toBe(201);
    const rpc = "/vasini.agent.v1.ControlPlaneService";
    const asked = (packId: string): [string, object][] => [
      ["/v1/packs", { ...manifest(packId), packVersion: "2.0.0" }],
      ["/v1/heartbeats", { packId, instanceId: "one" }],
      ["/v1/leases", { packId, instanceId: "one", maxTasks: 1 }],
      [`${rpc}/RegisterPack`, { manifest: { ...manifest(packId), packVersion: "3.0.0" } }],
      [`${rpc}/Heartbeat`, { heartbeat: { packId, instanceId: "one" } }],
      [`${rpc}/Lease`, { packId, instanceId: "one", maxTasks: 1 }],
    ];
    for (const [path, body] of asked("mine")) {
      const { status } = await agent("POST", path, { body });
      expect({ path, ok: status < 300 }).toEqual({ path, ok: true });
    }
    for (const [path, body] of asked("theirs")) {
      const { status, json } = await agent("POST", path, { body });
      expect({ path, status }).toEqual({ path, status: 403 });
      expect(JSON.stringify(json.value)).toMatch(/bound to this pack/);
    }
  });
});
