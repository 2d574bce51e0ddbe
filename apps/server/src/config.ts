import { isIP } from "node:net";
import { resolve } from "node:path";
import { type Limit, type Limits, usualLimits } from "@signalbox/api";
import type { Tenant } from "@signalbox/engine";
import type { SapStream } from "@signalbox/link";
import { type logLevels, type Variable, variables } from "./config-variables.ts";
import { type TraceSettings, traceSettings } from "./trace-settings.ts";

export type Config = {
  host: string;
  port: number;
  /** Where people reach this process, when that is not where it listens: behind a proxy, or under a name. */
  publicUrl: URL | undefined;
  /** Absent: an embedded Postgres in `dataDirectory`. */
  databaseUrl: string | undefined;
  /** At most so many, those of requests and those of the engine together. */
  databaseConnections: number;
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

type LimitName = "SIGNALBOX_LIMIT_ADDRESS" | "SIGNALBOX_LIMIT_KEY" | "SIGNALBOX_LIMIT_TENANT";

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

  const limitOf = (name: LimitName, usual: Limit): Limit | undefined => {
    const limit = read(name, variables[name]) ?? usual;
    return limit === "off" ? undefined : limit;
  };

  const config: Config = {
    host: read("HOST", variables.HOST) ?? "127.0.0.1",
    port: read("PORT", variables.PORT) ?? 7400,
    publicUrl,
    databaseUrl: read("DATABASE_URL", variables.DATABASE_URL),
    databaseConnections: read("DATABASE_CONNECTIONS", variables.DATABASE_CONNECTIONS) ?? 18,
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
