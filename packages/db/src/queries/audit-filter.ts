import type { auditEntries } from "../schema/audit-entries.ts";

export type AuditEntry = Omit<typeof auditEntries.$inferSelect, "tenantId">;
export type AuditRecord = Pick<AuditEntry, "auditId" | "recordedAt">;

/** What is not given does not narrow. `to` is excluded, so that pages of days do not overlap. */
export interface AuditFilter {
  eventType?: number | undefined;
  packId?: string | undefined;
  pipelineId?: string | undefined;
  traceId?: string | undefined;
  /** An actor's id. */
  actor?: string | undefined;
  /** Words, as websearch_to_tsquery reads them; of routine entries only where the pipeline is named. */
  words?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}
