import { SignalboxError } from "@signalbox/contracts";
import { monthOf } from "@signalbox/core";
import {
  type AuditEntry,
  type AuditRecord,
  findAuditEntry,
  findPipeline,
  hasAuditMonth,
  listAuditEntries,
  type TenantTransaction,
} from "@signalbox/db";
import { authorise } from "./authorise.ts";
import { readState } from "./orchestrator/open-batch.ts";
import { loadWhole } from "./orchestrator/read-pipelines.ts";
import { type Chain, chainOf, fingerprintOf } from "./pipeline-chain.ts";
import type { Asked, System } from "./system.ts";
import { transact } from "./transaction.ts";

const unknown = (auditId: string) =>
  new SignalboxError("NOT_FOUND", `There is no audit entry "${auditId.slice(0, 100)}".`);

export async function getAuditEntry(system: System, { caller }: Asked, auditId: string): Promise<AuditEntry> {
  authorise(caller, "audit.read", undefined);
  const found = await transact(system, caller.tenantId, (tx) => findAuditEntry(tx, auditId));
  if (found === undefined) throw unknown(auditId);
  return found;
}

export type EntryProof = {
  /** SHA-256 of the entry's line, as an export gives it. */
  readonly fingerprint: string;
  /**
   * Why there is no chain: no pipeline's state is made of the entry, its pipeline has more entries than one check reads, or the
   * month in which it began has left the record (D20).
   */
  readonly unchained: "no-revision" | "too-long" | "removed" | undefined;
  readonly chain: Chain | undefined;
};

/** What one check reads at most; a pipeline of two hundred stages leaves about two thousand. */
const MOST_ENTRIES = 10_000;
const PAGE = 500;

/** That the record of the entry's pipeline is whole: nothing missing, nothing doubled, and giving the state that there is. */
export async function proveAuditEntry(
  system: System,
  { caller }: Asked,
  auditId: string,
  { most }: { most: number } = { most: MOST_ENTRIES },
): Promise<EntryProof> {
  authorise(caller, "audit.read", undefined);
  return transact(system, caller.tenantId, async (tx) => {
    const entry = await findAuditEntry(tx, auditId);
    if (entry === undefined) throw unknown(auditId);
    const fingerprint = fingerprintOf(entry);
    const { pipelineId } = entry;
    const pipeline = pipelineId === null ? undefined : await findPipeline(tx, pipelineId);
    if (pipelineId === null || pipeline === undefined)
      return { fingerprint, unchained: "no-revision", chain: undefined };
    if (!(await hasAuditMonth(tx, monthOf(pipeline.createdAt.getTime()))))
      return { fingerprint, unchained: "removed", chain: undefined };
    // Before the entries: those of a later revision, which may come meanwhile, are left out.
    const { row } = await loadWhole(tx, pipelineId, () => Promise.resolve());
    const entries = await entriesOf(tx, pipelineId, most);
    if (entries === undefined) return { fingerprint, unchained: "too-long", chain: undefined };
    const chain = chainOf(entries, auditId, { revision: row.revision, state: readState(row) });
    return { fingerprint, unchained: chain === undefined ? "no-revision" : undefined, chain };
  });
}

async function entriesOf(
  tx: TenantTransaction,
  pipelineId: string,
  most: number,
): Promise<AuditEntry[] | undefined> {
  const all: AuditEntry[] = [];
  let after: AuditRecord | undefined;
  do {
    const page: { entries: AuditEntry[]; next: AuditRecord | undefined } = await listAuditEntries(tx, {
      pipelineId,
      limit: PAGE,
      after,
    });
    all.push(...page.entries);
    after = page.next;
    if (all.length > most) return undefined;
  } while (after !== undefined);
  return all;
}
