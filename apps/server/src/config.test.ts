import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeFaults, reachableUrl, readConfig, type Environment } from "./config.ts";
import { variableNames } from "./config-variables.ts";

const read = (environment: Environment) => readConfig(environment, "/srv/signalbox");
const faultsOf = (environment: Environment) => {
  const result = read(environment);
  return result.ok ? [] : result.faults;
};

const tracesOf = (environment: Environment) => {
  const result = read(environment);
  return result.ok ? result.config.traces : "faulty";
};

describe("configuration", () => {
  test("nothing set starts on the loopback address with an embedded database", () => {
    expect(read({})).toEqual({
      ok: true,
      config: {
        host: "127.0.0.1",
        port: 7400,
        publicUrl: undefined,
        databaseUrl: undefined,
        databaseConnections: 18,
        role: "all",
        bootstrapKey: undefined,
        tenants: [],
        signInLink: "when-needed",
        oidc: undefined,
        dataDirectory: "/srv/signalbox/.signalbox",
        refHosts: [],
        agentHosts: [],
        signingKey: undefined,
        redisUrl: undefined,
        sapStreams: [],
        traces: undefined,
        limits: {
          address: { perSecond: 2_000, burst: 4_000, open: 8_000 },
          key: { perSecond: 1_000, burst: 2_000, open: 4_000 },
          tenant: { perSecond: 2_000, burst: 4_000, open: 8_000 },
        },
        trustedProxies: [],
        log: { level: "info", format: "auto" },
        launched: false,
        byNpmStart: false,
      },
    });
  });

  test.each([
    ["0.0.0.0", "http://127.0.0.1:9000/"],
    ["::", "http://[::1]:9000/"],
    ["::1", "http://[::1]:9000/"],
    ["box.local", "http://box.local:9000/"],
  ])("the public URL that follows from HOST=%s is one a browser can open", (HOST, expected) => {
    const result = read({ HOST });
    expect(result.ok && reachableUrl(result.config, 9000).href).toBe(expected);
  });

  test("a given public URL is the one that links name", () => {
    const result = read({ HOST: "0.0.0.0", PUBLIC_URL: "https://box.example.org" });
    expect(result.ok && reachableUrl(result.config, 9000).href).toBe("https://box.example.org/");
  });

  test.each([
    ["docs.example.org", ["docs.example.org"]],
    [" Docs.Example.org , git.example.org:8443,", undefined],
    [" Docs.Example.org , git.example.org:8443", ["docs.example.org", "git.example.org:8443"]],
    ["10.0.0.7:80,[::1]:9000", ["10.0.0.7:80", "[::1]:9000"]],
  ])("SIGNALBOX_REF_HOSTS=%j is read as hosts", (SIGNALBOX_REF_HOSTS, expected) => {
    const result = read({ SIGNALBOX_REF_HOSTS });
    expect(result.ok ? result.config.refHosts : undefined).toEqual(expected);
  });

  test("a limit is three numbers, or off", () => {
    const result = read({
      SIGNALBOX_LIMIT_KEY: "200/s burst 400 open 50",
      SIGNALBOX_LIMIT_ADDRESS: "off",
      SIGNALBOX_TRUSTED_PROXIES: "10.0.0.7, fd00::/8,loopback",
    });
    expect(result.ok && result.config.limits).toMatchObject({
      key: { perSecond: 200, burst: 400, open: 50 },
      address: undefined,
      tenant: { perSecond: 2_000 },
    });
    expect(result.ok && result.config.trustedProxies).toEqual(["10.0.0.7", "fd00::/8", "loopback"]);
  });

  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/otel/" };

  test("traces go where OpenTelemetry's variables say, all of them unless a share is said, and nowhere without", () => {
    const url = new URL("http://collector:4318/otel/v1/traces");
    expect(tracesOf(collector)).toEqual({ url, headers: {}, serviceName: "signalbox", share: 1 });
    expect(tracesOf({ OTEL_SERVICE_NAME: "yard" })).toBeUndefined();
    const whole = {
      ...collector,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://other.example.org/in",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc, x-scope=a=b",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_SERVICE_NAME: "yard",
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.25",
    };
    expect(tracesOf(whole)).toEqual({
      url: new URL("https://other.example.org/in"),
      headers: { authorization: "Bearer abc", "x-scope": "a=b" },
      serviceName: "yard",
      share: 0.25,
    });
  });

  test.each([
    [{ OTEL_TRACES_SAMPLER: "always_on", OTEL_TRACES_SAMPLER_ARG: "0.5" }, 1],
    [{ OTEL_TRACES_SAMPLER: "traceidratio" }, 1],
    [{ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: ".5" }, 0.5],
    [{ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" }, undefined],
    [{ OTEL_TRACES_SAMPLER: "parentbased_always_off" }, undefined],
    [{ OTEL_SDK_DISABLED: "true" }, undefined],
    [{ OTEL_SDK_DISABLED: "false" }, 1],
  ])("%o takes the share %s of traces", (sampler, share) => {
    const traces = tracesOf({ ...collector, ...sampler });
    expect(traces === "faulty" ? traces : traces?.share).toBe(share);
  });

  test("every variable stands in the README's table", () => {
    const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
    const named = Array.from(readme.matchAll(/^\| (`[^|]+)/gm), ([, names]) => names).join(" ");
    expect(variableNames.filter((name) => !named.includes(`\`${name}\``))).toEqual([]);
  });

  const oidc = {
    OIDC_ISSUER: "https://id.example.org/realm",
    OIDC_CLIENT_ID: "signalbox",
    OIDC_CLIENT_SECRET: "given by the provider",
    PUBLIC_URL: "https://box.example.org",
  };

  test("an OIDC provider is given whole, with the URL that it sends people back to, or not at all", () => {
    const result = read(oidc);
    expect(result.ok && result.config.oidc).toEqual({
      issuer: new URL("https://id.example.org/realm"),
      clientId: "signalbox",
      clientSecret: "given by the provider",
    });
    for (const name of Object.keys(oidc)) {
      expect(faultsOf({ ...oidc, [name]: "" })).toMatchObject([{ name, read: "nothing" }]);
    }
    expect(faultsOf({ OIDC_CLIENT_ID: "signalbox" })).toHaveLength(3);
    expect(read({ ...oidc, OIDC_ISSUER: "http://127.0.0.1:9000" }).ok).toBe(true);
  });

  test.each([
    ["OIDC_ISSUER", "id.example.org"],
    ["OIDC_ISSUER", "http://id.example.org"],
    ["OIDC_ISSUER", "https://id.example.org/?realm=a"],
    ["OIDC_ISSUER", "https://user:secret@id.example.org"],
    ["OIDC_CLIENT_ID", "two words"],
    ["OIDC_CLIENT_SECRET", "short"],
  ])("%s=%s stops the start with its name, and no secret is repeated", (name, value) => {
    const faults = faultsOf({ ...oidc, [name]: value });
    expect(faults).toMatchObject([{ name }]);
    expect(JSON.stringify(faults)).not.toContain('"short"');
  });

  test("tenants beside the first have an id, and a name where one is given", () => {
    expect(read({ SIGNALBOX_TENANTS: "north=Northern Works, south" })).toMatchObject({
      config: {
        tenants: [
          { tenantId: "north", name: "Northern Works" },
          { tenantId: "south", name: "south" },
        ],
      },
    });
  });

  test("streams of SAP are named by tenant and key, and need a Redis", () => {
    const keyId = "0199a1b2-0000-7000-8000-000000000000";
    const environment = { REDIS_URL: "redis://localhost", SIGNALBOX_SAP_STREAMS: `default/${keyId}` };
    expect(read(environment)).toMatchObject({ config: { sapStreams: [{ tenantId: "default", keyId }] } });
    expect(faultsOf({ ...environment, REDIS_URL: "" })).toMatchObject([
      { name: "REDIS_URL", read: "nothing" },
    ]);
    for (const wrong of [keyId, `default/${keyId},default/${keyId}`, "default/key", `/${keyId}`])
      expect(faultsOf({ ...environment, SIGNALBOX_SAP_STREAMS: wrong })).toMatchObject([
        { name: "SIGNALBOX_SAP_STREAMS", read: JSON.stringify(wrong) },
      ]);
  });

  test.each(["redis://cache", "redis://cache/", "rediss://user:100%25@cache:6380/15"])(
    "REDIS_URL=%s",
    (url) => {
      expect(read({ REDIS_URL: url })).toMatchObject({ config: { redisUrl: url } });
    },
  );

  test("an empty variable counts as absent", () => {
    expect(read(Object.fromEntries(variableNames.map((name) => [name, ""])))).toEqual(read({}));
  });

  test.each([
    ["HOST", "not a host"],
    ["SIGNALBOX_SIGN_IN_LINK", "yes"],
    ["SIGNALBOX_TENANTS", "default"],
    ["SIGNALBOX_TENANTS", "north,north=Again"],
    ["SIGNALBOX_TENANTS", "north works"],
    ["SIGNALBOX_TENANTS", "north="],
    ["SIGNALBOX_TENANTS", "-north"],
    ["HOST", "-leading.dash"],
    ["PORT", "65536"],
    ["PORT", "-1"],
    ["PORT", "7e3"],
    ["PORT", "7400.5"],
    ["PORT", " 7400"],
    ["PUBLIC_URL", "signalbox.example.org"],
    ["SIGNALBOX_REF_HOSTS", "https://docs.example.org"],
    ["SIGNALBOX_REF_HOSTS", "*.example.org"],
    ["SIGNALBOX_REF_HOSTS", "docs.example.org/path"],
    ["SIGNALBOX_REF_HOSTS", "user@docs.example.org"],
    ["SIGNALBOX_REF_HOSTS", "docs.example.org:port"],
    ["SIGNALBOX_REF_HOSTS", "docs.example.org:70000"],
    ["SIGNALBOX_REF_HOSTS", ","],
    ["PUBLIC_URL", "ftp://signalbox.example.org"],
    ["PUBLIC_URL", "https://signalbox.example.org/box"],
    ["PUBLIC_URL", "https://user:secret@signalbox.example.org"],
    ["PUBLIC_URL", "https://signalbox.example.org/?a=b"],
    ["SIGNALBOX_ROLE", "worker"],
    ["SIGNALBOX_LIMIT_KEY", "200"],
    ["SIGNALBOX_LIMIT_KEY", "0/s burst 1 open 1"],
    ["SIGNALBOX_LIMIT_ADDRESS", "200/s burst 400"],
    ["SIGNALBOX_LIMIT_TENANT", "1e3/s burst 400 open 1"],
    ["SIGNALBOX_TRUSTED_PROXIES", "true"],
    ["SIGNALBOX_TRUSTED_PROXIES", "0.0.0.0/0"],
    ["SIGNALBOX_TRUSTED_PROXIES", "10.0.0.1/33"],
    ["SIGNALBOX_TRUSTED_PROXIES", "10.0.0.1,"],
    ["SIGNALBOX_TRUSTED_PROXIES", "proxy.example.org"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://user:secret@collector:4318/v1/traces"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
    ["OTEL_TRACES_SAMPLER", "jaeger_remote"],
    ["OTEL_TRACES_SAMPLER_ARG", "2"],
    ["OTEL_TRACES_SAMPLER_ARG", "a quarter"],
    ["OTEL_SDK_DISABLED", "1"],
    ["LOG_LEVEL", "verbose"],
    ["LOG_FORMAT", "xml"],
  ])("%s=%s is refused with its name, what was read and what is allowed", (name, value) => {
    const [fault, ...others] = faultsOf({ [name]: value });
    expect(others).toEqual([]);
    expect(fault).toMatchObject({ name, read: JSON.stringify(value) });
    expect(fault?.allowed.length).toBeGreaterThan(5);
  });

  test.each([
    ["DATABASE_URL", "mysql://root:hunter2hunter2@db/signalbox"],
    ["DATABASE_URL", "postgres://root:hunter2hunter2@db"],
    ["DATABASE_URL", "postgres://root:100%hunter2@db/signalbox"],
    ["REDIS_URL", "http://user:hunter2hunter2@cache"],
    ["REDIS_URL", "redis://user:hunter2hunter2@cache/signalbox"],
    ["REDIS_URL", "redis://user:100%hunter2@cache/0"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "hunter2hunter2"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "api-key=hunter2%zz"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "api-key=hunter2%0Ax"],
    ["SIGNALBOX_BOOTSTRAP_KEY", "hunter2hunter2"],
    ["SIGNALBOX_BOOTSTRAP_KEY", "hunter2hunter2 with a space in it and long enough"],
    ["SIGNALBOX_BOOTSTRAP_KEY", "a".repeat(64)],
  ])("a wrong %s never shows its value", (name, value) => {
    const faults = faultsOf({ [name]: value });
    expect(faults.map((fault) => fault.name)).toEqual([name]);
    expect(describeFaults(faults)).not.toContain(value);
    expect(describeFaults(faults)).not.toContain("hunter2");
  });

  test("all wrong values are reported at once", () => {
    const faults = faultsOf({ PORT: "x", LOG_LEVEL: "loud", SIGNALBOX_ROLE: "boss", HOST: "127.0.0.1" });
    expect(faults.map((fault) => fault.name).toSorted()).toEqual(["LOG_LEVEL", "PORT", "SIGNALBOX_ROLE"]);
    const text = describeFaults(faults);
    for (const name of ["LOG_LEVEL", "PORT", "SIGNALBOX_ROLE"]) expect(text).toContain(`${name}: read `);
  });

  test("a process that npm started stops with its launcher", () => {
    const result = read({ npm_lifecycle_event: "start" });
    expect(result.ok && result.config.launched).toBe(true);
  });

  test("any text in any variable gives a configuration or named faults, and never throws", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...variableNames), fc.string()), (environment) => {
        const result = read(environment);
        const named = result.ok
          ? result.config.port <= 65_535
          : result.faults.every((fault) => variableNames.includes(fault.name));
        expect(named).toBe(true);
      }),
    );
  });
});
