import { createHash, randomBytes } from "node:crypto";
import { create, toJson } from "@bufbuild/protobuf";
import { AgentManifestSchema, type AgentManifest } from "@signalbox/contracts";
import { noLimits } from "@signalbox/api";
import type { Role } from "@signalbox/core";
import { ensureTenant, insertKey, openDatabase } from "@signalbox/db";
import { createTestDatabase } from "@signalbox/testkit";
import { z } from "zod";
import type { Config } from "../config.ts";
import { createLog } from "../log.ts";
import { start, type Surroundings } from "../start.ts";

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

/** The real start on a database of its own and a free port, with its log kept for the test to read. */
export async function startTestServer(
  settings: Partial<Config> & Surroundings & { via?: (databaseUrl: string) => Promise<string> } = {},
) {
  const { webRoot = "/nonexistent", answerRefusalsMs, onRoute, via, ...given } = settings;
  const testDatabase = await createTestDatabase();
  const adminKey = randomBytes(24).toString("hex");
  const lines: string[] = [];
  const started = await start(
    {
      host: "127.0.0.1",
      port: 0,
      publicUrl: undefined,
      databaseUrl: via === undefined ? testDatabase.url : await via(testDatabase.url),
      databaseConnections: 18,
      role: "all",
      bootstrapKey: adminKey,
      tenants: [],
      signInLink: "when-needed",
      oidc: undefined,
      dataDirectory: "/nonexistent",
      refHosts: [],
      agentHosts: [],
      signingKey: undefined,
      redisUrl: undefined,
      sapStreams: [],
      limits: noLimits,
      traces: undefined,
      trustedProxies: [],
      log: { level: "trace", format: "json" },
      launched: false,
      byNpmStart: false,
      ...given,
    },
    createLog({ level: "trace" }, { write: (line) => lines.push(line) }),
    new AbortController().signal,
    { webRoot, onRoute, ...(answerRefusalsMs === undefined ? {} : { answerRefusalsMs }) },
  );
  let stopped: Promise<void> | undefined;
  const stop = (hurry: AbortSignal = new AbortController().signal) => (stopped ??= started.stop(hurry));
  return {
    ...started,
    stop,
    origin: started.url.origin,
    adminKey,
    databaseUrl: testDatabase.url,
    appUrl: testDatabase.appUrl,
    signInToken: started.signInUrl?.hash.slice(1) ?? "",
    log: () => lines.join(""),
    keyOf: (role: Role, tenantId = "default") => createKey(testDatabase.appUrl, role, tenantId),
    dispose: async () => {
      await stop(AbortSignal.abort());
      await testDatabase.dispose();
    },
  };
}

export async function createKey(url: string, role: Role, tenantId: string): Promise<string> {
  const key = randomBytes(24).toString("hex");
  const database = openDatabase({ url, applicationName: "test", maxConnections: 1 });
  try {
    await database.inTenant(tenantId, async (tx) => {
      await ensureTenant(tx, { name: tenantId });
      const hash = createHash("sha256").update(key).digest();
      await insertKey(tx, { hash, prefix: key.slice(0, 6), label: role, role, createdBy: "test" });
    });
  } finally {
    await database.close();
  }
  return key;
}

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

type Changes = Partial<Omit<AgentManifest, "$typeName" | "$unknown" | "interface">>;

export const manifestOf = (changes: Changes = {}) =>
  create(AgentManifestSchema, {
    packId: "senior-ts-dev",
    packVersion: "1.0.0",
    capabilitySchemaVersion: "1.0.0",
    minOrchestratorVersion: "0.1.0",
    safetyTier: 2,
    supportedTaskTypes: ["feature-implementation"],
    interface: { supportedSchemaVersions: ["^1.0.0"], maxTaskDuration: { seconds: 600n } },
    ...changes,
  });

export const manifestJson = (changes?: Changes) =>
  JSON.stringify(toJson(AgentManifestSchema, manifestOf(changes)));

export const register = (server: TestServer, body: string, headers: Record<string, string> = {}) =>
  fetch(`${server.origin}/v1/packs`, {
    method: "POST",
    headers: { "content-type": "application/json", ...bearer(server.adminKey), ...headers },
    body,
  });

const body = z.looseObject({
  code: z.string().optional(),
  detail: z.string().optional(),
  violations: z.array(z.looseObject({ field: z.string() })).optional(),
  packs: z.array(z.looseObject({ packId: z.string() })).optional(),
  nextCursor: z.string().optional(),
});

/** What a test reads of an answer, whichever it is. */
export const bodyOf = async (answer: Response) => body.parse(await answer.json());
