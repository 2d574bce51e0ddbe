import { HealthStatusSchema } from "@signalbox/contracts";
import type { HeartbeatAnswer } from "@signalbox/engine";
import { enumName } from "./enum-name.ts";

/** HeartbeatResponse in the protobuf JSON mapping, with the fields that say nothing too. */
export const heartbeatView = ({
  leaseExpiresAt,
  healthStatus,
  cancelDispatchIds,
  drain,
}: HeartbeatAnswer) => ({
  leaseExpiresAt: leaseExpiresAt.toISOString(),
  healthStatus: enumName(HealthStatusSchema, healthStatus),
  cancelDispatchIds,
  drain,
});
