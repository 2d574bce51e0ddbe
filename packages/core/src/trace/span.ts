import type { JsonObject } from "@bufbuild/protobuf";

/** A span as it is shown and exported: the nine correlation fields of A2A 5.1 and what was measured. */
export type Span = {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the root. */
  readonly parentSpanId: string;
  readonly tenantId: string;
  /** The instance that had the attempt; empty above the attempts. */
  readonly agentId: string;
  readonly pipelineId: string;
  readonly stageId: string;
  readonly dispatchId: string;
  /** 0 above the attempts. */
  readonly attemptNumber: number;
  readonly name: string;
  readonly startedAt: number;
  /** `null`: it goes on, or nobody saw it end. */
  readonly endedAt: number | null;
  readonly status: "ok" | "error" | "open";
  readonly attributes: JsonObject;
};

export type Correlation = Pick<
  Span,
  "traceId" | "tenantId" | "agentId" | "pipelineId" | "stageId" | "dispatchId" | "attemptNumber"
>;
