import { isIP } from "node:net";
import type { Limit } from "@signalbox/api";
import { firstTenant, type Tenant } from "@signalbox/engine";
import { readAgentHost, type SapStream } from "@signalbox/link";
import { z } from "zod";
import { traceVariables } from "./trace-settings.ts";
import {
  hostname,
  isIssuer,
  isOrigin,
  isPostgresUrl,
  isProxy,
  isRedisUrl,
  isStrongKey,
  readSapStream,
  readTenant,
  refHostOf,
} from "./value-forms.ts";

export type Variable<T> = { schema: z.ZodType<T, string>; allowed: string; secret?: true };
const variable = <T>(definition: Variable<T>) => definition;

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

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
/** Every name that the product reads, with what is allowed there. */
export const variables = {
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
  DATABASE_CONNECTIONS: variable({
    schema: z
      .string()
      .regex(/^\d{1,3}$/)
      .transform(Number)
      .refine((connections) => connections >= 4 && connections <= 200),
    allowed: "a whole number from 4 to 200",
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
