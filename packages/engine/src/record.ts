import { create, toJsonString } from "@bufbuild/protobuf";
import { AuditEntrySchema, type AuditEntry, ProtocolVersionSchema } from "@signalbox/contracts";
import {
  appendAuditBatch,
  appendAuditEntries,
  type AuditRecord,
  type BatchTransaction,
  type NewAuditEntry,
  type TenantTransaction,
} from "@signalbox/db";
import { SCHEMA_VERSION } from "./schema-version.ts";

const given = (text: string) => (text === "" ? undefined : text);

/** Puts a decision on record, in the transaction that carries it out. */
export async function record(tx: TenantTransaction, ...entries: AuditEntry[]): Promise<void> {
  await appendAuditEntries(tx, entries.map(rowOf));
}

/** The same for one of which the caller needs to know where it stands. */
export async function recordOne(tx: TenantTransaction, entry: AuditEntry): Promise<AuditRecord> {
  const [recorded] = await appendAuditEntries(tx, [rowOf(entry)]);
  if (recorded === undefined) throw new Error("an entry was recorded and not given back");
  return recorded;
}

/** The same for entries of several tenants, each of which names its own. */
export async function recordBatch(tx: BatchTransaction, entries: readonly AuditEntry[]): Promise<void> {
  await appendAuditBatch(
    tx,
    entries.map((entry) => ({ ...rowOf(entry), tenantId: entry.tenantId })),
  );
}

/** Whoever reads an entry years later is told by which contract it was written (A2A 5.2). */
const protocolVersion = create(ProtocolVersionSchema, { schemaVersion: SCHEMA_VERSION });

const rowOf = (entry: AuditEntry): NewAuditEntry => ({
  eventType: entry.eventType,
  actor: { type: entry.actor?.type ?? 0, id: entry.actor?.id ?? "" },
  traceId: given(entry.traceId),
  pipelineId: given(entry.pipelineId),
  stageId: given(entry.stageId),
  dispatchId: given(entry.dispatchId),
  attemptNumber: entry.attemptNumber === 0 ? undefined : entry.attemptNumber,
  packId: given(entry.packId),
  payload: toJsonString(AuditEntrySchema, { ...entry, protocolVersion }),
});
