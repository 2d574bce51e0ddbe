import { AuditEventType, PipelineStatus } from "@signalbox/contracts";
import { pendingPipeline } from "./apply-change.ts";
import { buildPlan, type PipelineDefinition, type PlanFault } from "./build-plan.ts";
import { startClock } from "./clock.ts";
import type { Effect } from "./effect.ts";
import { enterReady } from "./enter-ready.ts";
import { keptTitle } from "./kept-title.ts";
import { allStages, changePipeline, openLedger, record } from "./ledger.ts";
import type { PipelinePlan } from "./plan.ts";
import type { PipelineState } from "./state.ts";
import { pipelineSnapshot } from "./summarize.ts";

export type PipelineCreation =
  | { readonly kind: "created"; readonly state: PipelineState; readonly effects: readonly Effect[] }
  | { readonly kind: "refused"; readonly faults: readonly PlanFault[] };

/**
 * CREATE-3 (4.3): every root is READY and the others PENDING; the pipeline is RUNNING, and its clock runs. A task that is
 * addressed to one pack begins with that pack alone, as an approved handoff would send it.
 */
export function createPipeline(
  definition: PipelineDefinition,
  now: number,
  { onlyPackId, title = "" }: { readonly onlyPackId?: string | undefined; readonly title?: string } = {},
): PipelineCreation {
  const built = buildPlan(definition);
  if (built.kind === "refused") return built;
  const { plan } = built;
  const pending = pendingPipeline(plan, now);
  const ledger = openLedger(pending, now);
  const reroute = onlyPackId === undefined ? {} : { reroute: { taskType: null, packId: onlyPackId } };
  const running = { status: PipelineStatus.RUNNING, clock: startClock(pending.clock, now) };
  record(ledger, {
    eventType: AuditEventType.PIPELINE_CREATED,
    action: "pipeline.created",
    rationale: rationaleOf(plan, keptTitle(title)),
    actor: plan.submitter,
    snapshot: { case: "pipeline", value: pipelineSnapshot({ ...pending, ...running }, now) },
    changes: [
      { kind: "created", plan, startedAt: now },
      changePipeline(running),
      ...allStages(pending).flatMap((stage) =>
        stage.plan.dependsOn.length === 0 ? enterReady(stage, reroute) : [],
      ),
    ],
  });
  for (const [index, { dependsOn, stageId }] of plan.stages.entries()) {
    const attemptNumber = ledger.state.stages[index]?.attemptNumber ?? 0;
    if (dependsOn.length === 0) {
      ledger.effects.push({ kind: "stage-ready", stageId, attemptNumber, notBefore: null });
    }
  }
  return { kind: "created", state: ledger.state, effects: ledger.effects };
}

/** CREATE-6: the record's words find it by what its task is called; a bare task type has no template. */
function rationaleOf(
  { templateId, templateVersion, pipelineName, sourceTaskId }: PipelinePlan,
  title: string,
): string {
  const from =
    templateId === ""
      ? `Started as one stage, of the task type ${pipelineName}${sourceTaskId && ","}`
      : `Started from template ${templateId} ${templateVersion}`;
  return `${from}${sourceTaskId && ` for task ${sourceTaskId}`}${title && `: ${title}`}`;
}
