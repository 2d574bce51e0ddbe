import { AuditEventType, type AuditEntry } from "@signalbox/contracts";
import { type AuditContext, auditEntry } from "../audit-entries.ts";
import { type DocumentKind, documentNouns } from "./document-kinds.ts";
import type { Publication } from "./lifecycle.ts";

/** A change of a version's life, as it goes on record. A note is redacted before it comes here. */
type Named = { kind: DocumentKind; version: string };

const eventTypes = {
  "routing-policy": {
    drafted: AuditEventType.POLICY_DRAFTED,
    discarded: AuditEventType.POLICY_DISCARDED,
    published: AuditEventType.POLICY_PUBLISHED,
    retired: AuditEventType.POLICY_RETIRED,
  },
  "pipeline-templates": {
    drafted: AuditEventType.TEMPLATE_DRAFTED,
    discarded: AuditEventType.TEMPLATE_DISCARDED,
    published: AuditEventType.TEMPLATE_PUBLISHED,
    retired: AuditEventType.TEMPLATE_RETIRED,
  },
} as const satisfies Record<DocumentKind, Record<string, AuditEventType>>;

const because = (note: string, otherwise: string) => (note === "" ? otherwise : note);

export const documentDrafted = (
  context: AuditContext,
  { kind, version, note }: Named & { note: string },
): AuditEntry =>
  auditEntry(context, {
    eventType: eventTypes[kind].drafted,
    action: `drafted ${documentNouns[kind]} ${version}`,
    rationale: because(note, "The version was new."),
  });

export const documentEdited = (
  context: AuditContext,
  { kind, version, edit, note }: Named & { edit: number; note: string },
): AuditEntry =>
  auditEntry(context, {
    eventType: eventTypes[kind].drafted,
    action: `edited the draft of ${documentNouns[kind]} ${version}, edit ${edit}`,
    rationale: because(note, "It was a draft, at the edit that was seen."),
  });

export const documentDiscarded = (context: AuditContext, { kind, version }: Named): AuditEntry =>
  auditEntry(context, {
    eventType: eventTypes[kind].discarded,
    action: `discarded the draft of ${documentNouns[kind]} ${version}`,
    rationale: "It was a draft, at the edit that was seen.",
  });

/** Two entries where another version is retired by it: a decision and its opposite never share one. */
export function documentPublished(
  context: AuditContext,
  {
    kind,
    version,
    edit,
    note,
    publication: { retires, rollback },
  }: Named & { edit: number; note: string; publication: Publication },
): AuditEntry[] {
  const noun = documentNouns[kind];
  const published = auditEntry(context, {
    eventType: eventTypes[kind].published,
    action: `${rollback ? "rolled back to" : "published"} ${noun} ${version}, edit ${edit}`,
    rationale: because(note, retires === undefined ? "No version was active." : `It replaces ${retires}.`),
  });
  if (retires === undefined) return [published];
  const retired = auditEntry(context, {
    eventType: eventTypes[kind].retired,
    action: `retired ${noun} ${retires}`,
    rationale: `${version} was published in its place.`,
  });
  return [retired, published];
}
