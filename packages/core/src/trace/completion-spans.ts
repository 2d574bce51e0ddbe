import type { JsonObject } from "@bufbuild/protobuf";
import { PipelineStatus, PipelineStatusSchema } from "@signalbox/contracts";
import type { PipelineState } from "../pipeline/state.ts";
import { pipelineSnapshot, summarizePipeline } from "../pipeline/summarize.ts";
import type { Correlation, Span } from "./span.ts";
import { rootSpanId, spanId } from "./span-ids.ts";

const NAMED = 32;
const FINAL = "pipeline_complete";

/** TRACE-10 (A2A 5.1): what it all came to; however the pipeline ended, and not before. */
export function completionSpans(state: PipelineState, correlation: Correlation): Span[] {
  const { endedAt, status } = state;
  if (endedAt === null) return [];
  const { pipelineId } = correlation;
  const finalId = spanId(pipelineId, FINAL);
  const at = (name: string, id: string, parentSpanId: string, attributes: JsonObject): Span => ({
    ...correlation,
    spanId: id,
    parentSpanId,
    name,
    startedAt: endedAt,
    endedAt,
    status: status === PipelineStatus.COMPLETED ? "ok" : "error",
    attributes,
  });
  const below = (name: string, attributes: JsonObject): Span =>
    at(name, spanId(pipelineId, `${FINAL}/${name}`), finalId, attributes);
  const { artifacts, decisions, risks } = summarizePipeline(state, endedAt);
  const { totalMs, stagesCompleted, stagesSkipped, stageCount, retriesUsed, rejectionsUsed } =
    pipelineSnapshot(state, endedAt);
  return [
    at(FINAL, finalId, rootSpanId(pipelineId), {
      status: PipelineStatusSchema.value[status]?.localName ?? "",
    }),
    below("aggregate_timing", {
      totalMs,
      stageCount,
      stagesCompleted,
      stagesSkipped,
      retriesUsed,
      rejectionsUsed,
    }),
    below("artifact_summary", {
      artifacts: artifacts.length,
      decisions: decisions.length,
      paths: artifacts.slice(0, NAMED).map(({ path }) => path),
    }),
    below("risk_summary", { risks: risks.length, named: risks.slice(0, NAMED) }),
  ];
}
