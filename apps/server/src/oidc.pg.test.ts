import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { cookieBrowser, type CookieBrowser } from "./testing/cookie-browser.ts";
import { clientId, clientSecret, encoded, type Lie, type TestProvider } from "./testing/oidc-provider.ts";
import { freePort, startOidcServer } from "./testing/oidc-server.ts";
import { type RestClient, restClient, signedIn } from "./testing/rest-client.ts";
import { startTestServer, type TestServer } from "./testing/test-server.ts";

let opened: Awaited<ReturnType<typeof startOidcServer>>;
let provider: TestProvider;
let server: TestServer;
let admin: RestClient;

beforeAll(async () => {
  opened = await startOidcServer();
  ({ server, provider } = opened);
  admin = await signedIn(server);
});
afterAll(() => opened.dispose());
beforeEach(() => {
  provider.state.lie = undefined;
});

const start = (query = "") => new URL(`/v1/session/oidc${query}`, server.origin);
const isCallback = ({ pathname }: URL) => pathname === "/v1/session/oidc/callback";
const isOver = (url: URL) => url.origin === server.origin && !url.pathname.startsWith("/v1/");

/** Goes to the provider and back, to where Signalbox sends the browser then. */
async function signIn(browser: CookieBrowser = cookieBrowser(), query = ""): Promise<string> {
  const { url } = await browser.follow(start(query), isOver);
  return url.pathname + url.search;
}
const current = async (browser: CookieBrowser): Promise<unknown> => {
  const answer = await browser.step(new URL("/trpc/session.current", server.origin));
  return z.object({ result: z.object({ data: z.unknown() }) }).parse(await answer.json()).result.data;
};
const invite = async (email: string, role = "operator") => {
  const { status, json } = await admin("POST", "/v1/members", { body: { email, name: "Somebody", role } });
  expect(status).toBe(201);
  return { memberId: json.text("member", "memberId"), link: json.text("invitation", "link") };
};
const comesAs = (sub: string, email?: string, verified = true) => {
  provider.state.person = { sub, ...(email !== undefined && { email, email_verified: verified }) };
};

describe("who may come", () => {
  test("nobody whom no administrator invited, whatever the provider says of them", async () => {
    comesAs("stranger", "stranger@example.org");
    const browser = cookieBrowser();
    expect(await signIn(browser)).toBe("/sign-in?refused=not-a-member");
    expect(await current(browser)).toBeNull();
    const { json } = await admin("GET", "/v1/audit?eventType=SIGN_IN_REFUSED");
    expect(json.at("entries", 0, "payload", "rationale")).toContain("no open invitation");
  });

  test("who is invited and whose address the provider verified; from then on it is the identity that counts", async () => {
    const { memberId, link } = await invite("ada@example.org");
    comesAs("ada", "ADA@example.org");
    const browser = cookieBrowser();
    expect(await signIn(browser, "?next=%2Fpacks%3Fq%3Da")).toBe("/packs?q=a");
    expect(await current(browser)).toMatchObject({
      actor: { type: "human", id: memberId },
      role: "operator",
    });
    expect(browser.cookies.has("signalbox_oidc"), "the flow's cookie is gone").toBe(false);

    const spent = await restClient(server, {})("POST", "/v1/session", {
      body: { token: link.split("#")[1] },
    });
    expect(spent.status).toBe(401);
    comesAs("ada", "another@example.org", false);
    expect(await signIn()).toBe("/");
    comesAs("ada-of-another", "ada@example.org");
    expect(await signIn(), "the invitation is used up").toBe("/sign-in?refused=not-a-member");
  });

  test("nobody by an address that the provider has not verified, or does not tell", async () => {
    await invite("grace@example.org", "admin");
    comesAs("grace", "grace@example.org", false);
    expect(await signIn()).toBe("/sign-in?refused=not-a-member");
    comesAs("grace");
    expect(await signIn()).toBe("/sign-in?refused=not-a-member");
  });

  test("nobody who was removed, though the provider still knows them", async () => {
    const { memberId } = await invite("joan@example.org");
    comesAs("joan", "joan@example.org");
    const browser = cookieBrowser();
    expect(await signIn(browser)).toBe("/");
    expect((await admin("DELETE", `/v1/members/${memberId}`)).status).toBe(204);
    expect(await current(browser)).toBeNull();
    expect(await signIn(browser)).toBe("/sign-in?refused=not-a-member");
  });

  test("nobody of another tenant", async () => {
    comesAs("ada", "ada@example.org");
    expect(await signIn(cookieBrowser(), "?tenantId=elsewhere&next=%2Fpacks%3Fq%3Dx")).toBe(
      "/sign-in?refused=not-a-member&next=%2Fpacks%3Fq%3Dx&tenant=elsewhere",
    );
    const hostile = await cookieBrowser().step(start("?tenantId=a%27b"));
    expect(hostile.status).toBe(422);
  });
});

const asked = async () => {
  const { url } = await cookieBrowser().follow(start(), ({ origin }) => origin === provider.issuer.origin);
  return Object.fromEntries(url.searchParams);
};

describe("the way there and back", () => {
  test("asks by code, with PKCE, a state and a nonce that are new each time", async () => {
    const [one, other] = [await asked(), await asked()];
    expect(one).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      client_id: clientId,
      scope: "openid email",
    });
    for (const name of ["state", "nonce", "code_challenge"]) {
      expect(one[name]?.length).toBeGreaterThanOrEqual(43);
      expect(one[name]).not.toBe(other[name]);
    }
  });

  test("leads to no other site afterwards", async () => {
    comesAs("ada", "ada@example.org");
    for (const next of ["//evil.example", "/\\evil.example", "https://evil.example", "/\t/evil.example"])
      expect(await signIn(cookieBrowser(), `?next=${encodeURIComponent(next)}`)).toBe("/");
  });

  test("is this browser's own: an answer without its cookie, with another's state, or a second time opens nothing", async () => {
    comesAs("ada", "ada@example.org");
    const browser = cookieBrowser();
    const { url: callback } = await browser.follow(start(), isCallback);
    const other = cookieBrowser();
    await other.step(start());
    const to = async (who: CookieBrowser) => (await who.step(callback)).headers.get("location");
    expect(await to(cookieBrowser())).toBe("/sign-in?refused=not-begun-here");
    expect(await to(other)).toBe("/sign-in?refused=provider");
    expect(other.cookies.has("signalbox_session")).toBe(false);
    const flow = browser.cookies.get("signalbox_oidc") ?? "";
    expect(await to(browser)).toBe("/");
    const again = cookieBrowser({ signalbox_oidc: flow });
    expect(await to(again), "the code is spent").toBe("/sign-in?refused=provider");
    expect(again.cookies.has("signalbox_session")).toBe(false);
  });

  test("says so where the provider refused, and where the cookie is no flow of ours", async () => {
    const browser = cookieBrowser();
    await browser.step(start());
    const refused = new URL("/v1/session/oidc/callback?error=access_denied&state=x", server.origin);
    expect((await browser.step(refused)).headers.get("location")).toBe("/sign-in?refused=provider");
    const forged = cookieBrowser({ signalbox_oidc: encoded({ state: 1 }) });
    expect((await forged.step(refused)).headers.get("location")).toBe("/sign-in?refused=not-begun-here");
  });
});

const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const unsigned = (header: object, claims: object) => `${encoded(header)}.${encoded(claims)}`;
const lies: Record<string, Lie> = {
  "another nonce": ({ header, claims }, signed) =>
    signed({ header, claims: { ...claims, nonce: "another" } }),
  "no nonce": ({ header, claims: { nonce: _nonce, ...claims } }, signed) => signed({ header, claims }),
  "another audience": ({ header, claims }, signed) => signed({ header, claims: { ...claims, aud: "other" } }),
  "another issuer": ({ header, claims }, signed) =>
    signed({ header, claims: { ...claims, iss: "https://evil.example" } }),
  "an end in the past": ({ header, claims }, signed) =>
    signed({ header, claims: { ...claims, exp: Math.floor(Date.now() / 1000) - 3_600 } }),
  "a changed claim under the old signature": ({ header, claims }, signed) => {
    const signature = signed({ header, claims }).split(".")[2];
    return `${unsigned(header, { ...claims, acr: "high" })}.${signature}`;
  },
  "another's key": ({ header, claims }) => {
    const text = unsigned(header, claims);
    return `${text}.${sign("sha256", Buffer.from(text), other).toString("base64url")}`;
  },
  "no algorithm": ({ header, claims }) => `${unsigned({ ...header, alg: "none" }, claims)}.`,
  "our own secret as the key": ({ header, claims }) => {
    const text = unsigned({ ...header, alg: "HS256" }, claims);
    return `${text}.${createHmac("sha256", clientSecret).update(text).digest("base64url")}`;
  },
  "no token at all": () => "",
};

describe("an ID token is refused with", () => {
  test.each(Object.entries(lies))("%s", async (_, lie) => {
    comesAs("ada", "ada@example.org");
    provider.state.lie = lie;
    const browser = cookieBrowser();
    expect(await signIn(browser)).toBe("/sign-in?refused=provider");
    expect(browser.cookies.has("signalbox_session")).toBe(false);
    expect(await current(browser)).toBeNull();
  });

  test("none of these, as it was signed", async () => {
    comesAs("ada", "ada@example.org");
    provider.state.lie = ({ header, claims }, signed) => signed({ header, claims });
    expect(await signIn()).toBe("/");
  });
});

test("neither a code, a token nor the client's secret is in the log", () => {
  const log = server.log();
  expect(log).toContain("sign-in by OIDC refused");
  expect(log).not.toContain(clientSecret);
  expect(log).not.toMatch(/code=[\w-]{20}/);
});

test("a provider that does not answer keeps nothing from starting, and says so to who signs in", async () => {
  const port = await freePort();
  const away = await startTestServer({
    publicUrl: new URL("http://127.0.0.1:1"),
    oidc: { issuer: new URL(`http://127.0.0.1:${port}`), clientId, clientSecret },
  });
  try {
    const answer = await fetch(`http://127.0.0.1:${away.port}/v1/session/oidc`, { redirect: "manual" });
    expect(await answer.json()).toMatchObject({ status: 503, code: "UNAVAILABLE" });
  } finally {
    await away.dispose();
  }
});
