import type { AppRouter } from "@signalbox/api";
import { createTRPCClient, httpBatchLink, TRPCClientError } from "@trpc/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { manifest, policy, templates } from "./testing/plain-agent.ts";
import { type RestClient, withKey } from "./testing/rest-client.ts";
import { bearer, startTestServer, type TestServer } from "./testing/test-server.ts";

let server: TestServer;
let admin: RestClient;
let foreign: RestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = withKey(server, server.adminKey);
  foreign = withKey(server, await server.keyOf("admin", "elsewhere"));
  await admin("POST", "/v1/packs", { body: manifest });
});
afterAll(() => server.dispose());

const yaml = { "content-type": "application/yaml" };

describe.each([
  ["routing policies", "/v1/routing-policies", policy],
  ["pipeline templates", "/v1/pipeline-templates", templates],
])("%s", (_, path, text) => {
  const version = (name: string) => text.replace(`version: "1.0.0"`, `version: "${name}"`);

  test("are drafted, changed by whoever has read them, and published", async () => {
    const drafted = await admin("POST", `${path}?note=first`, { body: text, headers: yaml });
    expect(drafted.status).toBe(201);
    expect(drafted.headers.get("location")).toBe(`${path}/1.0.0`);
    expect(drafted.headers.get("etag")).toBe(`"1"`);
    expect(drafted.json.value).toMatchObject({
      version: "1.0.0",
      status: "draft",
      edit: 1,
      note: "first",
      publishedAt: null,
      text,
    });
    const again = await admin("POST", path, {
      body: text,
      headers: { "content-type": "text/yaml; charset=utf-8" },
    });
    expect(again.status).toBe(200);

    const changed = `${text}# changed\n`;
    const put = (body: string, headers: Record<string, string>) =>
      admin("PUT", `${path}/1.0.0`, { body, headers: { ...yaml, ...headers } });
    expect((await put(changed, {})).json.value).toMatchObject({
      status: 422,
      violations: [{ field: "If-Match", rule: "required" }],
    });
    expect((await put(changed, { "if-match": "1" })).json.at("violations", 0, "rule")).toBe("entity_tag");
    const edited = await put(changed, { "if-match": `"1"` });
    expect([edited.status, edited.headers.get("etag")]).toEqual([200, `"2"`]);
    expect((await put(text, { "if-match": `"1"` })).json.value).toMatchObject({
      status: 412,
      code: "VERSION_CONFLICT",
    });

    const publish = (headers: Record<string, string>, body?: object) =>
      admin("POST", `${path}/1.0.0/publish`, { body, headers });
    expect((await publish({ "if-match": `"1"` })).json.at("code")).toBe("VERSION_CONFLICT");
    expect((await publish({}, { replaces: "0.9.0" })).json.at("code")).toBe("VERSION_CONFLICT");
    const published = await publish({ "if-match": `"2"` }, { note: "go", replaces: null });
    expect(published.json.value).toMatchObject({ status: "active", publishedBy: expect.any(String) });
    const active = await admin("GET", `${path}/active`);
    expect(active.json.value).toMatchObject({ version: "1.0.0", text: changed });
    expect((await put(text, { "if-match": `"2"` })).json.at("code")).toBe("INVALID_STATE");
  });

  test("are listed without their texts, and a draft is discarded by who has read it", async () => {
    await admin("POST", path, { body: version("2.0.0"), headers: yaml });
    const list = await admin("GET", `${path}?limit=1`);
    expect(list.json.value).toMatchObject({ versions: [{ version: "2.0.0", status: "draft" }] });
    expect(list.json.at("versions", 0, "text")).toBeUndefined();
    const rest = await admin("GET", `${path}?cursor=${list.json.text("nextCursor")}`);
    expect(rest.json.at("versions", 0, "version")).toBe("1.0.0");
    const discard = (tag: string) => admin("DELETE", `${path}/2.0.0`, { headers: { "if-match": tag } });
    expect((await admin("DELETE", `${path}/2.0.0`)).json.at("violations", 0, "field")).toBe("If-Match");
    expect((await discard(`"7"`)).status).toBe(412);
    expect((await discard(`"1"`)).status).toBe(204);
    expect((await discard(`"1"`)).status).toBe(404);
    expect((await admin("DELETE", `${path}/a%00b`, { headers: { "if-match": `"1"` } })).status).toBe(404);
  });

  test("are another tenant's own", async () => {
    expect((await foreign("GET", `${path}/active`)).json.at("code")).toBe("NOT_FOUND");
    expect((await foreign("GET", `${path}/1.0.0`)).json.at("code")).toBe("NOT_FOUND");
    expect((await foreign("GET", path)).json.at("versions")).toEqual([]);
    expect((await foreign("POST", `${path}/1.0.0/publish`)).json.at("code")).toBe("NOT_FOUND");
  });

  test("are JSON as well, and nothing that is neither", async () => {
    const checked = await admin("POST", `${path}/check`, { body: { nothing: true } });
    expect(checked.json.value).toMatchObject({ valid: false, version: null });
    expect(
      (await admin("POST", path, { body: text, headers: { "content-type": "text/plain" } })).status,
    ).toBe(415);
    const latin = await fetch(`${server.origin}${path}/check`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.adminKey}`, ...yaml },
      body: new Uint8Array([0xff, 0xfe]),
    });
    expect(await latin.json()).toMatchObject({ code: "MALFORMED_BODY" });
    expect((await admin("GET", `${path}/check`)).status).toBe(405);
    expect((await admin("PATCH", `${path}/1.0.0`)).headers.get("allow")).toContain("PUT");
  });

  test("are checked without being kept, each fault by line and column", async () => {
    const fine = await admin("POST", `${path}/check`, { body: version("3.0.0"), headers: yaml });
    expect(fine.json.value).toMatchObject({ valid: true, version: "3.0.0", faults: [] });
    expect((await admin("GET", `${path}/3.0.0`)).status).toBe(404);
    const broken = `${version("3.0.0")}\nstray: [`;
    const faults = await admin("POST", `${path}/check`, { body: broken, headers: yaml });
    expect(faults.json.value).toMatchObject({
      valid: false,
      version: null,
      faults: [{ line: expect.any(Number), column: expect.any(Number), rule: "syntax" }],
    });
  });
});

describe("a document with faults", () => {
  test("a policy is refused whole, each fault with its line and column", async () => {
    const bad = policy
      .replace(`version: "1.0.0"`, `version: "4.0.0"`)
      .replace(`window: "60s"`, `window: "5 minutes"`)
      .replace("require_healthy: false", "require_healthy: perhaps");
    const refused = await admin("POST", "/v1/routing-policies", { body: bad, headers: yaml });
    expect(refused.json.value).toMatchObject({
      status: 422,
      code: "VALIDATION_FAILED",
      violations: [
        { field: expect.stringMatching(/^14:\d+ routing_policy\.admission\.circuit_breaker\.window$/) },
        { field: expect.stringMatching(/^17:\d+ routing_policy\.defaults\.require_healthy$/) },
      ],
    });
    expect((await admin("GET", "/v1/routing-policies/4.0.0")).status).toBe(404);
  });

  test("a policy that names an unknown pack is kept as a draft, and is not published", async () => {
    const text = policy.replace(`version: "1.0.0"`, `version: "5.0.0"`).replaceAll("plain-dev", "nobody");
    expect((await admin("POST", "/v1/routing-policies", { body: text, headers: yaml })).status).toBe(201);
    const refused = await admin("POST", "/v1/routing-policies/5.0.0/publish");
    expect(refused.json.value).toMatchObject({
      status: 422,
      violations: [{ rule: "unknown_pack" }, { rule: "unknown_pack" }],
    });
    const checked = await admin("POST", "/v1/routing-policies/check", { body: text, headers: yaml });
    expect(checked.json.at("faults", 0, "rule")).toBe("unknown_pack");
  });

  test("a template with a circle is refused by the line of it", async () => {
    const circle = templates
      .replace(`version: "1.0.0"`, `version: "4.0.0"`)
      .replace("          context_propagation: { mode: NONE }", "          depends_on_stages: [review]");
    const refused = await admin("POST", "/v1/pipeline-templates", { body: circle, headers: yaml });
    expect(refused.json.at("status")).toBe(422);
    expect(refused.json.at("violations", 0)).toMatchObject({
      field: expect.stringMatching(/^\d+:\d+ pipeline_templates\./),
      rule: "cycle",
    });
  });

  test("a secret in a document is refused, and is not said again", async () => {
    const secret = ["ghp", "0123456789abcdefghijABCDEFGHIJ012345"].join("_");
    const text = `${policy}# ${secret}\n`;
    const refused = await admin("POST", "/v1/routing-policies", { body: text, headers: yaml });
    expect(refused.json.at("violations", 0, "rule")).toBe("secret");
    expect(JSON.stringify(refused.json.value)).not.toContain(secret);
  });
});

const textOf = (version: string) => policy.replace(`version: "1.0.0"`, `version: "${version}"`);
const codeOf = async (call: Promise<unknown>): Promise<unknown> => {
  try {
    await call;
    return "no refusal";
  } catch (error) {
    if (error instanceof TRPCClientError) return error.data?.problem?.code;
    throw error;
  }
};

describe("the pages' procedures", () => {
  const kind = "routing-policy" as const;
  let own: TestServer;
  beforeAll(async () => {
    own = await startTestServer();
    await withKey(own, own.adminKey)("POST", "/v1/packs", { body: manifest });
  });
  afterAll(() => own.dispose());
  const clientOf = (key: string) =>
    createTRPCClient<AppRouter>({
      links: [httpBatchLink({ url: `${own.origin}/trpc`, headers: bearer(key) })],
    });

  test("none is active at first; a draft is published, replaced, and comes back by a roll back", async () => {
    const { documents } = clientOf(own.adminKey);
    expect(await documents.active.query({ kind })).toBeNull();
    const { document, created } = await documents.draft.mutate({
      kind,
      text: textOf("1.0.0"),
      note: "first",
    });
    expect([created, document.edit, document.note]).toEqual([true, 1, "first"]);
    const seen = { kind, version: "1.0.0", edit: 1, replaces: null };
    expect(await documents.publish.mutate({ ...seen, note: "go" })).toMatchObject({ status: "active" });
    await documents.draft.mutate({ kind, text: textOf("1.1.0") });
    await documents.publish.mutate({ kind, version: "1.1.0", edit: 1, replaces: "1.0.0" });
    const back = { kind, version: "1.0.0", replaces: "1.1.0", note: "1.1.0 sent too much to one pack" };
    expect(await documents.publish.mutate(back)).toMatchObject({ version: "1.0.0", status: "active" });
    expect((await documents.active.query({ kind }))?.version).toBe("1.0.0");
    const { versions } = await documents.list.query({ kind });
    expect(versions.map(({ version, status }) => `${version} ${status}`)).toEqual([
      "1.1.0 retired",
      "1.0.0 active",
    ]);
  });

  test("of two who edit one draft the second is refused, and what the first wrote stays", async () => {
    const { documents } = clientOf(own.adminKey);
    const text = textOf("2.0.0");
    await documents.draft.mutate({ kind, text });
    const change = { kind, version: "2.0.0", edit: 1 };
    expect(await documents.edit.mutate({ ...change, text: `${text}# mine\n` })).toMatchObject({ edit: 2 });
    const late = documents.edit.mutate({ ...change, text: `${text}# theirs\n` });
    expect(await codeOf(late)).toBe("VERSION_CONFLICT");
    expect((await documents.get.query({ kind, version: "2.0.0" })).text).toBe(`${text}# mine\n`);
    expect(await codeOf(documents.publish.mutate({ ...change }))).toBe("VERSION_CONFLICT");
    expect(await codeOf(documents.discard.mutate(change))).toBe("VERSION_CONFLICT");
    await documents.discard.mutate({ ...change, edit: 2 });
    expect(await codeOf(documents.get.query({ kind, version: "2.0.0" }))).toBe("NOT_FOUND");
  });

  test("a check tells what a policy leaves open, each with its line", async () => {
    const { documents } = clientOf(own.adminKey);
    const { findings } = await documents.check.mutate({ kind, text: textOf("3.0.0") });
    expect(findings).toContainEqual({
      rule: "single_pack",
      severity: "note",
      line: 6,
      column: expect.any(Number),
      path: "routing_policy.routes[0].allowed_pack_ids",
      taskType: "build",
      message: expect.stringContaining("plain-dev"),
    });
    const mute = textOf("3.0.0").replace("task_type: review", "task_type: no-template-asks-for-it");
    const other = await documents.check.mutate({ kind, text: mute });
    expect(other.findings.map(({ rule }) => rule)).toContain("unqualified_pack");
    expect(other.findings.map(({ rule }) => rule)).toContain("no_route");
  });

  test("who only reads drafts and publishes nothing, and is told why", async () => {
    const { documents } = clientOf(await own.keyOf("viewer"));
    expect((await documents.check.mutate({ kind, text: textOf("3.0.0") })).valid).toBe(true);
    expect(await codeOf(documents.draft.mutate({ kind, text: textOf("3.0.0") }))).toBe("FORBIDDEN");
    expect(await codeOf(documents.publish.mutate({ kind, version: "1.1.0" }))).toBe("FORBIDDEN");
  });
});
