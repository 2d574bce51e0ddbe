import { AuditEventType, HealthStatus } from "@signalbox/contracts";
import type { Actor } from "../caller.ts";
import { printDuration } from "../documents/duration-text.ts";
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
  /** Its own results quarantined it. A person's quarantine is a person's to lift (QUAR-8). */
  readonly byResults: boolean;
  /** `null` while the instance is not on probation. */
  readonly probationSince: number | null;
};

export const GOOD_STANDING: Standing = {
  consecutiveInvalid: 0,
  lastError: "",
  quarantinedAt: null,
  byResults: false,
  probationSince: null,
};

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
  readonly action:
    | "agent.quarantined"
    | "agent.restored"
    | "agent.restored-on-probation"
    | "agent.passed-probation";
  readonly rationale: string;
  readonly actor: Decider;
  readonly consecutiveInvalid: number;
  readonly lastError: string;
};

export type StandingDecision =
  | { readonly kind: "unchanged"; readonly standing: Standing }
  | { readonly kind: "counted"; readonly standing: Standing }
  | {
      readonly kind: "quarantined" | "restored" | "passed";
      readonly standing: Standing;
      readonly entry: StandingEntry;
    }
  | {
      readonly kind: "refused";
      readonly standing: Standing;
      readonly reason: "not-quarantined" | "quarantined-already" | "not-a-person" | "a-persons" | "too-early";
    };

export function decideStanding(standing: Standing, event: StandingEvent, now: number): StandingDecision {
  switch (event.kind) {
    case "heartbeat":
      return { kind: "unchanged", standing };
    case "valid-result":
      // A process of before there were probations quarantines and leaves the other as it was.
      if (standing.probationSince !== null && standing.quarantinedAt === null) return passProbation(standing);
      if (standing.consecutiveInvalid === 0) return { kind: "unchanged", standing };
      return { kind: "counted", standing: { ...standing, consecutiveInvalid: 0, lastError: "" } };
    case "invalid-result":
      return countInvalid(standing, event.error, now);
    case "restore":
      return restore(standing, event);
    case "quarantine":
      return quarantineByPerson(standing, event, now);
    case "probation":
      return beginProbation(standing, event.afterMs, now);
  }
}

function countInvalid(standing: Standing, error: string, now: number): StandingDecision {
  const counted = { ...standing, consecutiveInvalid: standing.consecutiveInvalid + 1, lastError: error };
  const onProbation = standing.probationSince !== null;
  const enough = onProbation || counted.consecutiveInvalid >= INVALID_RESULTS_TO_QUARANTINE;
  if (standing.quarantinedAt !== null || !enough) return { kind: "counted", standing: counted };
  return {
    kind: "quarantined",
    standing: { ...counted, quarantinedAt: now, byResults: true, probationSince: null },
    entry: {
      eventType: AuditEventType.AGENT_QUARANTINED,
      action: "agent.quarantined",
      rationale: onProbation
        ? `An invalid result on probation: ${error}`
        : `${counted.consecutiveInvalid} invalid results in a row, the last: ${error}`,
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

/** QUAR-7: until a person lifts it, also where its results had it quarantined; what it has under way it may finish. */
function quarantineByPerson(
  standing: Standing,
  { by, note }: Extract<StandingEvent, { kind: "quarantine" }>,
  now: number,
): StandingDecision {
  if (by.type !== "human") return { kind: "refused", standing, reason: "not-a-person" };
  if (standing.quarantinedAt !== null && !standing.byResults)
    return { kind: "refused", standing, reason: "quarantined-already" };
  const { consecutiveInvalid } = standing;
  return {
    kind: "quarantined",
    standing: {
      consecutiveInvalid,
      lastError: note,
      quarantinedAt: now,
      byResults: false,
      probationSince: null,
    },
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

/** When a policy's probation lifts a quarantine; undefined where it does not: QUAR-6, QUAR-8. */
export const probationAt = (
  { quarantinedAt, byResults }: Pick<Standing, "quarantinedAt" | "byResults">,
  afterMs: number | undefined,
): number | undefined =>
  quarantinedAt === null || !byResults || afterMs === undefined ? undefined : quarantinedAt + afterMs;

/** QUAR-6: on probation the next invalid result quarantines again, and the next valid one ends the probation. */
function beginProbation(standing: Standing, afterMs: number, now: number): StandingDecision {
  if (standing.quarantinedAt === null) return { kind: "refused", standing, reason: "not-quarantined" };
  const due = probationAt(standing, afterMs);
  if (due === undefined) return { kind: "refused", standing, reason: "a-persons" };
  if (now < due) return { kind: "refused", standing, reason: "too-early" };
  return {
    kind: "restored",
    standing: {
      ...standing,
      consecutiveInvalid: INVALID_RESULTS_TO_QUARANTINE - 1,
      quarantinedAt: null,
      byResults: false,
      probationSince: now,
    },
    entry: {
      eventType: AuditEventType.AGENT_RESTORED,
      action: "agent.restored-on-probation",
      rationale: `The policy lifts such a quarantine after ${printDuration(afterMs)}, on probation: the next invalid result quarantines again, the next valid one ends the probation`,
      actor: orchestrator,
      consecutiveInvalid: standing.consecutiveInvalid,
      lastError: standing.lastError,
    },
  };
}

function passProbation(standing: Standing): StandingDecision {
  return {
    kind: "passed",
    standing: GOOD_STANDING,
    entry: {
      eventType: AuditEventType.AGENT_RESTORED,
      action: "agent.passed-probation",
      rationale: "A valid result ended its probation",
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
