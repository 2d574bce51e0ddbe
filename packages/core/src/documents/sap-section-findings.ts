import type { FieldPath } from "@signalbox/contracts";
import type { PolicyFinding } from "./routing-policy-findings.ts";
import type { RoutingPolicy } from "./routing-policy.ts";

/** DOC-35: a capability whose every task would be refused, by the place that names what is not there. */
export function* unservedCapabilities(
  { sap, routes }: RoutingPolicy,
  templates: ReadonlySet<string>,
): Generator<Omit<PolicyFinding, "line" | "column">> {
  const routed = new Set(routes.map(({ taskType }) => taskType));
  for (const [index, { capability, work }] of (sap?.capabilities ?? []).entries()) {
    const at = (key: string): FieldPath => ["sap_policy", "capabilities", index, key];
    const told = { rule: "unserved_capability", severity: "warning" } as const;
    const refused = `: each task of SAP for "${capability}" is refused`;
    if (work.case === "templateId") {
      if (templates.has(work.value)) continue;
      const message = `no template "${work.value}" is active${refused}`;
      yield { ...told, path: at("template_id"), taskType: "", message };
    } else {
      if (routed.has(work.value)) continue;
      const message = `no route for the task type "${work.value}"${refused}`;
      const key = work.value === capability ? "capability" : "task_type";
      yield { ...told, path: at(key), taskType: work.value, message };
    }
  }
}
