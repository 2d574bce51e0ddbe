import type { ServiceImpl } from "@connectrpc/connect";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ControlPlaneService } from "@signalbox/contracts";
import {
  type Engine,
  heartbeat,
  registerPack,
  renewAndLease,
  reportEvents,
  reportResult,
  reportTurn,
  requestHandoff,
} from "@signalbox/engine";
import { dispatchIn, required } from "../dispatch-in.ts";
import { askedOf } from "./gate.ts";
import { within } from "../within.ts";

/** Every method of the service: one that is missing does not compile. */
export const controlPlane = (system: Engine): ServiceImpl<typeof ControlPlaneService> => ({
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
  reportTurn: async ({ attempt, turn }, { values }) => {
    const dispatchId = dispatchIn(attempt);
    const said = required("turn", turn);
    const asked = askedOf(values);
    const { receivedAt } = await within("turn", () => reportTurn(system, asked, dispatchId, said));
    return { receivedAt: timestampFromDate(receivedAt) };
  },
  reportEvents: async ({ attempt, events }, { values }) => {
    const dispatchId = dispatchIn(attempt);
    const asked = askedOf(values);
    const { receivedAt } = await within("events", () => reportEvents(system, asked, dispatchId, events));
    return { receivedAt: timestampFromDate(receivedAt) };
  },
  requestHandoff: async (request, { values }) => {
    const dispatchId = dispatchIn(request.attempt);
    return requestHandoff(system, askedOf(values), dispatchId, request);
  },
  reportResult: async ({ dispatchId, result }, { values }) => {
    const said = required("result", result);
    const named = required("dispatch_id", dispatchId);
    const asked = askedOf(values);
    const { receivedAt } = await within("result", () => reportResult(system, asked, named, said));
    return { receivedAt: timestampFromDate(receivedAt) };
  },
});
