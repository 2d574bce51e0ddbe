import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { fastify, type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { securityHeaders } from "../security-headers.ts";
import { routableUrl, webPlugin } from "./plugin.ts";

const page = "<!doctype html><title>Signalbox</title>";
const shell = "export const signals = 'clear, caution, danger';\n".repeat(40);
const root = mkdtempSync(join(tmpdir(), "signalbox-web-"));
let app: FastifyInstance;
beforeAll(async () => {
  mkdirSync(join(root, "assets"));
  writeFileSync(join(root, "index.html"), page);
  writeFileSync(join(root, "assets/main-4f3a.js"), "export {};");
  writeFileSync(join(root, "assets/shell-9c1d.js"), shell);
  writeFileSync(join(root, "assets/shell-9c1d.js.br"), brotliCompressSync(shell));
  writeFileSync(join(root, "assets/shell-9c1d.js.gz"), gzipSync(shell));
  writeFileSync(join(root, "index.html.br"), brotliCompressSync(page));
  writeFileSync(join(root, "favicon.svg"), "<svg/>");
  app = fastify({ rewriteUrl: routableUrl });
  securityHeaders(app, undefined);
  await webPlugin(app, { root });
});
afterAll(async () => {
  await app.close();
  rmSync(root, { recursive: true });
});

const shellAs = (encodings: string, more: Record<string, string> = {}) =>
  app.inject({ url: "/assets/shell-9c1d.js", headers: { "accept-encoding": encodings, ...more } });

describe("the pages", () => {
  test.each([
    "/",
    "/packs",
    "/packs/senior-ts-dev/versions/1.0.0?tab=tools",
    "/sign-in",
    "/?from=mail.html",
    "/packs/my.pack/versions/1.0.0-rc.beta",
    "/policies/1.0.0-rc.beta",
  ])("%s is the page, asked for anew each time", async (url) => {
    const answer = await app.inject({ url, headers: { accept: "text/html,*/*;q=0.8" } });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toContain("text/html");
    expect(answer.headers["cache-control"]).toBe("no-cache");
    expect(answer.body).toContain("Signalbox");
  });

  test("a hashed asset is kept for ever, any other file is asked for anew", async () => {
    const asset = await app.inject({ url: "/assets/main-4f3a.js" });
    expect(asset.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect((await app.inject({ url: "/favicon.svg" })).headers["cache-control"]).toBe("no-cache");
  });

  test("what the build compressed is sent so to who takes it, and plain to who does not", async () => {
    const brotli = await shellAs("gzip, deflate, br");
    const gzip = await shellAs("gzip");
    const plain = await shellAs("identity");
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(shell);
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(shell);
    expect(plain.body).toBe(shell);
    expect([brotli, gzip, plain].map(({ headers }) => headers["content-encoding"])).toEqual([
      "br",
      "gzip",
      undefined,
    ]);
    for (const { headers, rawPayload } of [brotli, gzip, plain])
      expect(headers).toMatchObject({
        "content-type": expect.stringMatching(/^(text|application)\/javascript/),
        "content-length": String(rawPayload.length),
        "cache-control": "public, max-age=31536000, immutable",
        vary: expect.stringMatching(/accept-encoding/i),
      });
    expect(new Set([brotli, gzip, plain].map(({ headers }) => headers.etag)).size).toBe(3);
  });

  test("a file without a compressed form is sent as it is, and the page is compressed at every address", async () => {
    const asset = await app.inject({
      url: "/assets/main-4f3a.js",
      headers: { "accept-encoding": "br, gzip" },
    });
    expect(asset.headers).not.toHaveProperty("content-encoding");
    expect(asset.body).toBe("export {};");
    const deep = await app.inject({
      url: "/packs",
      headers: { "accept-encoding": "br", accept: "text/html" },
    });
    expect(deep.headers).toMatchObject({ "content-encoding": "br", "cache-control": "no-cache" });
    expect(brotliDecompressSync(deep.rawPayload).toString()).toBe(page);
  });

  test("whoever has it is told that it has not changed", async () => {
    const { headers } = await shellAs("br");
    const again = await shellAs("br", { "if-none-match": String(headers.etag) });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe("");
  });

  test.each(["/assets/shell-9c1d.js.br", "/assets/shell-9c1d.js.gz", "/index.html.br"])(
    "%s has no address of its own",
    async (url) => {
      expect((await app.inject({ url, headers: { accept: "*/*" } })).statusCode).toBe(404);
    },
  );

  test.each([
    "/assets/gone-1234.js",
    "/v1/nothing",
    "/trpc/nothing",
    "/metrics",
    "/vasini.agent.v1.AgentService/RunAgent",
    "/.env",
    "/.git/config",
    "/favicon.ico",
    "/wp-login.php?redirect=1",
    "/admin/setup.php",
  ])("what is missing at %s is a problem and never the page", async (url) => {
    const answer = await app.inject({ url, headers: { accept: "*/*" } });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ code: "NOT_FOUND" });
  });

  test("an address that nobody can decode is the page to a browser, and refused to a program", async () => {
    for (const url of ["/pipelines/%E0%A4%A", "/%", "/packs/%zz?q=%20"]) {
      const answer = await app.inject({ url, headers: { accept: "text/html" } });
      expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
      expect((await app.inject({ url, headers: { accept: "application/json" } })).statusCode).toBe(400);
    }
    for (const url of ["/v1/pipelines/%E0%A4%A", "/trpc/%"])
      expect((await app.inject({ url, headers: { accept: "text/html" } })).statusCode).toBe(400);
    expect(routableUrl({ method: "GET", url: "/packs/a%20b", headers: {} })).toBe("/packs/a%20b");
  });

  test("a program that asks for JSON, or posts, gets no page", async () => {
    expect((await app.inject({ url: "/packs", headers: { accept: "application/json" } })).statusCode).toBe(
      404,
    );
    expect((await app.inject({ url: "/packs", method: "POST" })).statusCode).toBe(404);
  });

  test.each(["/../package.json", "/..%2fpackage.json", "/assets/..%2f..%2fetc/passwd", "/.env"])(
    "%s leads out of the folder and is not served",
    async (url) => {
      const answer = await app.inject({ url, headers: { accept: "application/json" } });
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    },
  );

  test("nothing inline, nothing from elsewhere, no frames", async () => {
    const { headers } = await app.inject({ url: "/" });
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" });
    expect(headers).not.toHaveProperty("strict-transport-security");
  });
});

test("without built pages the interfaces still answer, and a page is a problem", async () => {
  const bare = fastify();
  await webPlugin(bare, { root: undefined });
  expect((await bare.inject({ url: "/" })).json()).toMatchObject({ status: 404 });
  await bare.close();
});
