import { LinkFailure } from "@signalbox/engine";
import type { AgentHosts } from "./agent-hosts.ts";

/** Why nobody is called at this address: it is no URL that can be, or not one that may be. */
export function urlRefusal(address: string, hosts: AgentHosts): string | undefined {
  const url = URL.parse(address);
  if (url === null) return "is no URL; http:// or https:// with a host is";
  if (!["http:", "https:"].includes(url.protocol)) return `is ${url.protocol}; http: or https: is allowed`;
  if (url.username + url.password !== "") return "carries credentials, which are not sent; leave them out";
  if (url.hash !== "" || url.search !== "")
    return "carries a query or a fragment; a host and a path are allowed";
  return hosts.refusal(url);
}

/** Asked again before each call: what is allowed may have changed since the heartbeat. */
export function urlToCall(address: string, hosts: AgentHosts): URL {
  const refusal = urlRefusal(address, hosts);
  if (refusal !== undefined) throw new LinkFailure("not-taken", `${address.slice(0, 200)} ${refusal}`);
  return new URL(address);
}
