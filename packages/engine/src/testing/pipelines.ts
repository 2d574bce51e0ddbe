import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  PipelineStatus,
  PipelineStatusSchema,
  RiskTier,
  StageStatusSchema,
  type TaskSubmission,
  TaskSubmissionSchema,
} from "@signalbox/contracts";
import type { Escalation, Resolution } from "@signalbox/core";
import type { Engine } from "../engine.ts";
import { resolveEscalation } from "../orchestrator/person-commands.ts";
import { getEscalation, listEscalations } from "../orchestrator/read-escalations.ts";
import { getPipeline } from "../orchestrator/read-pipelines.ts";
import { submitTask } from "../orchestrator/submit-task.ts";
import type { Asked, System } from "../system.ts";
import { askedBy } from "./test-engine.ts";
import { waitUntil } from "./wait-until.ts";

type SubmissionInit = Exclude<MessageInitShape<typeof TaskSubmissionSchema>, TaskSubmission>;

export const submission = (init: SubmissionInit): TaskSubmission =>
  create(TaskSubmissionSchema, {
    contract: { taskId: "t-1", title: "Build it", acceptanceCriteria: ["it works"] },
    execution: { riskTier: RiskTier.LOW },
    ...init,
  });

export async function submitTemplate(
  engine: Engine,
  templateId: string,
  init: SubmissionInit = {},
  asked: Asked = askedBy("operator"),
): Promise<string> {
  const work = { case: "templateId", value: templateId } as const;
  return (await submitTask(engine, asked, submission({ work, ...init }))).pipelineId;
}

export async function submitType(
  engine: Engine,
  taskType: string,
  init: SubmissionInit = {},
  asked: Asked = askedBy("operator"),
): Promise<string> {
  const work = { case: "taskType", value: taskType } as const;
  return (await submitTask(engine, asked, submission({ work, ...init }))).pipelineId;
}

/** A pipeline as tests compare it: `{ pipeline: "PAUSED", a: "COMPLETED", b: "READY" }`. */
export async function standingOf(
  system: System,
  pipelineId: string,
  tenantId = "default",
): Promise<Record<string, string>> {
  const { state } = await getPipeline(system, askedBy("viewer", tenantId), pipelineId);
  return {
    pipeline: PipelineStatusSchema.value[state.status]?.localName ?? "",
    ...Object.fromEntries(
      state.plan.stages.map(({ stageId }, order) => [
        stageId,
        StageStatusSchema.value[state.stages[order]?.status ?? 0]?.localName ?? "",
      ]),
    ),
  };
}

export const stateOf = async (system: System, pipelineId: string, tenantId = "default") =>
  (await getPipeline(system, askedBy("viewer", tenantId), pipelineId)).state;

export const waitForStatus = (
  system: System,
  pipelineId: string,
  status: keyof typeof PipelineStatus,
  tenantId = "default",
): Promise<void> =>
  waitUntil(async () => (await stateOf(system, pipelineId, tenantId)).status === PipelineStatus[status]);

/** The question that a pipeline waits for, once there is one. */
export async function questionOf(
  system: System,
  pipelineId: string,
  stageId?: string | null,
  tenantId = "default",
): Promise<Escalation> {
  let found: Escalation | undefined;
  await waitUntil(async () => {
    const { escalations } = await stateOf(system, pipelineId, tenantId);
    found = escalations.find((open) => stageId === undefined || open.stageId === stageId);
    return found !== undefined;
  });
  if (found === undefined) throw new Error("no question was asked");
  return found;
}

export const answer = (
  engine: Engine,
  { escalationId }: Pick<Escalation, "escalationId">,
  resolution: Resolution,
  asked: Asked = askedBy("approver"),
) => resolveEscalation(engine, asked, escalationId, { resolution, comment: "because" });

export const openQuestions = async (system: System, tenantId = "default") =>
  (await listEscalations(system, askedBy("viewer", tenantId), { open: true })).escalations;

/** How a question ended. */
export const endOf = async (system: System, { escalationId }: Pick<Escalation, "escalationId">) =>
  (await getEscalation(system, askedBy("viewer"), escalationId)).end;
