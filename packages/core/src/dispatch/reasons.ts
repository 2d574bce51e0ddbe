/** Why a version of a pack cannot take a task. Only a registration, a policy or another task changes that. */
export type VersionReason =
  | "version-not-allowed"
  | "schema-version"
  | "orchestrator-version"
  | "risk-tier"
  | "safety-tier";

/** Why an instance cannot take a task now. */
export type InstanceReason =
  | "version-not-registered"
  | "tools-missing"
  | "excluded"
  | "quarantined"
  | "lease-expired"
  | "draining"
  | "unhealthy"
  | "degraded"
  | "tools-degraded"
  | "at-capacity";

/** Why a pack as a whole cannot take a task now, whatever its versions and instances. */
export type PackReason =
  | "not-registered"
  | "not-asked-for"
  | "breaker-open"
  | "probe-in-flight"
  | "pack-at-capacity"
  | "no-instance";

export type RejectionReason = VersionReason | InstanceReason | PackReason;

/**
 * What it would take for a rejection to end: work that finishes, an instance that comes back or recovers, a person,
 * or another registration, policy or task. Listed from the nearest to the farthest.
 */
export const outlooks = ["busy", "away", "person", "never"] as const;
export type Outlook = (typeof outlooks)[number];

export const outlookOf: Readonly<Record<RejectionReason, Outlook>> = {
  "at-capacity": "busy",
  "pack-at-capacity": "busy",
  "probe-in-flight": "busy",
  // It ends its work, and another takes its place: heard of all the while, it would be waited for as "away" without an end.
  draining: "busy",
  "no-instance": "away",
  "lease-expired": "away",
  unhealthy: "away",
  degraded: "away",
  "tools-degraded": "away",
  quarantined: "person",
  "breaker-open": "never",
  excluded: "never",
  "not-asked-for": "never",
  "not-registered": "never",
  "version-not-registered": "never",
  "version-not-allowed": "never",
  "schema-version": "never",
  "orchestrator-version": "never",
  "risk-tier": "never",
  "safety-tier": "never",
  "tools-missing": "never",
};

/** What a stage waits for: work that finishes, somebody who comes back, or its turn behind those who came first. */
export type WaitReason = "busy" | "away" | "behind";

export type EscalationReason =
  | "deadline-passed"
  | "queue-full"
  | "no-route"
  | "breakers-open"
  | "no-compatible-pack"
  | "only-quarantined"
  | "unavailable"
  | "waited-too-long";
