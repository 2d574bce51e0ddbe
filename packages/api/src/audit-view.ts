import { ActorTypeSchema, type AuditEventType, AuditEventTypeSchema } from "@signalbox/contracts";
import type { AuditPage, EntryProof } from "@signalbox/engine";
import { enumShortName } from "./enum-name.ts";

/** What `eventType` may say, so that the pages have a word for each. */
export type AuditEventName = Exclude<keyof typeof AuditEventType, "UNSPECIFIED">;

type Entry = AuditPage["entries"][number];

/** What a list shows of an entry; the payload may be large, and stands on the entry's own page. */
export function auditSummaryView(entry: Entry) {
  const { action, rationale } = saidIn(entry.payload);
  return {
    auditId: entry.auditId,
    recordedAt: entry.recordedAt,
    eventType: enumShortName(AuditEventTypeSchema, entry.eventType),
    actorType: enumShortName(ActorTypeSchema, entry.actorType),
    actorId: entry.actorId,
    action,
    rationale: rationale.slice(0, 300),
    traceId: entry.traceId,
    pipelineId: entry.pipelineId,
    stageId: entry.stageId,
    dispatchId: entry.dispatchId,
    attemptNumber: entry.attemptNumber,
    packId: entry.packId,
  };
}

/** What was recorded of it in words: what was done, and why. */
export function saidIn(payload: string): { action: string; rationale: string } {
  const said: unknown = JSON.parse(payload);
  const text = (name: string): string => {
    const value: unknown = Reflect.get(Object(said), name);
    return typeof value === "string" ? value : "";
  };
  return { action: text("action"), rationale: text("rationale") };
}

export const auditEntryView = (entry: Entry) => ({ ...auditSummaryView(entry), payload: entry.payload });

export const proofView = ({ fingerprint, unchained, chain }: EntryProof) => ({
  fingerprint,
  unchained: unchained ?? null,
  chain:
    chain === undefined
      ? null
      : {
          revision: chain.own.revision,
          digest: chain.own.digest,
          previous: chain.previous ?? null,
          next: chain.next ?? null,
          entries: chain.entries,
          faults: chain.faults,
        },
});
