import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { create } from "@bufbuild/protobuf";
import { RefSchema } from "@signalbox/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRefSource } from "./ref-source.ts";

const body = "the specification";
const digestOf = (algorithm: string) => `${algorithm}:${createHash(algorithm).update(body).digest("hex")}`;
const answers: Record<string, RequestListener> = {
  "/spec": (_request, response) => response.end(body),
  "/moved": (_request, response) => response.writeHead(302, { location: "/spec" }).end(),
  "/away": (_request, response) => response.writeHead(302, { location: "http://metadata.invalid/" }).end(),
  "/other-port": (_request, response) =>
    response.writeHead(302, { location: "http://127.0.0.1:1/spec" }).end(),
  "/round": (_request, response) => response.writeHead(307, { location: "/round" }).end(),
  "/gone": (_request, response) => response.writeHead(404).end("no"),
  "/large": (_request, response) => pour(response),
  "/silent": () => undefined,
  "/trickle": (_request, response) => response.write("a"),
};

function pour(response: Parameters<RequestListener>[1]): void {
  while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
  if (!response.destroyed) response.once("drain", () => pour(response));
}

let server: Server;
let host = "";
const asked: IncomingMessage[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request);
    answers[request.url ?? ""]?.(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const now = () => 1_800_000_000_000;
const fetched = (
  uriOrLocator: string,
  options: { digest?: string; hosts?: string[]; withinMs?: number } = {},
) => {
  const { digest = "", hosts = [host], withinMs = 5_000 } = options;
  const source = createRefSource({ hosts, now, withinMs, mostBytes: 1024 * 1024 });
  return source(create(RefSchema, { uriOrLocator, digest }), "default");
};

test("a reference of a host on the list is fetched, and told by its digest", async () => {
  const outcome = { kind: "refreshed", digest: digestOf("sha256"), fetchedAt: now() };
  expect(await fetched(`http://${host}/spec`)).toEqual(outcome);
  expect(asked.at(-1)?.headers["accept-encoding"]).toBe("identity");
  expect(await fetched(`http://${host}/moved`)).toEqual(outcome);
});

test("a reference that is pinned with a longer digest is told by the same kind", async () => {
  const pinned = await fetched(`http://${host}/spec`, { digest: "sha512:00" });
  expect(pinned).toMatchObject({ digest: digestOf("sha512") });
  expect(await fetched(`http://${host}/spec`, { digest: "md5:00" })).toMatchObject({
    digest: digestOf("sha256"),
  });
});

test.each([
  ["src/main.ts", "it is no URL", { forGood: true }],
  ["file:///etc/passwd", "file: is fetched from nowhere", { forGood: true }],
  ["http://169.254.169.254/latest/meta-data", "169.254.169.254 is not in SIGNALBOX_REF_HOSTS", {}],
  ["http://localhost:5432/", "localhost:5432 is not in SIGNALBOX_REF_HOSTS", {}],
])("%s is not asked for", async (uriOrLocator, why, lasting) => {
  const before = asked.length;
  expect(await fetched(uriOrLocator)).toEqual({ kind: "failed", why, ...lasting });
  expect(asked).toHaveLength(before);
});

test("with no list nothing is asked for, and credentials are never sent along", async () => {
  const before = asked.length;
  expect(await fetched(`http://${host}/spec`, { hosts: [] })).toMatchObject({ kind: "failed" });
  expect(await fetched(`http://me:secret@${host}/spec`)).toEqual({
    kind: "failed",
    why: "it carries credentials",
    forGood: true,
  });
  expect(asked).toHaveLength(before);
});

test("a host is listed with its usual port or without", async () => {
  for (const hosts of [["docs.invalid"], ["docs.invalid:443"]]) {
    const { kind, ...outcome } = await fetched("https://docs.invalid/a?b=secret", { hosts });
    expect(kind).toBe("failed");
    expect(JSON.stringify(outcome)).toContain("could not be fetched");
    expect(JSON.stringify(outcome)).not.toContain("secret");
  }
});

test.each([
  ["/away", "redirects elsewhere"],
  ["/other-port", "redirects elsewhere"],
  ["/round", "redirected more than 3 times"],
  ["/gone", "answered 404"],
  ["/large", "more than the 1048576 bytes"],
])("%s fails with its reason", async (path, why) => {
  const outcome = await fetched(`http://${host}${path}`);
  expect(outcome).toMatchObject({ kind: "failed", why: expect.stringContaining(why) });
});

test.each(["/silent", "/trickle"])("%s is given up after its time", async (path) => {
  expect(await fetched(`http://${host}${path}`, { withinMs: 100 })).toEqual({
    kind: "failed",
    why: "it took longer than 100 ms",
  });
});

test("many at once wait for each other, and all are answered", async () => {
  const source = createRefSource({ hosts: [host], now });
  const refs = Array.from({ length: 100 }, () => create(RefSchema, { uriOrLocator: `http://${host}/spec` }));
  const outcomes = await Promise.all(refs.map((ref) => source(ref, "default")));
  expect(outcomes.filter(({ kind }) => kind === "refreshed")).toHaveLength(100);
});
