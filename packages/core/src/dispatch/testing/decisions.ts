import type { RoutingPolicy } from "../../documents/routing-policy.ts";
import { decideDispatch } from "../decide-dispatch.ts";
import type { InstanceFacts } from "../registry-facts.ts";
import { compileSnapshot, type RegistryFacts } from "../snapshot.ts";
import { manifest, NOW, orchestrator, policy, request, route } from "./registry.ts";

export const compile = (rules: RoutingPolicy, facts: RegistryFacts) =>
  compileSnapshot(rules, orchestrator, facts);
/** A route with a preference and a fallback. */
export const ab = policy([route("build", ["a", "b"], { preferredPackId: "b", fallbackPackId: "f" })]);
export const three = [manifest("a"), manifest("b"), manifest("f")];

/** Who is selected, or why nobody is. */
export const chosen = (instances: InstanceFacts[], rules = ab, asked = request(), packs = three) => {
  const decision = decideDispatch(compile(rules, { packs, instances }), asked, NOW);
  return decision.kind === "selected"
    ? `${decision.packId}/${decision.instanceId}`
    : `${decision.kind}: ${decision.reason}`;
};
