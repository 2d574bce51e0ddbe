import { SignalboxError } from "@signalbox/contracts";
import type { Task } from "@signalbox/contracts/sap";
import { parsePackReference } from "../documents/pack-reference.ts";
import type { RoutingPolicy } from "../documents/routing-policy.ts";
import { type CapabilityRule, WHOLE_PAYLOAD } from "../documents/sap-section.ts";
import { quotedName } from "../quoted-text.ts";

/** A policy is asked at every task, and never changes: the packs of each task type's route. */
const known = new WeakMap<RoutingPolicy, ReadonlyMap<string, ReadonlySet<string>>>();

function packsByTaskType(policy: RoutingPolicy): ReadonlyMap<string, ReadonlySet<string>> {
  const found =
    known.get(policy) ??
    new Map(
      policy.routes.map(({ taskType, allowedPackIds }) => [
        taskType,
        new Set(allowedPackIds.map((reference) => parsePackReference(reference).packId)),
      ]),
    );
  known.set(policy, found);
  return found;
}

/** SAP-1, SAP-2: what the capability comes to under the policy in force; NOT_FOUND where it comes to nothing. */
export function capabilityOf(policy: RoutingPolicy, { target }: Pick<Task, "target">): CapabilityRule {
  const { capability, agentId } = target;
  const named = policy.sap?.capabilities.find((rule) => rule.capability === capability);
  const rule: CapabilityRule = named ?? {
    capability,
    work: { case: "taskType", value: capability },
    issuers: undefined,
    essence: WHOLE_PAYLOAD,
    maxCacheAgeMs: undefined,
  };
  if (rule.work.case === "templateId") {
    if (agentId === undefined) return rule;
    throw notFound(
      "target.agentId",
      `"${capability}" is a template, whose stages go where the policy sends them`,
    );
  }
  const packs = packsByTaskType(policy).get(rule.work.value);
  if (packs === undefined)
    throw notFound("target.capability", `nothing here offers "${quotedName(capability)}"`);
  if (agentId !== undefined && !packs.has(agentId))
    throw notFound("target.agentId", `"${quotedName(agentId)}" is no pack that may do "${capability}"`);
  return rule;
}

const notFound = (field: string, message: string) =>
  new SignalboxError("NOT_FOUND", `The task cannot be routed: ${message}.`, {
    violations: [{ field, rule: "routable", message }],
  });
