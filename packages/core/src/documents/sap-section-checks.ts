import { z } from "zod";
import type { Finding } from "./fault.ts";
import { duplicates } from "./routing-policy-checks.ts";

// What is misshapen reads as absent, for the shape has reported it.
const text = z.string().optional().catch(undefined);
const number = z.number().optional().catch(undefined);
const capability = z.object({ capability: text }).catch({ capability: undefined });
const principle = z
  .object({ principle: text, escalate_above: number, refuse_above: number })
  .catch({ principle: undefined, escalate_above: undefined, refuse_above: undefined });
const section = z.object({
  sap_policy: z.object({
    capabilities: z.array(capability).catch([]),
    principles: z.array(principle).catch([]),
  }),
});

/** SAP-3: what two entries say of one name is said by none, and a threshold that a lower one hides never acts. */
export function checkSapSection(value: unknown): Finding[] {
  const outline = section.safeParse(value);
  if (!outline.success) return [];
  const { capabilities, principles } = outline.data.sap_policy;
  return [
    ...duplicates(
      capabilities.map((read) => read.capability),
      (index) => ["sap_policy", "capabilities", index, "capability"],
      "capability",
    ),
    ...duplicates(
      principles.map((read) => read.principle),
      (index) => ["sap_policy", "principles", index, "principle"],
      "principle",
    ),
    ...principles.flatMap(({ escalate_above, refuse_above }, index): Finding[] => {
      if (escalate_above === undefined || refuse_above === undefined || escalate_above <= refuse_above)
        return [];
      return [
        {
          path: ["sap_policy", "principles", index, "escalate_above"],
          at: "value",
          rule: "bound",
          message: `is ${escalate_above}, above refuse_above (${refuse_above}): nobody would ever be asked`,
        },
      ];
    }),
  ];
}
