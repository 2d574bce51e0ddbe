import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { AgentHeartbeatSchema, HealthStatus, type TaskEnvelope } from "@signalbox/contracts";
import type { Engine } from "../engine.ts";
import { leaseTasks } from "../orchestrator/lease-tasks.ts";
import { renewDispatch } from "../orchestrator/renew-dispatch.ts";
import { reportResult } from "../orchestrator/report-result.ts";
import { heartbeat } from "../registry/heartbeat.ts";
import { resultFor } from "./results.ts";
import { askedBy } from "./test-engine.ts";

type HeartbeatInit = Extract<MessageInitShape<typeof AgentHeartbeatSchema>, { $typeName?: never }>;

/** An instance that does one thing at a time, when the test says so. */
export function workByHand(engine: Engine, packId: string, instanceId = `${packId}-1`, tenantId = "default") {
  const asked = askedBy("agent", tenantId, instanceId);
  return {
    packId,
    instanceId,
    beat: (said: HeartbeatInit = {}) =>
      heartbeat(
        engine,
        asked,
        create(AgentHeartbeatSchema, {
          packId,
          instanceId,
          health: { status: HealthStatus.HEALTHY },
          capacity: { maxTasks: 10 },
          leaseTtl: { seconds: 60n },
          ...said,
        }),
      ),
    /** What waits for it: at least one, or none once the time is over. */
    async take(maxTasks = 100, waitMs = 10_000): Promise<readonly TaskEnvelope[]> {
      const { envelopes } = await leaseTasks(engine, asked, { packId, instanceId, maxTasks, waitMs });
      return envelopes;
    },
    async takeOne(waitMs = 10_000): Promise<TaskEnvelope> {
      const [envelope] = await this.take(1, waitMs);
      if (envelope === undefined) throw new Error(`nothing came for ${instanceId}`);
      return envelope;
    },
    report: (envelope: TaskEnvelope, said: Parameters<typeof resultFor>[1] = {}) =>
      reportResult(engine, asked, idOf(envelope), resultFor(envelope, said)),
    renew: (envelope: TaskEnvelope) => renewDispatch(engine, asked, idOf(envelope)),
    /** Takes the next one, which must be of this stage, and reports on it. */
    async work(stageId: string, said: Parameters<typeof resultFor>[1] = {}): Promise<TaskEnvelope> {
      const envelope = await this.takeOne();
      if (stageOf(envelope) !== stageId) throw new Error(`${stageOf(envelope)} came, and not ${stageId}`);
      await this.report(envelope, said);
      return envelope;
    },
  };
}

export type HandWorkedAgent = ReturnType<typeof workByHand>;

export const idOf = ({ execution }: TaskEnvelope): string => execution?.dispatchId ?? "";

/** The idempotency key ends in the stage's id. */
export const stageOf = ({ execution }: TaskEnvelope): string =>
  execution?.idempotencyKey.split("/").at(-1) ?? "";
