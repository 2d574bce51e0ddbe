import { lookup as resolve, type LookupAddress } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** Where instances may be called (ADR 0023): which names and ports, and which addresses behind them. */
export type AgentHosts = {
  /** Why a URL is not called; undefined when it may be. */
  refusal(url: URL): string | undefined;
  /** Resolves a name for a connection, and gives only addresses that may be connected to. */
  readonly lookup: LookupFunction;
};

type Port = number | "any" | "usual";
type Entry = { readonly port: Port } & (
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "below"; readonly suffix: string }
  | { readonly kind: "range"; readonly range: BlockList }
);

const setting = "SIGNALBOX_AGENT_HOSTS";
const name = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** One entry of the setting: a name, `*.` and a name, an address or a range, with `:port` or `:*`; undefined for others. */
export function readAgentHost(text: string): Entry | undefined {
  const parts = /^(?<host>\[[^\]]+\]|[^:]+)(:(?<port>\*|\d{1,5}))?$/.exec(text.trim().toLowerCase())?.groups;
  const host = parts?.["host"] ?? "";
  const port = portOf(parts?.["port"]);
  if (host === "" || port === undefined) return undefined;
  const [address = "", prefix] = host.replace(/^\[|\]$/g, "").split("/");
  const family = isIP(address);
  if (family !== 0) {
    const range = rangeOf(address, prefix, family);
    return range && { kind: "range", range, port };
  }
  if (prefix !== undefined || host.startsWith("[")) return undefined;
  const below = host.startsWith("*.") ? host.slice(2) : undefined;
  if (!name.test(below ?? host)) return undefined;
  return below === undefined
    ? { kind: "name", name: host, port }
    : { kind: "below", suffix: `.${below}`, port };
}

function portOf(text: string | undefined): Port | undefined {
  if (text === undefined) return "usual";
  if (text === "*") return "any";
  return Number(text) >= 1 && Number(text) <= 65_535 ? Number(text) : undefined;
}

function rangeOf(address: string, prefix: string | undefined, family: number): BlockList | undefined {
  const most = family === 4 ? 32 : 128;
  if (prefix !== undefined && !/^\d{1,3}$/.test(prefix)) return undefined;
  const bits = prefix === undefined ? most : Number(prefix);
  if (bits > most) return undefined;
  const range = new BlockList();
  range.addSubnet(address, bits, family === 4 ? "ipv4" : "ipv6");
  return range;
}

export function agentHosts(texts: readonly string[]): AgentHosts {
  const entries = texts.flatMap((text) => readAgentHost(text) ?? []);
  const inRange = (address: string) =>
    entries.some((entry) => entry.kind === "range" && holds(entry.range, address));

  /** A name is trusted with public addresses; what lies inside our own network is named by its address (ADR 0023). */
  const mayConnect = (hostname: string, address: string): boolean =>
    isPublic(address) || inRange(address) || (hostname === "localhost" && holds(loopback, address));

  const lookup: LookupFunction = (hostname, options, callback) => {
    const { all, ...others } = options;
    resolve(hostname, { ...others, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      const allowed = found.filter(({ address }) => mayConnect(hostname, address));
      const [first] = allowed;
      if (first === undefined) return callback(refused(hostname, found), []);
      return all === true ? callback(null, allowed) : callback(null, first.address, first.family);
    });
  };

  return {
    lookup,
    refusal(url) {
      const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
      const usual = url.protocol === "https:" ? 443 : 80;
      const port = url.port === "" ? usual : Number(url.port);
      const isNamed = entries.some((entry) => {
        const isPort = entry.port === "any" || port === (entry.port === "usual" ? usual : entry.port);
        return isPort && names(entry, host);
      });
      return isNamed ? undefined : `${url.host} is not in ${setting}, which lists where instances are called`;
    },
  };
}

function names(entry: Entry, host: string): boolean {
  switch (entry.kind) {
    case "name":
      return entry.name === host;
    case "below":
      return host.endsWith(entry.suffix);
    case "range":
      return isIP(host) !== 0 && holds(entry.range, host);
  }
}

const refused = (hostname: string, found: readonly LookupAddress[]): NodeJS.ErrnoException =>
  Object.assign(
    new Error(
      `${hostname} is at ${found.map(({ address }) => address).join(", ") || "no address"}, which is not public and not in ${setting}`,
    ),
    { code: "EACCES" },
  );

const holds = (range: BlockList, address: string): boolean =>
  range.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

function listOf(ranges: string): BlockList {
  const list = new BlockList();
  for (const range of ranges.split(" ")) {
    const [address = "", bits] = range.split("/");
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  return list;
}

const loopback = listOf("127.0.0.0/8 ::1/128");
/** RFC 6890 and its successors: what is not for anybody to reach over the internet. */
const special4 = listOf(
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
);
/** Of IPv6 only this is handed out, and some of it carries an IPv4 address inside. */
const global6 = listOf("2000::/3");
const special6 = listOf("2001::/23 2001:db8::/32 2002::/16 3fff::/20");

function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !holds(special4, address);
  return holds(global6, address) && !holds(special6, address);
}
