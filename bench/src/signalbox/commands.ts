import { randomBytes, randomUUID } from "node:crypto";
import {
  type AgentHeartbeat,
  type AgentManifest,
  type LeaseRequest,
  type ReportResultRequest,
  SignalboxError,
  type TaskEnvelope,
  type TaskSubmission,
} from "@signalbox/contracts";
import type { Role } from "@signalbox/core";
import { ensureTenant, openDatabase, prepareDatabase, schemaState } from "@signalbox/db";
import {
  type Asked,
  createDraft,
  exchangeSapTask,
  heartbeat,
  leaseTasks,
  openEngine,
  publishDocument,
  registerPack,
  reportResult,
  type SapExchange,
  submitTask,
  type System,
  systemClock,
  watchReadiness,
} from "@signalbox/engine";

/** What the benches ask of the engine: its commands, each for a tenant. */
export type Commands = {
  /** Makes the tenant where there is none, with its pack, active routing policy and active templates. */
  prepareTenant(tenantId: string, setUp: TenantSetUp): Promise<void>;
  heartbeat(tenantId: string, heartbeat: AgentHeartbeat): Promise<void>;
  /** Resolves once it is stored. */
  submitTask(tenantId: string, submission: TaskSubmission): Promise<{ pipelineId: string }>;
  /** Resolves once it is stored, with the Result where the cache has one. */
  submitSapTask(tenantId: string, task: unknown): Promise<SapExchange>;
  /** Waits for work as long as the request says, or until the signal. */
  lease(tenantId: string, request: LeaseRequest, signal: AbortSignal): Promise<readonly TaskEnvelope[]>;
  reportResult(tenantId: string, request: ReportResultRequest): Promise<void>;
  close(): Promise<void>;
};

type TenantSetUp = {
  readonly manifest: AgentManifest;
  readonly routingPolicy: string;
  readonly pipelineTemplates: string;
};

const VERSION = "1.0.0";

/** One engine process, opened as the server opens it: a pool for commands, and one of its own for batches. */
export async function openCommands(url: string): Promise<Commands> {
  const { appUrl } = await prepareDatabase({ url, appVersion: VERSION });
  const system = systemOn(appUrl);
  const batches = openDatabase({
    url: appUrl,
    applicationName: "signalbox bench engine",
    maxConnections: 8,
    idleInTransactionTimeoutMs: 5_000,
  });
  await system.readiness.look();
  const engine = await openEngine({
    system,
    batches,
    onFailure: (error, what) => console.error(what, error),
  });
  return {
    async prepareTenant(tenantId, { manifest, routingPolicy, pipelineTemplates }) {
      await system.database.inTenant(tenantId, (tx) => ensureTenant(tx, { name: tenantId }));
      const asked = askedBy("admin", tenantId);
      await registerPack(engine, asked, manifest);
      const documents = [
        ["routing-policy", routingPolicy],
        ["pipeline-templates", pipelineTemplates],
      ] as const;
      for (const [kind, text] of documents) {
        const { document } = await createDraft(engine, asked, kind, { text });
        await publishDocument(engine, asked, kind, { version: document.version });
      }
    },
    async heartbeat(tenantId, message) {
      await heartbeat(engine, askedBy("agent", tenantId), message);
    },
    submitTask: (tenantId, submission) => submitTask(engine, askedBy("operator", tenantId), submission),
    submitSapTask: (tenantId, task) => exchangeSapTask(engine, askedBy("operator", tenantId), task),
    async lease(tenantId, { packId, instanceId, maxTasks, waitSeconds }, signal) {
      const wanted = { packId, instanceId, maxTasks, waitMs: waitSeconds * 1000 };
      return (await leaseTasks(engine, askedBy("agent", tenantId), wanted, signal)).envelopes;
    },
    async reportResult(tenantId, { dispatchId, result }) {
      if (result === undefined) throw new SignalboxError("VALIDATION_FAILED", "There is no result.");
      await reportResult(engine, askedBy("agent", tenantId), dispatchId, result);
    },
    async close() {
      await engine.stop();
      system.readiness.stop();
      await batches.close();
      await system.database.close();
    },
  };
}

function systemOn(url: string): System {
  const database = openDatabase({ url, applicationName: "signalbox bench", maxConnections: 4 });
  return {
    database,
    clock: systemClock,
    randomBytes,
    orchestrator: { version: VERSION, capabilitySchema: "^1.0.0" },
    readiness: watchReadiness({
      clock: systemClock,
      probe: () => database.probe(),
      schema: () => schemaState(database),
    }),
    startedAt: systemClock.now(),
  };
}

const requestId = randomUUID();

const askedBy = (role: Role, tenantId: string): Asked => ({
  requestId,
  caller: {
    tenantId,
    role,
    actor: { type: role === "agent" ? "agent" : "human", id: role },
    credential: role === "agent" ? "key" : "session",
  },
});
