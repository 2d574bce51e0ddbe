import { type AuditEntry, AuditEventType, type HealthStatus } from "@signalbox/contracts";
import { type AuditContext, auditEntry } from "../audit-entries.ts";
import type { InstanceRef } from "../dispatch/registry-facts.ts";
import type { StandingEntry } from "../gate/quarantine.ts";
import type { DrainingEntry } from "./draining.ts";

const named = ({ packId, instanceId }: InstanceRef) => `instance ${instanceId} of ${packId}`;

export const instanceFirstSeen = (
  context: AuditContext,
  ref: InstanceRef,
  { packVersion, health }: { packVersion: string | undefined; health: HealthStatus },
): AuditEntry =>
  auditEntry(context, {
    eventType: AuditEventType.INSTANCE_FIRST_SEEN,
    packId: ref.packId,
    action: `heard of ${named(ref)} for the first time`,
    rationale: "Its pack is registered, and no instance of this name was known.",
    snapshot: {
      snapshotPayload: {
        case: "agentHealth",
        value: { instanceId: ref.instanceId, packVersion: packVersion ?? "", healthStatus: health },
      },
    },
  });

const asked: Record<DrainingEntry["action"], string> = {
  "instance.drained": "asked to drain:",
  "instance.resumed": "may be given work again:",
};

/** INST-6. `health` is what holds meanwhile: draining says nothing of it. */
export const drainingChanged = (
  context: Omit<AuditContext, "actor">,
  ref: InstanceRef,
  { actor, eventType, action, rationale }: DrainingEntry,
  health: HealthStatus,
): AuditEntry =>
  auditEntry(
    { ...context, actor },
    {
      eventType,
      packId: ref.packId,
      action: `${asked[action]} ${named(ref)}`,
      rationale,
      snapshot: {
        snapshotPayload: {
          case: "agentHealth",
          value: { instanceId: ref.instanceId, healthStatus: health },
        },
      },
    },
  );

const done: Record<StandingEntry["action"], string> = {
  "agent.quarantined": "quarantined",
  "agent.restored": "restored",
  "agent.restored-on-probation": "restored on probation",
  "agent.passed-probation": "ended the probation of",
};

/** What the standing's decision has to say (D7). `health` is what holds after it. */
export const standingChanged = (
  context: Omit<AuditContext, "actor">,
  ref: InstanceRef,
  { actor, eventType, action, rationale, consecutiveInvalid, lastError }: StandingEntry,
  health: HealthStatus,
): AuditEntry =>
  auditEntry(
    { ...context, actor },
    {
      eventType,
      packId: ref.packId,
      action: `${done[action]} ${named(ref)}`,
      rationale,
      snapshot: {
        snapshotPayload: {
          case: "agentHealth",
          value: { instanceId: ref.instanceId, healthStatus: health, consecutiveInvalid, lastError },
        },
      },
    },
  );
