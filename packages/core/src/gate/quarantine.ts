import { AuditEventType, HealthStatus } from "@signalbox/contracts";
import type { Actor } from "../caller.ts";
import type { Decider } from "../pipeline/fact.ts";
import { orchestrator } from "../pipeline/ledger.ts";

/** Invalid results in a row at which an instance is quarantined (3.2, D7). */
export const INVALID_RESULTS_TO_QUARANTINE = 3;

/** What is known of an instance's results. Kept apart from what its heartbeats say of themselves. */
export type Standing = {
  readonly consecutiveInvalid: number;
  readonly lastError: string;
  /** `null` while the instance is not quarantined. */
  readonly quarantinedAt: number | null;
};

export const GOOD_STANDING: Standing = { consecutiveInvalid: 0, lastError: "", quarantinedAt: null };

export type StandingEvent =
  | { readonly kind: "valid-result" }
  | { readonly kind: "invalid-result"; readonly error: string }
  | { readonly kind: "heartbeat" }
  | { readonly kind: "restore"; readonly by: Actor; readonly note: string }
  | { readonly kind: "quarantine"; readonly by: Actor; readonly note: string }
  | { readonly kind: "probation"; readonly afterMs: number };

/** What the audit has to say of a change; whose instance it is, the caller knows. */
export type StandingEntry = {
  readonly eventType: AuditEventType;
  readonly action: "agent.quarantined" | "agent.restored" | "agent.restored-on-probation";
  readonly rationale: string;
  readonly actor: Decider;
  readonly consecutiveInvalid: number;
  readonly lastError: string;
};

export type StandingDecision =
  | { readonly kind: "unchanged"; readonly standing: Standing }
  | { readonly kind: "counted"; readonly standing: Standing }
  | { readonly kind: "quarantined" | "restored"; readonly standing: Standing; readonly entry: StandingEntry }
  | {
      readonly kind: "refused";
      readonly standing: Standing;
      readonly reason: "not-quarantined" | "quarantined-already" | "not-a-person" | "too-early";
    };

export function decideStanding(standing: Standing, event: StandingEvent, now: number): StandingDecision {
  switch (event.kind) {
    case "heartbeat":
      return { kind: "unchanged", standing };
    case "valid-result":
      if (standing.consecutiveInvalid === 0) return { kind: "unchanged", standing };
      return { kind: "counted", standing: { ...standing, consecutiveInvalid: 0, lastError: "" } };
    case "invalid-result":
      return countInvalid(standing, event.error, now);
    case "restore":
      return restore(standing, event);
    case "quarantine":
      return quarantineByPerson(standing, event, now);
    case "probation":
      return endByProbation(standing, event.afterMs, now);
  }
}

function countInvalid(standing: Standing, error: string, now: number): StandingDecision {
  const counted = { ...standing, consecutiveInvalid: standing.consecutiveInvalid + 1, lastError: error };
  if (standing.quarantinedAt !== null || counted.consecutiveInvalid < INVALID_RESULTS_TO_QUARANTINE)
    return { kind: "counted", standing: counted };
  return {
    kind: "quarantined",
    standing: { ...counted, quarantinedAt: now },
    entry: {
      eventType: AuditEventType.AGENT_QUARANTINED,
      action: "agent.quarantined",
      rationale: `${counted.consecutiveInvalid} invalid results in a row, the last: ${error}`,
      actor: orchestrator,
      consecutiveInvalid: counted.consecutiveInvalid,
      lastError: error,
    },
  };
}

function restore(
  standing: Standing,
  { by, note }: Extract<StandingEvent, { kind: "restore" }>,
): StandingDecision {
  if (by.type !== "human") return { kind: "refused", standing, reason: "not-a-person" };
  if (standing.quarantinedAt === null) return { kind: "refused", standing, reason: "not-quarantined" };
  return {
    kind: "restored",
    standing: GOOD_STANDING,
    entry: {
      eventType: AuditEventType.AGENT_RESTORED,
      action: "agent.restored",
      rationale: note === "" ? "A person restored the instance" : note,
      actor: by,
      consecutiveInvalid: standing.consecutiveInvalid,
      lastError: standing.lastError,
    },
  };
}

/** QUAR-7: until a person, or a policy's probation, lifts it; what it has under way it may finish. */
function quarantineByPerson(
  standing: Standing,
  { by, note }: Extract<StandingEvent, { kind: "quarantine" }>,
  now: number,
): StandingDecision {
  if (by.type !== "human") return { kind: "refused", standing, reason: "not-a-person" };
  if (standing.quarantinedAt !== null) return { kind: "refused", standing, reason: "quarantined-already" };
  const { consecutiveInvalid } = standing;
  return {
    kind: "quarantined",
    standing: { consecutiveInvalid, lastError: note, quarantinedAt: now },
    entry: {
      eventType: AuditEventType.AGENT_QUARANTINED,
      action: "agent.quarantined",
      rationale: note,
      actor: by,
      consecutiveInvalid,
      lastError: standing.lastError,
    },
  };
}

/** QUAR-6: on probation the next invalid result quarantines again, and the next valid one ends the probation. */
function endByProbation(standing: Standing, afterMs: number, now: number): StandingDecision {
  if (standing.quarantinedAt === null) return { kind: "refused", standing, reason: "not-quarantined" };
  if (now < standing.quarantinedAt + afterMs) return { kind: "refused", standing, reason: "too-early" };
  return {
    kind: "restored",
    standing: { ...standing, consecutiveInvalid: INVALID_RESULTS_TO_QUARANTINE - 1, quarantinedAt: null },
    entry: {
      eventType: AuditEventType.AGENT_RESTORED,
      action: "agent.restored-on-probation",
      rationale: `The policy's probation of ${afterMs} ms is over; the next invalid result quarantines again`,
      actor: orchestrator,
      consecutiveInvalid: standing.consecutiveInvalid,
      lastError: standing.lastError,
    },
  };
}

/** QUAR-5: what an instance says of its health counts, except about its quarantine, which is not its to say. */
export function effectiveHealth(standing: Standing, reported: HealthStatus): HealthStatus {
  if (standing.quarantinedAt !== null) return HealthStatus.QUARANTINED;
  return reported === HealthStatus.QUARANTINED ? HealthStatus.UNHEALTHY : reported;
}
