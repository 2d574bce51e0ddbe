import { create } from "@bufbuild/protobuf";
import { LeaseRequestSchema, type TaskEnvelope } from "@signalbox/contracts";
import { PACK } from "./documents.ts";
import type { Commands } from "./commands.ts";
import { emptyResult, heartbeat } from "./messages.ts";

export type Agents = {
  /** Rejects with what an agent was refused: a bench that drops work measures nothing. */
  readonly failed: Promise<never>;
  stop(): Promise<void>;
};

/** A process's instances: so many for each tenant. */
export type Crew = { readonly processName: string; readonly instancesEach: number };

type Heard = {
  readonly leased?: (envelope: TaskEnvelope) => void;
  /** Its result has been answered, so it and what follows from it are stored. */
  readonly reported?: (envelope: TaskEnvelope) => void;
};

const MOST_AT_ONCE = 100;
const WAIT_SECONDS = 20;
const HEARTBEAT_MS = 5_000;
const LEASE_MS = 60_000;

/** By these names, so that no run on the same database finds instances of an ended one still trusted to take work. */
const instanceNames = (processName: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${processName}-${index}`);

/** Instances in this process that ask for work, do nothing, and report it without waiting for the answer. */
export async function startAgents(
  commands: Commands,
  tenants: readonly string[],
  { processName, instancesEach }: Crew,
  heard: Heard,
): Promise<Agents> {
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  // Who watches decides; until then a failure must not end the process by itself.
  failed.catch(() => {});
  const agents = tenants.flatMap((tenantId) =>
    instanceNames(processName, instancesEach).map((instanceId) => ({ tenantId, instanceId })),
  );
  const beat = () =>
    Promise.all(
      agents.map(({ tenantId, instanceId }) => commands.heartbeat(tenantId, heartbeat(instanceId, LEASE_MS))),
    );
  await beat();
  const heart = setInterval(() => void beat().catch(fail), HEARTBEAT_MS);
  const ending = new AbortController();
  const reports = new Set<Promise<void>>();

  async function report(tenantId: string, envelope: TaskEnvelope): Promise<void> {
    await commands.reportResult(tenantId, emptyResult(envelope));
    heard.reported?.(envelope);
  }

  async function work(tenantId: string, instanceId: string): Promise<void> {
    const request = create(LeaseRequestSchema, {
      packId: PACK,
      instanceId,
      maxTasks: MOST_AT_ONCE,
      waitSeconds: WAIT_SECONDS,
    });
    while (!ending.signal.aborted) {
      for (const envelope of await commands.lease(tenantId, request, ending.signal)) {
        heard.leased?.(envelope);
        const reporting = report(tenantId, envelope)
          .catch(fail)
          .finally(() => reports.delete(reporting));
        reports.add(reporting);
      }
    }
  }

  const loops = agents.map(({ tenantId, instanceId }) => work(tenantId, instanceId).catch(fail));
  return {
    failed,
    stop: async () => {
      ending.abort();
      clearInterval(heart);
      await Promise.all(loops);
      await Promise.all(reports);
    },
  };
}
