import type { AuditFact } from "@signalbox/core";

/** Moments and spans of time, random ids, and what the registry happened to hold at that moment: scenarios run at once. */
const volatile =
  /^(?:\w+(?:At|Ms|Until|Since|SpanId)|until|since|notBefore|traceId|spanId|revision|rejectionReasons|timing|consecutiveInvalidResults)$/;

/** A pipeline's record without what no two runs share: two that are equal say the same of what was decided, and why. */
export function normalised(facts: readonly AuditFact[], pipelineId: string): unknown[] {
  const strip = (value: unknown, key = ""): unknown => {
    if (volatile.test(key)) return value === null ? null : "·";
    if (typeof value === "string")
      return (
        value
          .replaceAll(pipelineId, "pipeline")
          .replaceAll(/\d+(\.\d+)? (ms|s)\b/g, "· s")
          // What had become of the stage when something came too late is a matter of the moment.
          .replace(/(not about the current dispatch of stage "\w+"): .*/, "$1")
      );
    if (Array.isArray(value)) return value.map((item) => strip(item));
    if (typeof value !== "object" || value === null) return typeof value === "bigint" ? String(value) : value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, strip(inner, name)]));
  };
  // A late result belongs to no revision, and comes when it comes.
  const [late, others] = [
    facts.filter(({ action }) => action === "result.stale"),
    facts.filter(({ action }) => action !== "result.stale"),
  ];
  return [...others, ...late].map((fact) => strip(fact));
}
