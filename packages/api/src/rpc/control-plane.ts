import type { ServiceImpl } from "@connectrpc/connect";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { SignalboxError, type ControlPlaneService } from "@signalbox/contracts";
import { type Engine, heartbeat, registerPack, renewAndLease, reportResult } from "@signalbox/engine";
import { askedOf } from "./gate.ts";
import { within } from "./within.ts";

/** Methods that are not here answer UNIMPLEMENTED by Connect itself. */
export const controlPlane = (system: Engine): Partial<ServiceImpl<typeof ControlPlaneService>> => ({
  registerPack: async ({ manifest }, { values }) => {
    const named = required("manifest", manifest);
    const { pack, created } = await within("manifest", () => registerPack(system, askedOf(values), named));
    return { packId: pack.manifest.packId, packVersion: pack.manifest.packVersion, created };
  },
  heartbeat: async (request, { values }) => {
    const said = required("heartbeat", request.heartbeat);
    const answer = await within("heartbeat", () => heartbeat(system, askedOf(values), said));
    return {
      leaseExpiresAt: timestampFromDate(answer.leaseExpiresAt),
      healthStatus: answer.healthStatus,
      cancelDispatchIds: [...answer.cancelDispatchIds],
      drain: answer.drain,
    };
  },
  lease: async (request, { values, signal }) => {
    const leased = await renewAndLease(system, askedOf(values), request, signal);
    return {
      envelopes: [...leased.envelopes],
      lostDispatchIds: [...leased.lostDispatchIds],
      ...(leased.leaseExpiresAt && { leaseExpiresAt: timestampFromDate(leased.leaseExpiresAt) }),
    };
  },
  reportResult: async ({ dispatchId, result }, { values }) => {
    const said = required("result", result);
    const asked = askedOf(values);
    const { receivedAt } = await within("result", () => reportResult(system, asked, dispatchId, said));
    return { receivedAt: timestampFromDate(receivedAt) };
  },
});

function required<T>(field: string, part: T | undefined): T {
  if (part !== undefined) return part;
  throw new SignalboxError("VALIDATION_FAILED", `The request names no ${field}.`, {
    violations: [{ field, rule: "required", message: `a ${field} is required` }],
  });
}
