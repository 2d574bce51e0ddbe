import type { StreamEvent } from "@signalbox/api";
import type { Pipeline, PipelinePages, PipelineSummary } from "./pipeline-queries.ts";

type Transition = {
  readonly to: string;
  readonly stageId: string | undefined;
  readonly attemptNumber: number;
};
export type Change = {
  readonly pipelineId: string;
  readonly revision: number;
  readonly transitions: readonly Transition[];
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

function transitionOf(value: unknown): Transition[] {
  if (!isRecord(value) || typeof value.to !== "string") return [];
  const { stageId, attemptNumber } = value;
  return [
    {
      to: value.to,
      stageId: typeof stageId === "string" ? stageId : undefined,
      attemptNumber: typeof attemptNumber === "number" ? attemptNumber : 0,
    },
  ];
}

/** What `pipeline.changed` says of a pipeline's and its stages' statuses (docs/stream.md). */
export function changeOf({ kind, pipelineId, data }: StreamEvent): Change | undefined {
  if (kind !== "pipeline.changed" || pipelineId === null || typeof data["revision"] !== "number")
    return undefined;
  const transitions: unknown[] = Array.isArray(data["transitions"]) ? data["transitions"] : [];
  return { pipelineId, revision: data["revision"], transitions: transitions.flatMap(transitionOf) };
}

const ownStatus = ({ transitions }: Change): string | undefined =>
  transitions.findLast(({ stageId }) => stageId === undefined)?.to;

/** The train moves at once; what the event does not carry is read anew behind it. An older event changes nothing. */
export function moved(pipeline: Pipeline, change: Change): Pipeline {
  if (change.pipelineId !== pipeline.pipelineId || change.revision <= pipeline.revision) return pipeline;
  const latest = new Map(change.transitions.map((transition) => [transition.stageId, transition]));
  return {
    ...pipeline,
    revision: change.revision,
    status: ownStatus(change) ?? pipeline.status,
    stages: pipeline.stages.map((stage) => {
      const transition = latest.get(stage.stageId);
      return transition === undefined
        ? stage
        : { ...stage, status: transition.to, attemptNumber: transition.attemptNumber };
    }),
  };
}

/**
 * Those of the changes that the list shows, in their rows. A row stays where it is, also where it no longer has the status that
 * was looked for: nobody's row goes away from under the cursor.
 */
export function rowsMoved(
  pages: PipelinePages,
  changes: readonly Change[],
): { readonly pages: PipelinePages; readonly unknown: boolean } {
  const latest = new Map<string, { revision: number; status: string | undefined }>();
  for (const change of changes) {
    const status = ownStatus(change) ?? latest.get(change.pipelineId)?.status;
    latest.set(change.pipelineId, { revision: change.revision, status });
  }
  const move = (row: PipelineSummary): PipelineSummary => {
    const change = latest.get(row.pipelineId);
    latest.delete(row.pipelineId);
    if (change === undefined || change.revision <= row.revision) return row;
    return { ...row, revision: change.revision, status: change.status ?? row.status };
  };
  const moving = pages.pages.map((page) => {
    if (!page.pipelines.some(({ pipelineId }) => latest.has(pipelineId))) return page;
    return { ...page, pipelines: page.pipelines.map(move) };
  });
  return { pages: { ...pages, pages: moving }, unknown: latest.size > 0 };
}

/** The newest page, read anew, before what is shown already. */
export function withNewest(pages: PipelinePages, newest: readonly PipelineSummary[]): PipelinePages {
  const known = new Set(pages.pages.flatMap((page) => page.pipelines.map(({ pipelineId }) => pipelineId)));
  const fresh = newest.filter(({ pipelineId }) => !known.has(pipelineId));
  const [first, ...others] = pages.pages;
  if (fresh.length === 0 || first === undefined) return pages;
  return { ...pages, pages: [{ ...first, pipelines: [...fresh, ...first.pipelines] }, ...others] };
}
