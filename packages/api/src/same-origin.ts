import type { IncomingHttpHeaders } from "node:http";

/**
 * A browser sends the session's cookie with whatever a page asks for, so a request that changes something, or opens a
 * WebSocket (which no CORS rule guards), must come from our own pages. SameSite=Strict alone leaves sibling hosts of
 * the same site, and other ports of the same host, free to try.
 */
export function crossOriginReason(
  headers: Pick<IncomingHttpHeaders, "origin" | "host"> & { [name: string]: string | string[] | undefined },
  publicUrl: URL | undefined,
): string | undefined {
  const site = headers["sec-fetch-site"];
  if (site === "same-origin") return undefined;
  if (site !== undefined) return `sec-fetch-site is ${JSON.stringify(site)}`;
  const { origin, host } = headers;
  if (origin === undefined) return "neither sec-fetch-site nor origin is given";
  const from = URL.parse(origin);
  if (from !== null && publicUrl !== undefined && from.origin === publicUrl.origin) return undefined;
  // A proxy that ends TLS changes the scheme and not the host.
  if (from !== null && from.host !== "" && from.host === host) return undefined;
  return `origin ${JSON.stringify(origin.slice(0, 100))} is not this server's`;
}
