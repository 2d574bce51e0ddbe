import { fastify } from "fastify";
import { expect, test } from "vitest";
import { securityHeaders } from "./security-headers.ts";

async function headersOf(publicUrl: URL | undefined, url: string) {
  const app = fastify();
  securityHeaders(app, publicUrl);
  app.get("/here", async () => "here");
  app.get("/v1/packs", async () => []);
  app.get("/broken", async () => Promise.reject(new Error("broken")));
  return (await app.inject(url)).headers;
}

test.each(["/here", "/broken", "/nowhere"])("%s is answered with every header", async (url) => {
  expect(await headersOf(undefined, url)).toMatchObject({
    "content-security-policy":
      "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;font-src 'self';connect-src 'self';" +
      "manifest-src 'self';worker-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  });
});

test.each([
  "/v1/packs",
  "/v1",
  "/v1?x",
  "/trpc/nothing",
  "/healthz",
  "/metrics",
  "/mcp",
  "/vasini.agent.v1.ControlPlaneService/Nothing",
  "/grpc.health.v1.Health/Check",
])("%s is no page: it shows, runs and loads nothing, in no frame", async (url) => {
  const headers = await headersOf(new URL("https://box.example"), url);
  expect(headers).toMatchObject({
    "content-security-policy": "default-src 'none';frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "strict-transport-security": "max-age=31536000",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  });
  expect(headers).not.toHaveProperty("cross-origin-opener-policy");
});

test.each(["/v1x", "/packs/v1", "/docs", "/metricsx", "/vasini", "/?/v1/"])(
  "%s may be a page",
  async (url) => {
    expect((await headersOf(undefined, url))["cross-origin-opener-policy"]).toBe("same-origin");
  },
);

test("a promise of https is made over https only", async () => {
  const promise = "strict-transport-security";
  expect((await headersOf(new URL("https://box.example"), "/here"))[promise]).toBe("max-age=31536000");
  expect((await headersOf(new URL("http://127.0.0.1:7400"), "/here"))[promise]).toBeUndefined();
  expect((await headersOf(undefined, "/here"))[promise]).toBeUndefined();
});
