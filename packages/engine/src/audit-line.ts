import type { AuditEntry } from "@signalbox/db";

/**
 * An entry as every reader is given it, and as its fingerprint is taken. The payload stands here byte for byte as it was
 * recorded: read and written anew it would be another text.
 */
export const auditLine = ({
  auditId,
  recordedAt,
  payload,
}: Pick<AuditEntry, "auditId" | "recordedAt" | "payload">): string =>
  `{"auditId":${JSON.stringify(auditId)},"recordedAt":${JSON.stringify(recordedAt)},"payload":${payload}}`;
