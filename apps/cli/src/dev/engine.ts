import { randomBytes, randomUUID } from "node:crypto";
import { chmodSync, mkdirSync } from "node:fs";
import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import {
  AgentHeartbeatSchema,
  AgentTransport,
  HealthStatus,
  type TaskSubmission,
} from "@signalbox/contracts";
import type { Actor, PipelineState, Resolution, Span } from "@signalbox/core";
import {
  DatabaseError,
  openDatabase,
  prepareDatabase,
  schemaState,
  startEmbeddedPostgres,
} from "@signalbox/db";
import {
  abortPipeline,
  type AgentAdapter,
  type Asked,
  createDraft,
  type Engine,
  getPipeline,
  heartbeat,
  LinkFailure,
  listAudit,
  makeTenant,
  openEngine,
  publishDocument,
  readTrace,
  registerPack,
  resolveEscalation,
  submitTask,
  type System,
  systemClock,
  watchReadiness,
} from "@signalbox/engine";
import { type AgentProgram, createProcessAdapter } from "@signalbox/link";
import { CommandFailure } from "../failure.ts";
import { version } from "../version.ts";
import type { DevText } from "./dev-documents.ts";
import { DEGRADED_MS, ended, errorRate, isDegraded, type ProgramRecord, unused } from "./health.ts";
import type { DevPack } from "./pack-folder.ts";

/** The product's own engine on a database of its own, as a dev session needs it. Nothing else here imports its rooms. */
export type DevEngine = {
  readonly submit: (task: TaskSubmission) => Promise<string>;
  readonly look: (pipelineId: string) => Promise<{ state: PipelineState; traceId: string; createdAt: Date }>;
  /** Every entry of a pipeline, byte for byte as recorded, the oldest first. */
  readonly entries: (pipelineId: string) => Promise<string[]>;
  /** The pipeline's trace, the root first. */
  readonly spans: (pipelineId: string) => Promise<readonly Span[]>;
  readonly answer: (
    escalationId: string,
    answer: { resolution: Resolution; comment: string },
  ) => Promise<void>;
  readonly abort: (pipelineId: string, note: string) => Promise<void>;
  readonly stop: () => Promise<void>;
};

export type DevPlan = {
  /** Where the database keeps its data. */
  readonly folder: string;
  readonly packs: readonly DevPack[];
  readonly texts: readonly DevText[];
  readonly program: (pack: DevPack) => AgentProgram;
  /** The packs whose answer is read by the structured protocol. */
  readonly structured: ReadonlySet<string>;
  /** Tools that are at hand on this machine. */
  readonly availableTools: readonly string[];
  /** Who sits at the terminal. */
  readonly person: string;
  readonly tell: {
    readonly begun: (packId: string, dispatchId: string) => void;
    readonly said: (packId: string, line: string) => void;
    /** `why` it failed; undefined where it answered. */
    readonly ended: (packId: string, why: string | undefined) => void;
    readonly failed: (what: string, error: unknown) => void;
  };
};

const instanceId = "dev";
const EVERY_MS = 5_000;
const LEASE_MS = 30_000;
/** Capability schemas are at their first major version, as for the server. */
const capabilitySchema = "^1.0.0";

export async function openDevEngine(given: DevPlan): Promise<DevEngine> {
  const undo: (() => unknown)[] = [];
  let stopping = false;
  // What misses a database that was stopped on purpose is no failure.
  const failed: DevPlan["tell"]["failed"] = (what, error) => {
    if (!stopping) given.tell.failed(what, error);
  };
  const plan: DevPlan = { ...given, tell: { ...given.tell, failed } };
  const stop = async (): Promise<void> => {
    stopping = true;
    for (const one of undo.splice(0).toReversed()) await one();
  };
  try {
    return { ...(await openOn(plan, undo)), stop };
  } catch (error) {
    await stop();
    throw error instanceof DatabaseError
      ? new CommandFailure("failed", error.message, { cause: error })
      : error;
  }
}

async function openOn(plan: DevPlan, undo: (() => unknown)[]): Promise<Omit<DevEngine, "stop">> {
  const url = await startDatabase(plan.folder, undo);
  const records = new Map<string, ProgramRecord>();
  const changed: { beat?: (packId: string) => void } = {};
  const adapter = judged(plan, records, (packId) => changed.beat?.(packId));
  const engine = await startEngine(plan, url, adapter, undo);
  // A session's own tenant: what an earlier one left, however it ended, is nothing to this one.
  const tenantId = `dev-${new Date()
    .toISOString()
    .replaceAll(/[^\dT]/g, "")
    .slice(0, 15)}-${randomBytes(3).toString("hex")}`;
  const asked = askedAs(tenantId, { type: "system", id: "signalbox dev" });
  await makeTenant(engine, { tenantId, name: "signalbox dev", ...asked, actor: asked.caller.actor });
  for (const { manifest } of plan.packs) await registerPack(engine, asked, manifest);
  for (const { kind, version: named, text } of plan.texts) {
    await createDraft(engine, asked, kind, { text });
    await publishDocument(engine, asked, kind, { version: named });
  }
  const beat = async (pack: DevPack): Promise<void> => {
    const record = records.get(pack.manifest.packId) ?? unused;
    await heartbeat(engine, asked, heartbeatOf(plan, pack, record));
  };
  for (const pack of plan.packs) await beat(pack);
  const beatAll = (packs: readonly DevPack[]) => {
    for (const pack of packs) beat(pack).catch((error: unknown) => plan.tell.failed("a heartbeat", error));
  };
  changed.beat = (packId) => {
    const packs = plan.packs.filter(({ manifest }) => manifest.packId === packId);
    beatAll(packs);
    // Whoever waits for it to be well again waits no longer than that.
    const well = setTimeout(() => beatAll(packs), DEGRADED_MS + 10);
    well.unref();
  };
  const timer = setInterval(() => beatAll(plan.packs), EVERY_MS);
  undo.push(() => clearInterval(timer));
  const person = askedAs(tenantId, { type: "human", id: plan.person });
  return {
    submit: async (task) => (await submitTask(engine, asked, task)).pipelineId,
    look: (pipelineId) => getPipeline(engine, asked, pipelineId),
    entries: (pipelineId) => entriesOf(engine, asked, pipelineId),
    spans: (pipelineId) => readTrace(engine, asked, pipelineId),
    answer: async (escalationId, answer) => {
      await resolveEscalation(engine, person, escalationId, answer);
    },
    abort: async (pipelineId, note) => {
      await abortPipeline(engine, asked, { pipelineId, note });
    },
  };
}

const askedAs = (tenantId: string, actor: Actor): Asked => ({
  requestId: randomUUID(),
  caller: { tenantId, actor, role: "admin", credential: actor.type === "human" ? "session" : "key" },
});

async function startDatabase(folder: string, undo: (() => unknown)[]): Promise<string> {
  // Passable, not listable: Postgres's own user must get through to its data.
  if (mkdirSync(folder, { recursive: true }) !== undefined) chmodSync(folder, 0o711);
  const postgres = await startEmbeddedPostgres({ directory: folder, durable: false });
  undo.push(() => postgres.stop());
  const backUp = (tag: string) => postgres.backUp(tag);
  return (await prepareDatabase({ url: postgres.url, appVersion: version(), backUp })).appUrl;
}

async function startEngine(
  plan: DevPlan,
  url: string,
  adapter: AgentAdapter,
  undo: (() => unknown)[],
): Promise<Engine> {
  const open = (applicationName: string) => {
    const database = openDatabase({ url, applicationName, maxConnections: 4 });
    undo.push(() => database.close());
    return database;
  };
  const database = open("signalbox dev");
  const readiness = watchReadiness({
    clock: systemClock,
    probe: () => database.probe(),
    schema: () => schemaState(database),
    onLost: (error) => plan.tell.failed("the database", error),
  });
  undo.push(() => readiness.stop());
  await readiness.look();
  const system: System = {
    database,
    clock: systemClock,
    randomBytes,
    orchestrator: { version: version(), capabilitySchema },
    readiness,
    startedAt: systemClock.now(),
    adapters: new Map([[AgentTransport.PROCESS, adapter]]),
  };
  const batches = open("signalbox dev engine");
  const engine = await openEngine({
    system,
    batches,
    onFailure: (error, what) => {
      // How a program ended is told by itself.
      if (!(error instanceof LinkFailure)) plan.tell.failed(what, error);
    },
  });
  undo.push(async () => {
    engine.readiness.drain();
    await engine.stop();
    await adapter.close();
  });
  return engine;
}

/** One program at once (A2A 4.7), and what its end says of its pack's health. */
function judged(
  plan: DevPlan,
  records: Map<string, ProgramRecord>,
  onChange: (packId: string) => void,
): AgentAdapter {
  const byId = new Map(plan.packs.map((pack) => [pack.manifest.packId, pack]));
  const inner = createProcessAdapter({
    program: (packId) => {
      const pack = byId.get(packId);
      return pack && plan.program(pack);
    },
    atOnce: 1,
    onBegin: plan.tell.begun,
    onLine: plan.tell.said,
  });
  const note = (packId: string, why: string | undefined): void => {
    records.set(packId, ended(records.get(packId) ?? unused, why !== undefined, Date.now()));
    plan.tell.ended(packId, why);
    onChange(packId);
  };
  return {
    ...inner,
    async run(to, envelope, signal) {
      const responseFormat = plan.structured.has(to.packId) ? "json_standard" : envelope.responseFormat;
      try {
        const answer = await inner.run(to, { ...envelope, responseFormat }, signal);
        note(to.packId, undefined);
        return answer;
      } catch (error) {
        note(to.packId, error instanceof Error ? error.message : String(error));
        throw error;
      }
    },
  };
}

const heartbeatOf = (plan: DevPlan, { manifest }: DevPack, record: ProgramRecord) =>
  create(AgentHeartbeatSchema, {
    packId: manifest.packId,
    packVersion: manifest.packVersion,
    instanceId,
    health: {
      status: isDegraded(record, Date.now()) ? HealthStatus.DEGRADED : HealthStatus.HEALTHY,
      errorRate1m: errorRate(record),
    },
    capacity: { maxTasks: 1 },
    leaseTtl: durationFromMs(LEASE_MS),
    availableTools: [...plan.availableTools],
    endpoint: { transport: AgentTransport.PROCESS, address: "" },
  });

async function entriesOf(engine: Engine, asked: Asked, pipelineId: string): Promise<string[]> {
  const texts: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listAudit(engine, asked, {
      pipelineId,
      limit: 100,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const { auditId, recordedAt, payload } of page.entries) {
      texts.push(
        `{"auditId":${JSON.stringify(auditId)},"recordedAt":${JSON.stringify(recordedAt)},"payload":${payload}}`,
      );
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return texts.toReversed();
}
