import type { SapSection } from "../../documents/sap-section.ts";
import type { Aggregate, AggregateKey } from "./aggregate.ts";
import { proposeEssence } from "./propose-essence.ts";
import { proposePlaybook } from "./propose-playbook.ts";
import { proposeThresholds } from "./propose-thresholds.ts";
import type { Proposal } from "./proposal.ts";

/** SAP-54: what the aggregate suggests, beside what the policy in force says already. */
export function propose(
  key: AggregateKey,
  aggregate: Aggregate,
  section: SapSection | undefined,
): readonly Proposal[] {
  switch (key.scope) {
    case "territory":
      return proposePlaybook(key, aggregate, section);
    case "capability":
      return proposeEssence(key, aggregate, section);
    case "all":
      return proposeThresholds(aggregate, section);
    case "fingerprint":
    default:
      return [];
  }
}
