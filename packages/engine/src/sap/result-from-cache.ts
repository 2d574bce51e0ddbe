import type { Result } from "@signalbox/contracts/sap";
import {
  type CacheDecision,
  checksOnHit,
  checksOnMiss,
  judgeAnew,
  judgeCache,
  plainResult,
  type Redactor,
  type RoutingPolicy,
} from "@signalbox/core";
import type { StoredSapCacheRecord } from "@signalbox/db";
import { type CacheRecord, readCacheRecord } from "./cache-record.ts";
import type { PreparedTask } from "./prepare-task.ts";

export type PreparedUnder = PreparedTask & { readonly policy: RoutingPolicy; readonly redactor: Redactor };

export type Judged = {
  readonly decision: CacheDecision;
  readonly record: CacheRecord | undefined;
};

/** What the first of the records that fits makes of the task, or else the newest. What was masked has none (SAP-45). */
export function judgeRecords(
  { task, rule, row, policy, redactor }: PreparedUnder,
  stored: readonly StoredSapCacheRecord[] = [],
  now: number,
): Judged {
  const judge = (one: StoredSapCacheRecord | undefined): Judged => {
    const record = one === undefined || row.masked ? undefined : readCacheRecord(one);
    const { constitutionalContext: context } = task;
    const decision = judgeCache(context, rule, policy.sap?.principles ?? [], record?.facts, now);
    if (record === undefined) return { decision, record };
    const answerRules = { redactor, guardrails: policy.guardrails ?? [] };
    return { decision: judgeAnew(decision, context, rule, answerRules, record), record };
  };
  const [newest, ...earlier] = stored;
  const first = judge(newest);
  if (first.decision.kind === "hit") return first;
  for (const one of earlier) {
    const found = judge(one);
    if (found.decision.kind === "hit") return found;
  }
  return first;
}

export const mayFitEarlier = ({ decision }: Judged): boolean =>
  decision.kind !== "hit" && decision.earlierMayFit;

/** SAP-48: a record that does not align with the task hides none of before that does. */
export function judgeEarlier(
  prepared: PreparedUnder,
  newest: Judged,
  earlier: readonly StoredSapCacheRecord[] | undefined,
  now: number,
): Judged {
  const found = judgeRecords(prepared, earlier, now);
  return found.decision.kind === "hit" ? found : newest;
}

/** The Result that the cache gives; undefined where it has to be worked out. */
export function resultFromCache(
  { task, row }: PreparedTask,
  { decision, record }: Judged,
  now: number,
): Result | undefined {
  if (decision.kind === "compute") return undefined;
  const { constitutionalContext: context } = task;
  const pressure = context.pressure === undefined ? {} : { pressureReadings: context.pressure };
  if (decision.kind === "miss" || record === undefined) {
    return plainResult(task, now, {
      status: "FAILED",
      constitutionalEvidence: {
        alignment: "VALID",
        ...pressure,
        policyChecks: checksOnMiss(context),
        cache: { hit: false, cacheKey: row.cacheKey },
      },
      error: {
        code: "CACHE_MISS",
        message: `The task is to be answered from the cache only: ${decision.kind === "miss" ? decision.why : "nothing fits"}.`,
      },
    });
  }
  const { facts, violations, citations } = record;
  return plainResult(task, now, {
    status: "SUCCEEDED",
    producer: record.producer,
    output: record.output,
    constitutionalEvidence: {
      alignment: facts.alignment,
      ...pressure,
      policyChecks: checksOnHit(context, facts),
      ...(violations.length === 0 ? {} : { violations }),
      citations: [...citations],
      cache: { hit: true, cacheKey: row.cacheKey, ageSec: decision.ageSec },
    },
    metrics: { latencyMs: 0, attempts: 0 },
  });
}
