import type { JsonValue } from "@bufbuild/protobuf";
import { ActorType, ActorTypeSchema, AuditEventType } from "@signalbox/contracts";
import type { AuditFact, Decider, FactAction } from "../pipeline/fact.ts";
import { changeJson, readChange } from "./change-codec.ts";
import { count, listOf, objectOf, text } from "./codec.ts";
import { readAt, RecordFault, shown } from "./record-fault.ts";
import { readSnapshot, snapshotJson } from "./snapshot-json.ts";

/** Whose entry it is. Its id, time and order are the database's (D19), and so no part of it here. */
export type EntryContext = {
  readonly tenantId: string;
  readonly pipelineId: string;
  readonly traceId: string;
  /** Of the messages that whoever records it speaks. */
  readonly schemaVersion: string;
};

const actorTypes = {
  human: ActorType.HUMAN,
  agent: ActorType.AGENT,
  system: ActorType.SYSTEM,
  orchestrator: ActorType.ORCHESTRATOR,
} as const satisfies Record<Decider["type"], ActorType>;

const eventTypes = new Map(
  Object.entries(AuditEventType).map(([name, type]) => [`AUDIT_EVENT_TYPE_${name}`, type]),
);
const eventNames = new Map<number, string>([...eventTypes].map(([name, type]) => [type, name]));
const actorName = (type: Decider["type"]): string => ActorTypeSchema.value[actorTypes[type]]?.name ?? "";
const actorNames = {
  human: actorName("human"),
  agent: actorName("agent"),
  system: actorName("system"),
  orchestrator: actorName("orchestrator"),
} as const satisfies Record<Decider["type"], string>;

/** What is undefined is not printed. One object of one form is made quicker, and printed quicker, than one that grows. */
type Printed = { readonly [name: string]: JsonValue | Printed | undefined };

/**
 * REC-1: a fact as the protobuf JSON of an AuditEntry, made without the message. It is what `toJson` would give, so that
 * any reader of the contract reads it.
 */
export function auditEntryJson(
  fact: AuditFact,
  { tenantId, pipelineId, traceId, schemaVersion }: EntryContext,
): Printed {
  const { stageId, dispatchId, attemptNumber, packId, actor, rationale, snapshot, changes, revision } = fact;
  return {
    eventType: eventNames.get(fact.eventType) ?? fact.eventType,
    protocolVersion: schemaVersion === "" ? undefined : { schemaVersion },
    traceId: traceId || undefined,
    tenantId: tenantId || undefined,
    pipelineId: pipelineId || undefined,
    stageId: stageId ?? undefined,
    dispatchId: dispatchId ?? undefined,
    attemptNumber: attemptNumber || undefined,
    packId: packId ?? undefined,
    actor: { type: actorNames[actor.type], id: actor.id || undefined },
    action: fact.action,
    rationale: rationale || undefined,
    snapshot: snapshot === null ? undefined : snapshotJson(snapshot),
    changes: changes.length === 0 ? undefined : changes.map((change) => changeJson(change)),
    pipelineRevision: revision ?? undefined,
  };
}

const readChanges = listOf({ write: changeJson, read: readChange });

/** REC-8: the fact that an entry was made of; a RecordFault where it is no entry of a pipeline. */
export function factOf(entry: unknown): AuditFact {
  const json = objectOf(entry);
  const orNull = (name: string) =>
    readAt(name, () => (json[name] === undefined ? null : text.read(json[name])));
  const orZero = (name: string) =>
    readAt(name, () => (json[name] === undefined ? 0 : count.read(json[name])));
  const revision = orZero("pipelineRevision");
  return {
    eventType: readAt("eventType", () => readEventType(json["eventType"])),
    action: readAt("action", () => readAction(json["action"])),
    rationale: orNull("rationale") ?? "",
    actor: readAt("actor", () => readActor(json["actor"])),
    stageId: orNull("stageId"),
    dispatchId: orNull("dispatchId"),
    attemptNumber: orZero("attemptNumber"),
    packId: orNull("packId"),
    snapshot: readAt("snapshot", () =>
      json["snapshot"] === undefined ? null : readSnapshot(json["snapshot"]),
    ),
    changes: readAt("changes", () =>
      json["changes"] === undefined ? [] : readChanges.read(json["changes"]),
    ),
    revision: revision === 0 ? null : revision,
  };
}

function readEventType(json: unknown): AuditEventType {
  const number = typeof json === "string" ? eventTypes.get(json) : undefined;
  if (number === undefined) throw new RecordFault(`no event type is called ${shown(json)}`);
  return number;
}

function readActor(json: unknown): Decider {
  const { type, id } = objectOf(json);
  const name = deciderTypes.find((known) => actorNames[known] === type);
  if (name === undefined) throw new RecordFault(`nobody decides as ${shown(type)}`, "type");
  return { type: name, id: id === undefined ? "" : readAt("id", () => text.read(id)) };
}

const deciderTypes = ["human", "agent", "system", "orchestrator"] as const;

type AnyResolution = `escalation.resolved.${string}`;
const factActions: Readonly<Record<Exclude<FactAction, AnyResolution>, true>> = {
  "pipeline.created": true,
  "pipeline.completed": true,
  "pipeline.failed": true,
  "pipeline.failed-on-deadline": true,
  "pipeline.aborted": true,
  "pipeline.paused-by-person": true,
  "pipeline.paused-on-deadline": true,
  "pipeline.paused-on-people": true,
  "pipeline.resumed": true,
  "dispatch.decided": true,
  "dispatch.deferred": true,
  "dispatch.refused": true,
  "dispatch.sent": true,
  "dispatch.transport-failed": true,
  "dispatch.timed-out": true,
  "dispatch.lease-lost": true,
  "dispatch.agent-failed": true,
  "dispatch.cancelled": true,
  "result.received": true,
  "result.stale": true,
  "result.validated": true,
  "result.invalid": true,
  "answer.redacted": true,
  "answer.failed": true,
  "gate.passed": true,
  "gate.passed-by-person": true,
  "gate.rejected": true,
  "stage.retried": true,
  "stage.failed": true,
  "stage.skipped": true,
  "stage.rewound-by-person": true,
  "commit.noted": true,
  "handoff.requested": true,
  "handoff.approved": true,
  "handoff.refused": true,
  "escalation.opened": true,
  "escalation.taken": true,
  "escalation.assigned": true,
  "escalation.released": true,
  "escalation.commented": true,
};

const isAction = (json: string): json is FactAction =>
  Object.hasOwn(factActions, json) || json.startsWith("escalation.resolved.");

function readAction(json: unknown): FactAction {
  const action = text.read(json);
  if (!isAction(action)) throw new RecordFault(`no pipeline's fact is called ${shown(action)}`);
  return action;
}
