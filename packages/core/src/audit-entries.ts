import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  ActorType,
  AuditEntrySchema,
  AuditEventType,
  type AgentManifest,
  type AuditEntry,
} from "@signalbox/contracts";
import type { Actor, Role } from "./caller.ts";
import type { Orchestrator } from "./compatibility.ts";
import { orchestrator as decider } from "./pipeline/ledger.ts";
import type { Decider } from "./pipeline/fact.ts";

/** Where a decision belongs. The entry's id, time and order are the database's (D19), so none of them is here. */
export type AuditContext = {
  tenantId: string;
  actor: Actor;
  /** Outside a pipeline the request's id ties the entry to its log lines and to the caller's answer. */
  requestId: string;
};

const actorTypes = {
  human: ActorType.HUMAN,
  agent: ActorType.AGENT,
  system: ActorType.SYSTEM,
  orchestrator: ActorType.ORCHESTRATOR,
} as const satisfies Record<Decider["type"], ActorType>;

type Recorded = Required<Pick<Init, "eventType" | "action" | "rationale">> &
  Pick<Init, "packId" | "traceId" | "pipelineId" | "stageId" | "dispatchId" | "attemptNumber" | "snapshot">;
type Init = Extract<MessageInitShape<typeof AuditEntrySchema>, { $typeName?: never }>;

/** An entry that is no pipeline's fact. One that is about a pipeline names that one's trace; any other, its request. */
export const auditEntry = (
  { tenantId, actor, requestId }: Omit<AuditContext, "actor"> & { actor: Decider },
  recorded: Recorded,
): AuditEntry =>
  create(AuditEntrySchema, {
    traceId: requestId,
    ...recorded,
    tenantId,
    actor: { type: actorTypes[actor.type], id: actor.id },
  });

const asked = (what: string, value: string) => (value === "" ? `no ${what}` : `${what} ${value}`);

export function packRegistered(
  context: AuditContext,
  manifest: AgentManifest,
  orchestrator: Orchestrator,
): AuditEntry {
  return auditEntry(context, {
    eventType: AuditEventType.PACK_REGISTERED,
    packId: manifest.packId,
    action: `registered pack ${manifest.packId} ${manifest.packVersion}`,
    rationale:
      `The version was new. It asks for ${asked("minimum orchestrator version", manifest.minOrchestratorVersion)} ` +
      `and ${asked("capability schema", manifest.capabilitySchemaVersion)}; this orchestrator is ` +
      `${orchestrator.version} and understands ${orchestrator.capabilitySchema}.`,
  });
}

export function tenantCreated(context: AuditContext, tenant: { name: string }): AuditEntry {
  return auditEntry(context, {
    eventType: AuditEventType.TENANT_CREATED,
    action: `created the tenant ${context.tenantId}, "${tenant.name}"`,
    rationale: "The process started on an installation that did not have it.",
  });
}

export function keyCreated(context: AuditContext, key: { label: string; role: Role }): AuditEntry {
  return auditEntry(context, {
    eventType: AuditEventType.KEY_CREATED,
    action: `created the key "${key.label}" with role ${key.role}`,
    rationale: "The key stands in the configuration of the process and was not yet known.",
  });
}

export function keyRevoked(context: AuditContext, key: { keyId: string; label: string }): AuditEntry {
  return auditEntry(context, {
    eventType: AuditEventType.KEY_REVOKED,
    action: `revoked the key "${key.label}" (${key.keyId})`,
    rationale: "The configuration of the process registered it earlier and no longer gives it.",
  });
}

export function signInLinkCreated(context: AuditContext, link: { for: Actor; role: Role }): AuditEntry {
  return auditEntry(context, {
    eventType: AuditEventType.SIGN_IN_LINK_CREATED,
    action: `created a sign-in link for ${link.for.id} with role ${link.role}`,
    rationale: "The process started and printed the link where only its operator reads.",
  });
}

export function signInRefused(context: AuditContext, reason: string): AuditEntry {
  return auditEntry(context, {
    eventType: AuditEventType.SIGN_IN_REFUSED,
    action: "tried to sign in",
    rationale: `The one-time link ${reason}.`,
  });
}

export function signedOut(context: AuditContext): AuditEntry {
  return auditEntry(context, {
    eventType: AuditEventType.SIGNED_OUT,
    action: "signed out",
    rationale: "The person asked for it.",
  });
}

/** AUD-6: `narrowing` is the search that was asked for, redacted before it comes here. */
export function auditExported(context: AuditContext, narrowing: string): AuditEntry {
  return auditEntry(context, {
    eventType: AuditEventType.AUDIT_EXPORTED,
    action: "exported the audit record",
    rationale: narrowing === "" ? "They asked for all of it." : `They asked for ${narrowing}.`,
  });
}

/** D21: a write that was blocked is itself on record; its detail never quotes what could not be masked. */
export function redactionBlocked(
  context: Omit<AuditContext, "actor">,
  what: string,
  detail: string,
): AuditEntry {
  return auditEntry(
    { ...context, actor: decider },
    {
      eventType: AuditEventType.REDACTION_BLOCKED,
      action: "redaction.blocked",
      rationale: `${what} could not be masked, so nothing of it was written: ${detail}`,
    },
  );
}

type AttachmentNamed = { attachmentId: string; name: string; size: number; digest: string };

export function attachmentKept(context: AuditContext, kept: AttachmentNamed): AuditEntry {
  return auditEntry(context, {
    eventType: AuditEventType.ATTACHMENT_KEPT,
    action: `kept attachment ${kept.attachmentId}`,
    rationale: `"${kept.name}", ${kept.size} bytes, sha256:${kept.digest}.`,
  });
}

/** Whoever has the link has the bytes: to whom it was given is on record. */
export function attachmentHandedOut(
  context: AuditContext,
  { attachmentId, digest }: AttachmentNamed,
  until: string,
  dispatchId: string | undefined,
): AuditEntry {
  return auditEntry(context, {
    eventType: AuditEventType.ATTACHMENT_HANDED_OUT,
    action: `was given a link to attachment ${attachmentId}`,
    rationale: `It is good until ${until}${dispatchId === undefined ? "" : `, for dispatch ${dispatchId}`}; sha256:${digest}.`,
  });
}

/** What became of a task of SAP V2.0; where nobody is named, the orchestrator decided. */
export const sapEntry = (
  { actor = decider, ...context }: Omit<AuditContext, "actor"> & { actor?: Decider },
  recorded: Recorded,
): AuditEntry => auditEntry({ ...context, actor }, recorded);
