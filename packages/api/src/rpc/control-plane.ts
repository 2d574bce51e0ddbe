import type { ServiceImpl } from "@connectrpc/connect";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type ControlPlaneService, type DispatchAttempt, SignalboxError } from "@signalbox/contracts";
import { readDispatchId } from "@signalbox/core";
import {
  type Engine,
  heartbeat,
  registerPack,
  renewAndLease,
  reportEvents,
  reportResult,
  reportTurn,
} from "@signalbox/engine";
import { askedOf } from "./gate.ts";
import { within } from "../within.ts";

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
  reportResult: async ({ dispatchId, result }, { values }) => {
    const said = required("result", result);
    const asked = askedOf(values);
    const { receivedAt } = await within("result", () => reportResult(system, asked, dispatchId, said));
    return { receivedAt: timestampFromDate(receivedAt) };
  },
});

/** A dispatch's id names its attempt; one that names another is a mistake, and is told so (D6). */
function dispatchIn(attempt: DispatchAttempt | undefined): string {
  const { dispatchId, attemptNumber } = required("attempt", attempt);
  const named = readDispatchId(dispatchId)?.attemptNumber;
  if (named === undefined || named === attemptNumber) return dispatchId;
  throw new SignalboxError("VALIDATION_FAILED", "The request names two attempts.", {
    violations: [
      {
        field: "attempt.attempt_number",
        rule: "same_attempt",
        message: `is ${attemptNumber}, and the dispatch is attempt ${named}`,
      },
    ],
  });
}

function required<T>(field: string, part: T | undefined): T {
  if (part !== undefined) return part;
  throw new SignalboxError("VALIDATION_FAILED", `The request names no ${field}.`, {
    violations: [{ field, rule: "required", message: `a ${field} is required` }],
  });
}
