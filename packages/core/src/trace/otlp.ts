import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Span } from "./span.ts";

/** Who exports, as every reader of traces sorts them. */
export type TraceSource = { readonly serviceName: string; readonly version: string };

/** opentelemetry/proto/trace/v1: made by who calls, within the process that exports it. */
const INTERNAL = 1;
const statusCodes = { open: 0, ok: 1, error: 2 } as const satisfies Record<Span["status"], number>;

/**
 * TRACE-13 (A2A 5.7): spans as OpenTelemetry's protocol takes them over HTTP, in its JSON mapping: ids in hex, integers of 64
 * bits as text. The correlation fields of 5.1 keep their names; what was measured stands under ours.
 */
export const otlpTraces = (spans: readonly Span[], { serviceName, version }: TraceSource): JsonObject => ({
  resourceSpans: [
    {
      resource: { attributes: keyValues({ "service.name": serviceName, "service.version": version }) },
      scopeSpans: [{ scope: { name: "signalbox", version }, spans: spans.map(spanOf) }],
    },
  ],
});

const spanOf = (span: Span): JsonObject => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentSpanId === "" ? {} : { parentSpanId: span.parentSpanId }),
  name: span.name,
  kind: INTERNAL,
  startTimeUnixNano: nanoseconds(span.startedAt),
  // Nobody saw it end: one that lasted no time is what readers can show.
  endTimeUnixNano: nanoseconds(span.endedAt ?? span.startedAt),
  attributes: keyValues({ ...correlation(span), ...prefixed(span.attributes) }),
  status: { code: statusCodes[span.status] },
});

const NANOSECONDS = 1_000_000n;
const nanoseconds = (at: number): string => String(BigInt(Math.round(at)) * NANOSECONDS);

const correlation = (span: Span): JsonObject => ({
  tenant_id: span.tenantId,
  agent_id: span.agentId,
  pipeline_id: span.pipelineId,
  stage_id: span.stageId,
  dispatch_id: span.dispatchId,
  attempt_number: span.attemptNumber,
});

const prefixed = (attributes: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`signalbox.${name}`, value]));

const keyValues = (attributes: JsonObject): JsonObject[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));

function anyValue(value: JsonValue): JsonObject {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number")
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  return value === null
    ? {}
    : { kvlistValue: { values: Object.entries(value).map(([key, one]) => ({ key, value: anyValue(one) })) } };
}

const SAMPLED_DIGITS = 13;

/**
 * TRACE-14 (A2A 5.1): whether a trace is among the share that is exported, decided by its id alone: every node decides alike,
 * and what a smaller share takes, a larger one takes too.
 */
export const isSampled = (traceId: string, share: number): boolean =>
  Number.parseInt(traceId.slice(-SAMPLED_DIGITS), 16) >= (1 - share) * 16 ** SAMPLED_DIGITS;
