import { durationMs } from "@bufbuild/protobuf/wkt";
import type { AgentHeartbeat, Violation } from "@signalbox/contracts";
import { findIdentifierFaults, identifierLimits } from "../identifier.ts";

/** How long an instance stands without another heartbeat (HEART-1). */
export const instanceLease = { leastMs: 1_000, usualMs: 30_000, mostMs: 600_000 } as const;

const mostTools = 1_000;
const longestTool = 200;

export const leaseMsOf = ({ leaseTtl }: AgentHeartbeat): number =>
  leaseTtl === undefined ? instanceLease.usualMs : durationMs(leaseTtl);

/** HEART-1, HEART-2: what a heartbeat must keep to beyond the contract's rules. Every fault at once. */
export function findHeartbeatFaults(heartbeat: AgentHeartbeat): Violation[] {
  return [
    ...findIdentifierFaults("pack_id", heartbeat.packId, identifierLimits.packId),
    ...findIdentifierFaults("instance_id", heartbeat.instanceId),
    ...leaseFaults(leaseMsOf(heartbeat)),
    ...toolFaults("available_tools", heartbeat.availableTools),
    ...toolFaults("health.degraded_tools", heartbeat.health?.degradedTools ?? []),
  ];
}

function leaseFaults(milliseconds: number): Violation[] {
  const { leastMs, mostMs } = instanceLease;
  if (milliseconds >= leastMs && milliseconds <= mostMs) return [];
  const message = `is ${milliseconds / 1000} s; from ${leastMs / 1000} s to ${mostMs / 1000} s is allowed`;
  return [{ field: "lease_ttl", rule: "lease.range", message }];
}

function toolFaults(field: string, tools: readonly string[]): Violation[] {
  if (tools.length > mostTools) {
    const message = `names ${tools.length} tools; at most ${mostTools} are allowed`;
    return [{ field, rule: "tools.max_items", message }];
  }
  return tools.flatMap((tool, index) => {
    const at = `${field}[${index}]`;
    if (tool.length > longestTool) {
      const message = `has ${tool.length} characters; at most ${longestTool} are allowed`;
      return [{ field: at, rule: "tools.max_len", message }];
    }
    // Kept as it is, it could never be read again, and the tenant's registry with it.
    if (tool.isWellFormed()) return [];
    return [{ field: at, rule: "tools.fit", message: "must not contain half of a surrogate pair" }];
  });
}
