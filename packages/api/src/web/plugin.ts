import { existsSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import { SignalboxError } from "@signalbox/contracts";
import type { FastifyInstance } from "fastify";
import { sendProblem } from "../problem.ts";

/** Paths of the programs' interfaces: there a missing thing is a problem, and never the page. */
const programs =
  /^\/(vasini\.|grpc\.|(v1|trpc|healthz|readyz|metrics|mcp|openapi\.json|docs|assets)([/?]|$))/;

/** A name with a leading dot, or with an extension at the end: somebody looks for a file, and it is not here. */
const file = /\/\.|\/[^/]*\.[A-Za-z]\w{0,9}$/;

/** Pages whose addresses hold names that people chose, which may look like a file's. */
const namedPages = /^\/(packs|policies)\//;

const isFile = (path: string) => file.test(path) && !namedPages.test(path);

const pathOf = (url: string) => url.split("?", 1)[0] ?? "";

type Asks = {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
};

const isPage = ({ method, url = "/", headers }: Asks) =>
  (method === "GET" || method === "HEAD") &&
  !programs.test(url) &&
  !isFile(pathOf(url)) &&
  (headers.accept ?? "*/*").split(",").some((type) => /^\s*(text\/html|\*\/\*)/.test(type));

/**
 * An address that no router can decode, such as one that was cut off in the middle of a letter: who follows it in a browser is
 * told by a page that it is none, and not by JSON. Programs are told what is wrong with it.
 */
export function routableUrl(asks: Asks): string {
  const { url = "/" } = asks;
  if (!url.includes("%") || isDecodable(pathOf(url)) || !isPage(asks)) return url;
  return url.replaceAll("%", "%25");
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** The SPA: hashed assets for ever, its page never from a cache, and every other address of its own the same page. */
export async function webPlugin(app: FastifyInstance, { root }: { root: string | undefined }): Promise<void> {
  const built = root !== undefined && existsSync(join(root, "index.html"));
  if (built) {
    await app.register(fastifyStatic, {
      root,
      wildcard: false,
      cacheControl: false,
      // The build lays them beside their originals (apps/web/scripts/precompress.ts); they have no address of their own.
      preCompressed: true,
      globIgnore: ["**/*.br", "**/*.gz"],
      setHeaders: (response, path) => {
        const hashed = path.startsWith(join(root, "assets"));
        response.header("cache-control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    if (built && isPage(request)) return reply.sendFile("index.html");
    const detail = `There is nothing at ${pathOf(request.url).slice(0, 200)}.`;
    return sendProblem(request, reply, new SignalboxError("NOT_FOUND", detail));
  });
}
