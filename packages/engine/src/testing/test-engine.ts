import { randomBytes } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { AgentManifestSchema, type AgentManifest, RiskTier } from "@signalbox/contracts";
import type { Role } from "@signalbox/core";
import { ensureTenant, openDatabase, schemaState, type Database } from "@signalbox/db";
import { createTestDatabase, type TestDatabase } from "@signalbox/db/testing";
import { systemClock } from "../clock.ts";
import { createDraft } from "../documents/drafts.ts";
import { publishDocument } from "../documents/publish.ts";
import { type Engine, type EngineOptions, openEngine } from "../engine.ts";
import { registerPack } from "../packs.ts";
import { watchReadiness } from "../readiness-watcher.ts";
import type { Asked, System } from "../system.ts";

export type TestEngine = {
  readonly made: TestDatabase;
  readonly engine: Engine;
  readonly failures: unknown[];
  /** Another node on the same database. */
  another(options?: NodeOptions): Promise<Engine>;
  end(): Promise<void>;
};

const requestId = "0190b3a8-8f0f-7bbb-8888-0123456789ab";

export const askedBy = (role: Role, tenantId = "default", id: string = role): Asked => ({
  requestId,
  caller: {
    tenantId,
    role,
    actor: { type: role === "agent" ? "agent" : "human", id },
    credential: role === "agent" ? "key" : "session",
  },
});

type NodeOptions = Partial<EngineOptions> & Pick<System, "adapters">;

export async function openTestEngine(options: NodeOptions = {}): Promise<TestEngine> {
  const made = await createTestDatabase();
  const failures: unknown[] = [];
  const ends: (() => Promise<void>)[] = [];
  const open = async (own: NodeOptions): Promise<Engine> => {
    const { engine, end } = await openNode(made.appUrl, {
      onFailure: (error) => void failures.push(error),
      ...own,
    });
    ends.unshift(end);
    return engine;
  };
  const engine = await open(options);
  await seedTenant(engine.database, "default");
  return {
    made,
    engine,
    failures,
    another: (own = {}) => open({ ...options, ...own }),
    async end() {
      for (const end of ends) await end();
      await made.dispose();
    },
  };
}

export const seedTenant = (database: Database, tenantId: string): Promise<unknown> =>
  database.inTenant(tenantId, (tx) => ensureTenant(tx, { name: tenantId }));

/** A node as the server opens one: a pool for commands, and one of its own for batches. */
export async function openNode(
  url: string,
  { adapters, ...options }: NodeOptions & Pick<EngineOptions, "onFailure">,
): Promise<{ engine: Engine; end: () => Promise<void> }> {
  const idleInTransactionTimeoutMs = 5_000;
  const database = openDatabase({
    url,
    applicationName: "signalbox test",
    maxConnections: 4,
    idleInTransactionTimeoutMs,
  });
  const batches = openDatabase({
    url,
    applicationName: "signalbox test engine",
    maxConnections: 8,
    idleInTransactionTimeoutMs,
  });
  const system: System = {
    database,
    clock: systemClock,
    randomBytes,
    orchestrator: { version: "1.0.0", capabilitySchema: "^1.0.0" },
    readiness: watchReadiness({
      clock: systemClock,
      probe: () => database.probe(),
      schema: () => schemaState(database),
      onLost: () => undefined,
    }),
    startedAt: systemClock.now(),
    ...(adapters && { adapters }),
  };
  const engine = await openEngine({ system, batches, ...options });
  return {
    engine,
    async end() {
      await engine.stop();
      system.readiness.stop();
      await batches.close();
      await database.close();
    },
  };
}

export const packOf = (
  packId: string,
  changes: Partial<Omit<AgentManifest, "$typeName" | "$unknown">> = {},
) =>
  create(AgentManifestSchema, {
    packId,
    packVersion: "1.0.0",
    capabilitySchemaVersion: "1.0.0",
    minOrchestratorVersion: "0.1.0",
    safetyTier: RiskTier.CRITICAL,
    providedTools: ["true"],
    interface: {
      supportedSchemaVersions: ["^1.0.0"],
      acceptedRiskTiers: ["RISK_TIER_LOW", "RISK_TIER_NORMAL", "RISK_TIER_CRITICAL"],
      maxConcurrentTasks: 10_000,
    },
    ...changes,
  });

export async function registerPacks(engine: Engine, packs: readonly AgentManifest[], tenantId = "default") {
  for (const pack of packs) await registerPack(engine, askedBy("admin", tenantId), pack);
}

export async function publishPolicy(engine: Engine, text: string, tenantId = "default"): Promise<void> {
  const asked = askedBy("admin", tenantId);
  const { document } = await createDraft(engine, asked, "routing-policy", { text });
  await publishDocument(engine, asked, "routing-policy", { version: document.version });
}

export async function publishTemplates(engine: Engine, text: string, tenantId = "default"): Promise<void> {
  const asked = askedBy("admin", tenantId);
  const { document } = await createDraft(engine, asked, "pipeline-templates", { text });
  await publishDocument(engine, asked, "pipeline-templates", { version: document.version });
}
