import { type Client, pathOf } from "../connection/client.ts";
import { type CommonOptions, visit } from "../connection/visit.ts";
import { factLines } from "../output/fact-lines.ts";
import { momentText, statusText } from "../output/moment-text.ts";
import type { Printer } from "../output/printer.ts";
import type { Column } from "../output/table.ts";
import type { World } from "../world.ts";
import { questionLines } from "../escalations/question-lines.ts";
import { type Actor, pipeline, type Pipeline, type Stage } from "./answers.ts";
import { toneOfStatus } from "./status.ts";

export const readPipeline = (client: Client, pipelineId: string, signal?: AbortSignal): Promise<Pipeline> =>
  client.read(pipeline, "GET", pathOf`/v1/pipelines/${pipelineId}`, { signal });

/** A person by name, a program by its key's label; where neither is known, as the record has it. */
export const actorText = (by: Actor, byName: string | null | undefined): string => {
  if (byName == null || byName === "") return by.type === "orchestrator" ? "the orchestrator" : by.id;
  return by.type === "human" ? byName : `key ${byName}`;
};

/** What a stage is about at the moment, in a few words. */
export function stageNote({
  failure,
  skipReason,
  noWayOn,
  dispatch,
  wait,
  result,
  waitsForEscalationId,
}: Stage): string {
  if (failure !== null) return `${failure.code}: ${failure.reason}`;
  if (skipReason !== null) return skipReason;
  if (noWayOn !== null) return `ends here, ${noWayOn}`;
  if (waitsForEscalationId !== null) return `waits for an answer to ${waitsForEscalationId}`;
  if (wait !== null) return `waits: ${wait.reason}`;
  if (result !== null) return result.status.summary;
  return dispatch === null ? "" : `sent to ${dispatch.packId}/${dispatch.instanceId}`;
}

const columns: readonly Column<Stage>[] = [
  { title: "STAGE", value: ({ stageId }) => stageId, whole: true },
  { title: "TASK TYPE", value: ({ taskType }) => taskType },
  {
    title: "STATUS",
    value: ({ status }) => statusText(status),
    tone: ({ status }) => toneOfStatus(status),
    whole: true,
  },
  { title: "ATTEMPT", value: ({ attemptNumber }) => attemptNumber || "" },
  { title: "NOTE", value: stageNote },
];

export async function showPipeline(world: World, pipelineId: string, options: CommonOptions): Promise<void> {
  const { client, printer } = await visit(world, options);
  const found = await readPipeline(client, pipelineId);
  if (printer.json) return printer.value(found);
  await tellPipeline(printer, found);
}

async function tellPipeline(printer: Printer, found: Pipeline): Promise<void> {
  const { pause, end, templateId, templateVersion } = found;
  await printer.lines(
    ...factLines(
      [
        ["Pipeline", found.pipelineId],
        ["Name", found.pipelineName],
        ["Task", found.sourceTaskId],
        ["Status", statusText(found.status)],
        ["Paused", pause === null ? null : `${pause.reason} ${pause.note}`.trim()],
        ["Paused by", pause?.by ? actorText(pause.by, pause.byName) : null],
        ["Template", templateId === "" ? null : `${templateId} (${templateVersion})`],
        ["Submitted by", actorText(found.submittedBy, found.submittedByName)],
        ["Created", momentText(found.createdAt)],
        ["Ended", found.endedAt === null ? null : momentText(found.endedAt)],
        ["Ended by", end && actorText(end.by, end.byName)],
        ["Reason", end && (end.reason || "none was given")],
        ["Answered", end?.escalationId],
        ["Deadline", found.deadlineAt === null ? null : momentText(found.deadlineAt)],
        ["Retries", found.retriesUsed || null],
        ["Rejections", found.rejectionsUsed || null],
        ["Trace", found.trace.traceId],
      ],
      printer,
    ),
    "",
  );
  await printer.table(columns, found.stages, "It has no stages.");
  for (const question of found.openEscalations) await printer.lines("", ...questionLines(question, printer));
}
