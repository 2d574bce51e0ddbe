import { SignalboxError } from "@signalbox/contracts";
import type { Task } from "@signalbox/contracts/sap";
import type { Snapshot } from "../dispatch/snapshot.ts";
import { type CapabilityRule, WHOLE_PAYLOAD } from "../documents/sap-section.ts";
import { quotedName } from "../quoted-text.ts";

type Known = Pick<Snapshot, "policy" | "routes">;

/** SAP-1, SAP-2: what the capability comes to under the policy in force; NOT_FOUND where it comes to nothing. */
export function capabilityOf({ policy, routes }: Known, { target }: Pick<Task, "target">): CapabilityRule {
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
  const route = routes.get(rule.work.value);
  if (route === undefined)
    throw notFound("target.capability", `nothing here offers "${quotedName(capability)}"`);
  if (agentId !== undefined && !route.allowed.all.some(({ packId }) => packId === agentId))
    throw notFound("target.agentId", `"${quotedName(agentId)}" is no pack that may do "${capability}"`);
  return rule;
}

const notFound = (field: string, message: string) =>
  new SignalboxError("NOT_FOUND", `The task cannot be routed: ${message}.`, {
    violations: [{ field, rule: "routable", message }],
  });
