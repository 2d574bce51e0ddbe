import { randomBytes } from "node:crypto";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type AgentManifest,
  AgentManifestSchema,
  type AgentHeartbeat,
  AgentHeartbeatSchema,
  HealthStatus,
  RiskTier,
} from "@signalbox/contracts";
import type { Role } from "@signalbox/core";
import { type Database, ensureTenant, openDatabase, schemaState } from "@signalbox/db";
import { createTestDatabase, type TestDatabase } from "@signalbox/db/testing";
import { systemClock } from "../clock.ts";
import { registerPack } from "../packs.ts";
import { watchReadiness } from "../readiness-watcher.ts";
import type { Asked, System } from "../system.ts";

export const tenantId = "north";

/** A system on a database of its own, as commands take it; without an engine. */
export type TestSystem = {
  made: TestDatabase;
  system: System;
  /** Another process on the same database. */
  another(): System;
  end(): Promise<void>;
};

export async function openTestSystem(tenants: readonly string[] = [tenantId]): Promise<TestSystem> {
  const made = await createTestDatabase("by hand");
  const opened: { system: System; database: Database }[] = [];
  const another = () => {
    const database = openDatabase({ url: made.appUrl, applicationName: "signalbox test", maxConnections: 6 });
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
    };
    opened.push({ system, database });
    return system;
  };
  const system = another();
  for (const name of tenants) await system.database.inTenant(name, (tx) => ensureTenant(tx, { name }));
  return {
    made,
    system,
    another,
    async end() {
      for (const { system: own, database } of opened) {
        own.readiness.stop();
        await database.close();
      }
      await made.dispose();
    },
  };
}

/** A person, or for an agent its key. */
export const asking = (role: Role, tenant: string = tenantId): Asked => ({
  requestId: "0190b3a8-8f0f-7bbb-8888-0123456789ab",
  caller: {
    tenantId: tenant,
    role,
    actor: { type: role === "agent" ? "agent" : "human", id: role },
    credential: role === "agent" ? "key" : "session",
  },
});

export const pack = (packId: string, packVersion = "1.0.0"): AgentManifest =>
  create(AgentManifestSchema, {
    packId,
    packVersion,
    capabilitySchemaVersion: "1.0.0",
    minOrchestratorVersion: "0.1.0",
    safetyTier: RiskTier.CRITICAL,
    interface: {
      supportedSchemaVersions: ["^1.0.0"],
      acceptedRiskTiers: ["RISK_TIER_LOW", "RISK_TIER_NORMAL", "RISK_TIER_CRITICAL"],
      maxConcurrentTasks: 8,
    },
  });

export async function register(system: System, packs: readonly AgentManifest[], tenant = tenantId) {
  for (const one of packs) await registerPack(system, asking("admin", tenant), one);
}

type HeartbeatInit = Extract<MessageInitShape<typeof AgentHeartbeatSchema>, { $typeName?: never }>;

export const beat = (packId: string, instanceId: string, said: HeartbeatInit = {}): AgentHeartbeat =>
  create(AgentHeartbeatSchema, {
    packId,
    instanceId,
    health: { status: HealthStatus.HEALTHY },
    capacity: { maxTasks: 4 },
    ...said,
  });
