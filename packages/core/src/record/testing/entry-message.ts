import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  ActorType,
  type AuditEntry,
  AuditEntrySchema,
  type AuditSnapshot,
  AuditSnapshotSchema,
  DispatchSnapshotSchema,
  EscalationSnapshotSchema,
  GateSnapshotSchema,
  ResultSnapshotSchema,
} from "@signalbox/contracts";
import type { AuditFact, FactSnapshot } from "../../pipeline/fact.ts";
import { changeJson } from "../change-codec.ts";
import type { EntryContext } from "../entry-json.ts";

/** The entry as a message, made the plain way: what the fast way is held against. */
export function entryMessage(fact: AuditFact, { schemaVersion, ...context }: EntryContext): AuditEntry {
  const { stageId, dispatchId, packId, revision, snapshot, changes, actor } = fact;
  const type = ActorType[actor.type === "orchestrator" ? "ORCHESTRATOR" : upper(actor.type)];
  return create(AuditEntrySchema, {
    ...context,
    protocolVersion: { schemaVersion },
    eventType: fact.eventType,
    action: fact.action,
    rationale: fact.rationale,
    attemptNumber: fact.attemptNumber,
    actor: { type, id: actor.id },
    stageId: stageId ?? "",
    dispatchId: dispatchId ?? "",
    packId: packId ?? "",
    pipelineRevision: revision ?? 0,
    changes: changes.map((change) => ({
      kind: change.kind,
      subjectId: subjectOf(change),
      set: Object(changeJson(change)["set"]),
    })),
    ...(snapshot === null ? {} : { snapshot: snapshotMessage(snapshot) }),
  });
}

const upper = <T extends string>(text: T): Uppercase<T> => text.toUpperCase() as Uppercase<T>;

function subjectOf(change: AuditFact["changes"][number]): string {
  switch (change.kind) {
    case "stage":
      return change.stageId;
    case "escalation-opened":
      return change.escalation.escalationId;
    case "escalation-closed":
      return change.escalationId;
    case "created":
    case "pipeline":
      return "";
  }
}

function snapshotMessage(snapshot: FactSnapshot): AuditSnapshot {
  switch (snapshot.case) {
    case "dispatch":
    case "result":
    case "gate":
    case "escalation":
      return create(AuditSnapshotSchema, { snapshotPayload: snapshot });
    case "pipeline": {
      const { policy, totalMs, remainingMs, ...value } = snapshot.value;
      const { deadlineMs } = policy;
      return create(AuditSnapshotSchema, {
        snapshotPayload: {
          case: "pipeline",
          value: {
            ...value,
            risks: [...value.risks],
            policy: {
              ...policy,
              ...(deadlineMs === null ? {} : { pipelineDeadline: durationFromMs(deadlineMs) }),
            },
            totalTime: durationFromMs(totalMs),
            ...(remainingMs === null ? {} : { timeLeft: durationFromMs(remainingMs) }),
          },
        },
      });
    }
    case "dispatch-end": {
      const { durationMs, dueAt, ...value } = snapshot.value;
      return create(AuditSnapshotSchema, {
        snapshotPayload: {
          case: "dispatchEnd",
          value: {
            ...value,
            ranFor: durationFromMs(durationMs),
            ...(dueAt === null ? {} : { dueAt: timestampFromMs(dueAt) }),
          },
        },
      });
    }
  }
}

/** The fact as an entry gives it back: what the rules left unsaid of a snapshot is what the contract makes of it. */
export const asRead = (fact: AuditFact): AuditFact => ({
  ...fact,
  snapshot: fact.snapshot === null ? null : snapshotAsRead(fact.snapshot),
});

function snapshotAsRead(snapshot: FactSnapshot): FactSnapshot {
  switch (snapshot.case) {
    case "dispatch":
      return { case: snapshot.case, value: create(DispatchSnapshotSchema, snapshot.value) };
    case "result":
      return { case: snapshot.case, value: create(ResultSnapshotSchema, snapshot.value) };
    case "gate":
      return { case: snapshot.case, value: create(GateSnapshotSchema, snapshot.value) };
    case "escalation":
      return { case: snapshot.case, value: create(EscalationSnapshotSchema, snapshot.value) };
    case "pipeline":
    case "dispatch-end":
      return snapshot;
  }
}
