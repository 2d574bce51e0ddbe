import { fromJsonString } from "@bufbuild/protobuf";
import {
  AgentHeartbeatSchema,
  type AgentManifest,
  AgentManifestSchema,
  HealthStatus,
} from "@signalbox/contracts";
import { type BreakerFacts, type KnownInstance, readBreakerState, type Standing } from "@signalbox/core";
import type { BreakerRow, InstanceRow, PackRow } from "@signalbox/db";

/** A row may have been written by a newer version of this program, with fields that this one does not know. */
const lenient = { ignoreUnknownFields: true };

export const knownInstance = (row: InstanceRow): KnownInstance => ({
  heartbeat: fromJsonString(AgentHeartbeatSchema, row.heartbeat, lenient),
  packVersion: row.packVersion ?? undefined,
  standing: standingOf(row),
  leaseExpiresAt: row.leaseExpiresAt,
  draining: row.draining,
  dispatchesWhenHeard: row.dispatchesWhenHeard ?? undefined,
});

export const standingOf = ({
  consecutiveInvalid,
  lastError,
  quarantinedAt,
  quarantinedByResults,
  probationSince,
}: Pick<
  InstanceRow,
  "consecutiveInvalid" | "lastError" | "quarantinedAt" | "quarantinedByResults" | "probationSince"
>): Standing => ({
  consecutiveInvalid,
  lastError,
  quarantinedAt,
  byResults: quarantinedByResults,
  probationSince,
});

export const manifestOf = ({ manifest }: PackRow): AgentManifest =>
  fromJsonString(AgentManifestSchema, manifest, lenient);

export const breakerOf = ({ packId, taskType, state }: BreakerRow): BreakerFacts => ({
  packId,
  taskType,
  state: readBreakerState(state),
});

export const healthStatusOf = ({ health }: Pick<InstanceRow, "health">): HealthStatus =>
  Object.values(HealthStatus).find((known) => known === health) ?? HealthStatus.UNSPECIFIED;
