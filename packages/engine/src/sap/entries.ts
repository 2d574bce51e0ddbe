import { AuditEventType, type AuditEntry } from "@signalbox/contracts";
import type { Result } from "@signalbox/contracts/sap";
import { type Actor, isFinal, sapEntry } from "@signalbox/core";
import type { NewSapCacheRecord, NewSapTask } from "@signalbox/db";

type Context = { readonly tenantId: string; readonly actor: Actor; readonly requestId: string };

/** The digest of what was asked stands on the record, which nobody can change. */
export const taskAccepted = (
  context: Context,
  { taskId, capability, digest, door }: NewSapTask,
  first: { readonly result: Result; readonly digest: string },
): AuditEntry =>
  sapEntry(context, {
    eventType: AuditEventType.TASK_SUBMITTED,
    action: `submitted SAP task ${taskId} for ${capability}`,
    rationale:
      `It came by ${door}; its digest is sha256:${digest}. ` +
      `It is ${first.result.status}; that Result's digest is sha256:${first.digest}.`,
  });

/** Each Result, whether it is the last or not, and what the cache keeps of it: what they say can be proved by the record (SAP V2.0 §11). */
export const resultTold = (
  context: Omit<Context, "actor">,
  { taskId, status, constitutionalEvidence: { alignment } }: Result,
  digest: string,
  record: Pick<NewSapCacheRecord, "cacheKey" | "digest"> | undefined,
): AuditEntry =>
  sapEntry(context, {
    eventType: isFinal(status) ? AuditEventType.TASK_ANSWERED : AuditEventType.TASK_REPORTED,
    action: `${isFinal(status) ? "answered" : "reported on"} SAP task ${taskId}: ${status}`,
    rationale:
      `Found ${alignment}; the Result's digest is sha256:${digest}.` +
      (record === undefined
        ? ""
        : ` The cache keeps it under ${record.cacheKey}; that record's digest is sha256:${record.digest}.`),
  });

/** Asked and answered in one: a hit is written a thousand times a second, and one entry says all of it. */
export const taskAnsweredAtOnce = (
  context: Context,
  { digest: asked, capability, door }: NewSapTask,
  { taskId, status, constitutionalEvidence: { alignment, cache } }: Result,
  digest: string,
): AuditEntry =>
  sapEntry(context, {
    eventType: AuditEventType.TASK_ANSWERED,
    action: `submitted SAP task ${taskId} for ${capability}, answered from the cache: ${status}`,
    rationale:
      `It came by ${door}; its digest is sha256:${asked}. Found ${alignment}; the Result's digest is sha256:${digest}. ` +
      (cache?.hit === true
        ? `It is what the cache has under ${cache.cacheKey}, ${cache.ageSec} s old.`
        : `The cache has nothing that fits under ${cache?.cacheKey}.`),
  });

export const taskRefused = (context: Context, taskId: string, capability: string, why: string): AuditEntry =>
  sapEntry(context, {
    eventType: AuditEventType.TASK_REFUSED,
    action: `was refused SAP task ${taskId} for ${capability}`,
    rationale: why,
  });
