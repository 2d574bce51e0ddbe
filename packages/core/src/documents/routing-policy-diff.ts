import type { RoutingPolicy, Route } from "./routing-policy.ts";

/** One value that differs, by its path below the section, such as `circuitBreaker.windowMs`. Undefined: not said. */
export type Change = { path: string; before: unknown; after: unknown };
export type RouteChange = { taskType: string; changes: Change[] };

export type RoutingPolicyDiff = {
  versions: { before: string; after: string };
  routes: { added: Route[]; removed: Route[]; changed: RouteChange[] };
  admission: Change[];
  defaults: Change[];
  redaction: Change[];
  answers: Change[];
  sap: Change[];
  handoffs: Change[];
};

/** What publishing `after` in the place of `before` would change. The order of routes means nothing, so it is no change. */
export function diffRoutingPolicies(before: RoutingPolicy, after: RoutingPolicy): RoutingPolicyDiff {
  const old = new Map(before.routes.map((route) => [route.taskType, route]));
  const kept = new Set(after.routes.map((route) => route.taskType));
  return {
    versions: { before: before.version, after: after.version },
    routes: {
      added: after.routes.filter((route) => !old.has(route.taskType)),
      removed: before.routes.filter((route) => !kept.has(route.taskType)),
      changed: after.routes.flatMap((route) => {
        const previous = old.get(route.taskType);
        const changes = previous === undefined ? [] : changesBetween(unordered(previous), unordered(route));
        return changes.length === 0 ? [] : [{ taskType: route.taskType, changes }];
      }),
    },
    admission: changesBetween(before.admission, after.admission),
    defaults: changesBetween(before.defaults, after.defaults),
    redaction: changesBetween(before.redaction, after.redaction),
    answers: changesBetween(before.guardrails, after.guardrails, "guardrails"),
    sap: changesBetween(before.sap, after.sap),
    handoffs: changesBetween(before.handoffs, after.handoffs, "handoffs"),
  };
}

export const isUnchanged = ({
  routes,
  admission,
  defaults,
  redaction,
  answers,
  sap,
  handoffs,
}: RoutingPolicyDiff): boolean =>
  [
    routes.added,
    routes.removed,
    routes.changed,
    admission,
    defaults,
    redaction,
    answers,
    sap,
    handoffs,
  ].every((part) => part.length === 0);

/** Rank decides among the allowed, never their order in the document. */
const unordered = (route: Route): Route => ({ ...route, allowedPackIds: route.allowedPackIds.toSorted() });

function changesBetween(before: unknown, after: unknown, path = ""): Change[] {
  if (isMapping(before) && isMapping(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) =>
      changesBetween(before[key], after[key], path === "" ? key : `${path}.${key}`),
    );
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
