import { parsePackReference } from "../documents/pack-reference.ts";
import type { Route, RoutingPolicy } from "../documents/routing-policy.ts";
import type { HandoffRequested } from "../pipeline/event.ts";
import type { Reroute } from "../pipeline/state.ts";
import { quotedName } from "../quoted-text.ts";

/** Who asks, and for what. */
export type HandoffAsked = {
  readonly packId: string;
  /** What the stage is at the moment, as an earlier handoff may have left it. */
  readonly taskType: string;
  readonly to: Reroute;
};

/** HAND-4, HAND-5 (D24): what the policy in force says of a handoff. */
export function judgeHandoff(policy: RoutingPolicy, asked: HandoffAsked): HandoffRequested["verdict"] {
  const { handoffs } = policy;
  if (handoffs === undefined)
    return no("The routing policy in force has no handoffs section: no stage is handed on");
  const refusal = nowhere(policy, asked);
  if (refusal !== undefined) return no(refusal);
  const place = handoffs.findIndex(
    ({ taskTypes, packIds, toTaskTypes, toPackIds }) =>
      (taskTypes?.includes(asked.taskType) ?? true) &&
      (packIds?.includes(asked.packId) ?? true) &&
      (asked.to.taskType === null || toTaskTypes.includes(asked.to.taskType)) &&
      (asked.to.packId === null || toPackIds.includes(asked.to.packId)),
  );
  if (place === -1)
    return no(
      `No rule of the policy's handoffs lets ${quotedName(asked.packId)} hand ${whatOf(asked)} on so`,
    );
  return { allowed: true, why: `Rule ${place + 1} of the handoffs of policy ${policy.version} allows it` };
}

const no = (why: string) => ({ allowed: false, why });
const whatOf = ({ taskType }: HandoffAsked): string => quotedName(taskType);

/** Approved, the stage would wait for somebody who never comes, or go to whom it comes from. */
function nowhere(policy: RoutingPolicy, { packId, taskType, to }: HandoffAsked): string | undefined {
  if (to.taskType === null && to.packId === null) return "It names nobody who should go on";
  if (to.taskType === taskType && to.packId === null) return `The stage is ${quotedName(taskType)} already`;
  if (to.packId === packId && (to.taskType ?? taskType) === taskType)
    return `${quotedName(packId)} is at work on it already`;
  const wanted = to.taskType ?? taskType;
  const route = policy.routes.find((one) => one.taskType === wanted);
  if (route === undefined) return `The policy has no route for ${quotedName(wanted)}`;
  if (to.packId !== null && !leadsTo(policy, route, to.packId))
    return `The route of ${quotedName(wanted)} does not lead to ${quotedName(to.packId)}`;
  return undefined;
}

function leadsTo(policy: RoutingPolicy, route: Route, packId: string): boolean {
  // D23: a route that says nothing of a fallback takes the default's.
  const fallback = route.fallbackPackId === undefined ? policy.defaults.fallbackPackId : route.fallbackPackId;
  const named = [...route.allowedPackIds, ...(fallback === undefined || fallback === null ? [] : [fallback])];
  return named.some((reference) => parsePackReference(reference).packId === packId);
}
