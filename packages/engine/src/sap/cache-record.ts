import { AlignmentSchema, type Result, ResultSchema, type Task, TaskSchema } from "@signalbox/contracts/sap";
import { canonicalJson, type CacheFacts, SAP_VERSION } from "@signalbox/core";
import type { NewSapCacheRecord, StoredSapCacheRecord, StoredSapTask } from "@signalbox/db";
import { sha256 } from "./prepare-task.ts";

type Evidence = Result["constitutionalEvidence"];

export type CacheRecord = {
  readonly facts: CacheFacts;
  readonly producer: Result["producer"];
  readonly output: unknown;
  readonly violations: NonNullable<Evidence["violations"]>;
  readonly citations: readonly string[];
};

const context = TaskSchema.shape.constitutionalContext;

/** SAP V2.0 §6, Cache Record Shape: what a success leaves for others, and under what it was made. */
export function cacheRecordOf(task: Task, stored: StoredSapTask, result: Result): NewSapCacheRecord {
  const { constitutionalEvidence: evidence, producer, output } = result;
  const record = {
    output,
    producer,
    policyChecks: evidence.policyChecks ?? [],
    ...(evidence.violations === undefined ? {} : { violations: evidence.violations }),
    citations: evidence.citations ?? [],
    context: task.constitutionalContext,
  };
  const text = JSON.stringify(record);
  return {
    tenantId: stored.tenantId,
    cacheKey: stored.cacheKey,
    sapVersion: SAP_VERSION,
    taskId: stored.taskId,
    producer: producer.agentId,
    alignment: evidence.alignment,
    fingerprint: stored.fingerprint,
    digest: sha256(canonicalJson(record)),
    record: text,
  };
}

export function readCacheRecord({ record, storedAt, alignment }: StoredSapCacheRecord): CacheRecord {
  const read: {
    output: unknown;
    producer: unknown;
    policyChecks: unknown;
    violations?: unknown;
    citations: unknown;
    context: unknown;
  } = JSON.parse(record);
  const evidence = ResultSchema.shape.constitutionalEvidence.parse({
    alignment,
    policyChecks: read.policyChecks,
    violations: read.violations,
    citations: read.citations,
  });
  const { policyChecks = [], violations = [], citations = [] } = evidence;
  return {
    facts: {
      storedAt,
      alignment: AlignmentSchema.parse(alignment),
      context: context.parse(read.context),
      policyChecks,
    },
    producer: ResultSchema.shape.producer.parse(read.producer),
    output: read.output,
    violations,
    citations,
  };
}
