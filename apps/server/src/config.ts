import { isIP } from "node:net";
import { resolve } from "node:path";
import { type Limit, type Limits, usualLimits } from "@signalbox/api";
import { firstTenant, type Tenant } from "@signalbox/engine";
import { readAgentHost, type SapStream } from "@signalbox/link";
import { z } from "zod";
import { type TraceSettings, traceSettings, traceVariables } from "./trace-settings.ts";

export type Config = {
  host: string;
  port: number;
  /** Where people reach this process, when that is not where it listens: behind a proxy, or under a name. */
  publicUrl: URL | undefined;
  /** Absent: an embedded Postgres in `dataDirectory`. */
  databaseUrl: string | undefined;
  role: "api" | "engine" | "all";
  bootstrapKey: string | undefined;
  /** Beside the first; each is there from the start on. */
  tenants: readonly Tenant[];
  /** Whether the start prints a sign-in link: while nobody can sign in otherwise, or in any case. */
  signInLink: "when-needed" | "always";
  /** Where people may also sign in; all of it is given, or nothing. */
  oidc: { issuer: URL; clientId: string; clientSecret: string } | undefined;
  dataDirectory: string;
  /** The only hosts from which references are fetched, as a URL's `host` has them. */
  refHosts: readonly string[];
  /** Where agents are called: nowhere else, whatever their heartbeats say. */
  agentHosts: readonly string[];
  /** What calls to agents are signed with. */
  signingKey: Uint8Array | undefined;
  redisUrl: string | undefined;
  /** The keys that send tasks of SAP V2.0 over Redis Streams. */
  sapStreams: readonly SapStream[];
  /** Of requests to this process. */
  limits: Limits;
  /** Where traces go once their pipelines have ended. */
  traces: TraceSettings | undefined;
  /** Whose word is taken for the address that a request came from. */
  trustedProxies: readonly string[];
  log: { level: (typeof logLevels)[number]; format: "auto" | "json" | "pretty" };
  /** npm started this process: it stops when its launcher is gone, since npm may be killed without a signal to pass on. */
  launched: boolean;
  /** `npm start` is what was run, by somebody who may want to know of `npm run demo`. */
  byNpmStart: boolean;
};

/** One wrong value: its name, what was read (never a secret), and what is allowed. */
export type ConfigFault = { name: string; read: string; allowed: string };
export type ConfigResult = { ok: true; config: Config } | { ok: false; faults: ConfigFault[] };
export type Environment = Readonly<Record<string, string | undefined>>;

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
const hostname = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;

const isOrigin = (text: string) => {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return false;
  return url.pathname === "/" && url.search + url.hash + url.username + url.password === "";
};
const isIssuer = (text: string) => {
  const url = URL.parse(text);
  if (url === null || url.search + url.hash + url.username + url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
};
const isLoopback = (host: string) => ["localhost", "127.0.0.1", "[::1]"].includes(host);
const isDecodable = (text: string) => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};
const isPostgresUrl = (text: string) => {
  const url = URL.parse(text);
  if (url === null || !["postgres:", "postgresql:"].includes(url.protocol)) return false;
  return (
    url.pathname.length > 1 && [url.username, url.password, url.hostname, url.pathname].every(isDecodable)
  );
};
/** What the client of Redis reads; of anything else it says so only once it connects. */
const isRedisUrl = (text: string) => {
  const url = URL.parse(text);
  if (url === null || !["redis:", "rediss:"].includes(url.protocol)) return false;
  return /^(?:\/\d*)?$/.test(url.pathname) && [url.username, url.password].every(isDecodable);
};
/** A name or an address, perhaps with a port; in a URL it stands as it was read, so nothing else can hide in it. */
const refHostOf = (text: string): string | undefined => {
  const url = URL.parse(`http://${text}`);
  if (url === null || text === "" || !/^[a-z0-9.:[\]-]+$/i.test(text)) return undefined;
  const port = /:(\d+)$/.exec(text.replace(/^\[.*\]/, ""))?.[1];
  return port === undefined ? url.host : `${url.hostname}:${Number(port)}`;
};
/** 32 characters of this alphabet carry at least 128 bits when they are drawn at random; a repeated letter was not. */
const isStrongKey = (text: string) => /^[A-Za-z0-9_-]{32,200}$/.test(text) && new Set(text).size >= 10;

const tenantIdForm = "[A-Za-z0-9][A-Za-z0-9._\\-]{0,127}";
const tenantForm = new RegExp(`^(${tenantIdForm})(?:=([^\\p{C}]{1,200}))?$`, "u");
const readTenant = (text: string): Tenant | undefined => {
  const [, tenantId, name] = tenantForm.exec(text) ?? [];
  return tenantId === undefined ? undefined : { tenantId, name: name ?? tenantId };
};

const sapStreamForm = new RegExp(`^(${tenantIdForm})/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`);
const readSapStream = (text: string): SapStream | undefined => {
  const [, tenantId, keyId] = sapStreamForm.exec(text) ?? [];
  return tenantId === undefined || keyId === undefined ? undefined : { tenantId, keyId };
};

type Variable<T> = { schema: z.ZodType<T, string>; allowed: string; secret?: true };
const variable = <T>(definition: Variable<T>) => definition;

const limitForm = /^([1-9]\d{0,6})\/s burst ([1-9]\d{0,6}) open ([1-9]\d{0,6})$/;
const limitVariable = variable({
  schema: z
    .string()
    .refine((text) => text === "off" || limitForm.test(text))
    .transform((text): Limit | "off" => {
      const [perSecond = 0, burst = 0, open = 0] = limitForm.exec(text)?.slice(1).map(Number) ?? [];
      return text === "off" ? "off" : { perSecond, burst, open };
    }),
  allowed:
    "off, or requests a second, at once, and under way at a time, such as 200/s burst 400 open 1000; each from 1 to 9999999",
});
/** A range of all addresses would let everybody say where they come from. */
const isProxy = (text: string) => {
  if (["loopback", "linklocal", "uniquelocal"].includes(text)) return true;
  const [address = "", bits, ...more] = text.split("/");
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
};

const variables = {
  HOST: variable({
    schema: z.string().refine((text) => isIP(text) !== 0 || hostname.test(text)),
    allowed: "an IP address or a host name to listen on, such as 127.0.0.1, ::1 or 0.0.0.0",
  }),
  PORT: variable({
    schema: z
      .string()
      .regex(/^\d{1,5}$/)
      .transform(Number)
      .refine((port) => port <= 65_535),
    allowed: "a whole number from 0 (any free port) to 65535",
  }),
  PUBLIC_URL: variable({
    schema: z
      .string()
      .refine(isOrigin)
      .transform((text) => new URL(text)),
    allowed:
      "an http or https origin without path, query or credentials, such as https://signalbox.example.org",
  }),
  DATABASE_URL: variable({
    schema: z.string().refine(isPostgresUrl),
    allowed:
      "postgres://user:password@host:port/database, where a % itself is written %25, or absent for the embedded PostgreSQL",
    secret: true,
  }),
  SIGNALBOX_ROLE: variable({ schema: z.enum(["api", "engine", "all"]), allowed: "api, engine or all" }),
  SIGNALBOX_BOOTSTRAP_KEY: variable({
    schema: z.string().refine(isStrongKey),
    allowed:
      "32 to 200 random characters out of A-Z a-z 0-9 _ -, at least 10 different ones, for instance from `openssl rand -hex 24`",
    secret: true,
  }),
  SIGNALBOX_TENANTS: variable({
    schema: z.string().transform((text, context): Tenant[] => {
      const tenants = text.split(",").map((part) => readTenant(part.trim()));
      const known = new Set([firstTenant.tenantId, ...tenants.map((tenant) => tenant?.tenantId)]);
      if (tenants.every((tenant) => tenant !== undefined) && known.size === tenants.length + 1)
        return tenants;
      context.addIssue({ code: "custom" });
      return z.NEVER;
    }),
    allowed:
      "tenants beside the first, joined by commas, each once: an id of up to 128 letters, digits, dots, hyphens and underscores that begins with a letter or digit and is not default, and perhaps =Name, such as north=Northern Works,south",
  }),
  SIGNALBOX_SIGN_IN_LINK: variable({
    schema: z.enum(["when-needed", "always"]),
    allowed:
      "when-needed (only while no administrator has an account) or always (for who cannot sign in any more)",
  }),
  OIDC_ISSUER: variable({
    schema: z
      .string()
      .refine(isIssuer)
      .transform((text) => new URL(text)),
    allowed:
      "the issuer's https URL without query or credentials, such as https://id.example.org/realm; http on this machine only",
  }),
  OIDC_CLIENT_ID: variable({
    schema: z.string().regex(/^[\x21-\x7E]{1,500}$/),
    allowed: "the name under which the provider knows Signalbox, 1 to 500 printable characters",
  }),
  OIDC_CLIENT_SECRET: variable({
    schema: z.string().regex(/^[\x20-\x7E]{8,500}$/),
    allowed: "the secret that the provider gave for it, 8 to 500 printable characters",
    secret: true,
  }),
  SIGNALBOX_DATA: variable({
    schema: z.string().refine((text) => !text.includes("\0")),
    allowed: "a folder for the embedded PostgreSQL, absolute or from the working directory",
  }),
  SIGNALBOX_REF_HOSTS: variable({
    schema: z.string().transform((text, context): string[] => {
      const hosts = text.split(",").map((host) => refHostOf(host.trim()));
      if (hosts.every((host) => host !== undefined)) return hosts;
      context.addIssue({ code: "custom" });
      return z.NEVER;
    }),
    allowed:
      "host names or addresses joined by commas, each with its port where that is not the usual one, such as docs.example.org,git.example.org:8443",
  }),
  SIGNALBOX_AGENT_HOSTS: variable({
    schema: z
      .string()
      .transform((text) => text.split(",").map((host) => host.trim()))
      .refine((hosts) => hosts.every((host) => readAgentHost(host) !== undefined)),
    allowed:
      "where agents are called, joined by commas: names, *.names, addresses or ranges, each with :port where that is not the usual one, or :* for any, such as *.agents.example.org,10.0.0.0/8:*",
  }),
  SIGNALBOX_SIGNING_KEY: variable({
    schema: z
      .string()
      .regex(/^[A-Za-z0-9_-]{43}$/)
      .transform((text) => Buffer.from(text, "base64url")),
    allowed:
      "32 random bytes as 43 characters of base64url, the same for every node, for instance from `openssl rand -base64 32 | tr '+/' '-_' | tr -d '='`",
    secret: true,
  }),
  REDIS_URL: variable({
    schema: z.string().refine(isRedisUrl),
    allowed:
      "redis://user:password@host:port/database, where the database is a number and a % itself is written %25, or rediss:// for TLS",
    secret: true,
  }),
  SIGNALBOX_SAP_STREAMS: variable({
    schema: z.string().transform((text, context): SapStream[] => {
      const streams = text.split(",").map((part) => readSapStream(part.trim()));
      const named = new Set(streams.map((stream) => stream && `${stream.tenantId}/${stream.keyId}`));
      if (streams.every((stream) => stream !== undefined) && named.size === streams.length) return streams;
      context.addIssue({ code: "custom" });
      return z.NEVER;
    }),
    allowed:
      "the keys that send tasks of SAP V2.0 over Redis Streams, joined by commas, each once as tenant/keyId, such as default/0199a1b2-0000-7000-8000-000000000000",
  }),
  SIGNALBOX_LIMIT_ADDRESS: limitVariable,
  SIGNALBOX_LIMIT_KEY: limitVariable,
  SIGNALBOX_LIMIT_TENANT: limitVariable,
  SIGNALBOX_TRUSTED_PROXIES: variable({
    schema: z
      .string()
      .transform((text) => text.split(",").map((proxy) => proxy.trim()))
      .refine((proxies) => proxies.every(isProxy)),
    allowed:
      "addresses or ranges of the proxies in front, joined by commas, or loopback, linklocal, uniquelocal, such as 10.0.0.7,fd00::/8",
  }),
  ...traceVariables,
  LOG_LEVEL: variable({ schema: z.enum(logLevels), allowed: logLevels.join(", ") }),
  LOG_FORMAT: variable({
    schema: z.enum(["auto", "json", "pretty"]),
    allowed: "auto (pretty on a terminal, else json), json or pretty",
  }),
};

/** The names the product reads, for the documents and for the test that holds them to it. */
export const variableNames = Object.keys(variables);

/** Reads all variables and reports every wrong one at once. An empty variable counts as absent, as in compose files. */
export function readConfig(environment: Environment, workingDirectory: string): ConfigResult {
  const faults: ConfigFault[] = [];
  const read = <T>(name: string, { schema, allowed, secret }: Variable<T>): T | undefined => {
    const text = environment[name];
    if (text === undefined || text === "") return undefined;
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    faults.push({
      name,
      read: secret === true ? `${text.length} characters (not shown)` : JSON.stringify(text),
      allowed,
    });
    return undefined;
  };

  const publicUrl = read("PUBLIC_URL", variables.PUBLIC_URL);
  const oidc = {
    issuer: read("OIDC_ISSUER", variables.OIDC_ISSUER),
    clientId: read("OIDC_CLIENT_ID", variables.OIDC_CLIENT_ID),
    clientSecret: read("OIDC_CLIENT_SECRET", variables.OIDC_CLIENT_SECRET),
  };
  faults.push(...oidcGaps(environment), ...sapStreamGaps(environment));

  const limitOf = (name: string, usual: Limit): Limit | undefined => {
    const limit = read(name, limitVariable) ?? usual;
    return limit === "off" ? undefined : limit;
  };

  const config: Config = {
    host: read("HOST", variables.HOST) ?? "127.0.0.1",
    port: read("PORT", variables.PORT) ?? 7400,
    publicUrl,
    databaseUrl: read("DATABASE_URL", variables.DATABASE_URL),
    role: read("SIGNALBOX_ROLE", variables.SIGNALBOX_ROLE) ?? "all",
    bootstrapKey: read("SIGNALBOX_BOOTSTRAP_KEY", variables.SIGNALBOX_BOOTSTRAP_KEY),
    tenants: read("SIGNALBOX_TENANTS", variables.SIGNALBOX_TENANTS) ?? [],
    signInLink: read("SIGNALBOX_SIGN_IN_LINK", variables.SIGNALBOX_SIGN_IN_LINK) ?? "when-needed",
    oidc: isWhole(oidc) ? oidc : undefined,
    dataDirectory: resolve(
      workingDirectory,
      read("SIGNALBOX_DATA", variables.SIGNALBOX_DATA) ?? ".signalbox",
    ),
    refHosts: read("SIGNALBOX_REF_HOSTS", variables.SIGNALBOX_REF_HOSTS) ?? [],
    agentHosts: read("SIGNALBOX_AGENT_HOSTS", variables.SIGNALBOX_AGENT_HOSTS) ?? [],
    signingKey: read("SIGNALBOX_SIGNING_KEY", variables.SIGNALBOX_SIGNING_KEY),
    redisUrl: read("REDIS_URL", variables.REDIS_URL),
    sapStreams: read("SIGNALBOX_SAP_STREAMS", variables.SIGNALBOX_SAP_STREAMS) ?? [],
    limits: {
      address: limitOf("SIGNALBOX_LIMIT_ADDRESS", usualLimits.address),
      key: limitOf("SIGNALBOX_LIMIT_KEY", usualLimits.key),
      tenant: limitOf("SIGNALBOX_LIMIT_TENANT", usualLimits.tenant),
    },
    traces: traceSettings({
      OTEL_EXPORTER_OTLP_ENDPOINT: read("OTEL_EXPORTER_OTLP_ENDPOINT", variables.OTEL_EXPORTER_OTLP_ENDPOINT),
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: read(
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
        variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
      ),
      OTEL_EXPORTER_OTLP_HEADERS: read("OTEL_EXPORTER_OTLP_HEADERS", variables.OTEL_EXPORTER_OTLP_HEADERS),
      OTEL_EXPORTER_OTLP_PROTOCOL: read("OTEL_EXPORTER_OTLP_PROTOCOL", variables.OTEL_EXPORTER_OTLP_PROTOCOL),
      OTEL_SERVICE_NAME: read("OTEL_SERVICE_NAME", variables.OTEL_SERVICE_NAME),
      OTEL_TRACES_SAMPLER: read("OTEL_TRACES_SAMPLER", variables.OTEL_TRACES_SAMPLER),
      OTEL_TRACES_SAMPLER_ARG: read("OTEL_TRACES_SAMPLER_ARG", variables.OTEL_TRACES_SAMPLER_ARG),
      OTEL_SDK_DISABLED: read("OTEL_SDK_DISABLED", variables.OTEL_SDK_DISABLED),
    }),
    trustedProxies: read("SIGNALBOX_TRUSTED_PROXIES", variables.SIGNALBOX_TRUSTED_PROXIES) ?? [],
    log: {
      level: read("LOG_LEVEL", variables.LOG_LEVEL) ?? "info",
      format: read("LOG_FORMAT", variables.LOG_FORMAT) ?? "auto",
    },
    launched: environment.npm_lifecycle_event !== undefined,
    byNpmStart: environment.npm_lifecycle_event === "start",
  };
  return faults.length === 0 ? { ok: true, config } : { ok: false, faults };
}

const isWhole = (oidc: { [K in keyof NonNullable<Config["oidc"]>]: unknown }): oidc is NonNullable<
  Config["oidc"]
> => Object.values(oidc).every((value) => value !== undefined);

const givenIn = (environment: Environment) => (name: string) =>
  environment[name] !== undefined && environment[name] !== "";

/** Streams without a Redis would be a door that nobody can find shut. */
function sapStreamGaps(environment: Environment): ConfigFault[] {
  const isGiven = givenIn(environment);
  if (!isGiven("SIGNALBOX_SAP_STREAMS") || isGiven("REDIS_URL")) return [];
  return [{ name: "REDIS_URL", read: "nothing", allowed: "SIGNALBOX_SAP_STREAMS needs REDIS_URL beside it" }];
}

/** A provider sends the browser back to an address that it was told before, so PUBLIC_URL is a part of it. */
function oidcGaps(environment: Environment): ConfigFault[] {
  const names = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "PUBLIC_URL"];
  const isGiven = givenIn(environment);
  if (!names.slice(0, 3).some(isGiven)) return [];
  return names
    .filter((name) => !isGiven(name))
    .map((name) => ({
      name,
      read: "nothing",
      allowed: `to sign in by OIDC, ${names.slice(0, 3).join(", ")} and PUBLIC_URL are given together`,
    }));
}

/** The address for the links: a wildcard is nowhere a browser can go, so the loopback address stands for it. */
export function reachableUrl({ host, publicUrl }: Pick<Config, "host" | "publicUrl">, port: number): URL {
  const wildcards: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" };
  return publicUrl ?? new URL(`http://${wildcards[host] ?? (isIP(host) === 6 ? `[${host}]` : host)}:${port}`);
}

export function describeFaults(faults: ConfigFault[]): string {
  const lines = faults.map(({ name, read, allowed }) => `  ${name}: read ${read}\n      allowed: ${allowed}`);
  return `Signalbox did not start: ${faults.length === 1 ? "a value" : `${faults.length} values`} in the environment cannot be used.\n${lines.join("\n")}`;
}

/** The only place that reads the environment of the process. */
export const readProcessConfig = () => readConfig(process.env, process.cwd());
