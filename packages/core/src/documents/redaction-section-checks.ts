import { SignalboxError, type Violation } from "@signalbox/contracts";
import { z } from "zod";
import { readPolicy, type RedactionPolicy } from "../redaction/policy.ts";
import type { Finding } from "./fault.ts";
import type { RedactionSection } from "./routing-policy.ts";

// What is misshapen reads as absent, for the shape has reported it.
const section = z.object({
  redaction_policy: z.object({
    always_redact: z.array(z.string().optional().catch(undefined)).catch([]),
    conditional_redact: z
      .array(
        z
          .object({ field: z.string(), rule: z.string(), max_length: z.number().optional() })
          .optional()
          .catch(undefined),
      )
      .catch([]),
  }),
});

/**
 * DOC-27: a policy whose redaction cannot be carried out would block every write once it is active (D21), so that it is
 * refused here. Rules are judged one by one, which gives each fault its place.
 */
export function checkRedactionSection(value: unknown): Finding[] {
  const outline = section.safeParse(value);
  if (!outline.success) return [];
  const { always_redact, conditional_redact } = outline.data.redaction_policy;
  return [
    ...always_redact.flatMap((path, index) => {
      if (path === undefined) return [];
      const faults = faultsOf({ always_redact: [path], conditional_redact: [] });
      return faults.map((fault) => finding(fault, ["always_redact", index]));
    }),
    ...conditional_redact.flatMap((rule, index) => {
      if (rule === undefined) return [];
      const { max_length, ...said } = rule;
      const faults = faultsOf({
        always_redact: [],
        conditional_redact: [max_length === undefined ? said : { ...said, max_length }],
      });
      return faults.map((fault) => finding(fault, ["conditional_redact", index, fieldOf(fault)]));
    }),
  ];
}

function faultsOf(policy: RedactionPolicy): readonly Violation[] {
  try {
    readPolicy(policy);
    return [];
  } catch (error) {
    if (error instanceof SignalboxError && error.code === "VALIDATION_FAILED") return error.violations;
    throw error;
  }
}

const ruleNames = { known_rule: "one_of", max_length: "bound" } as const;
const isRuleName = (rule: string): rule is keyof typeof ruleNames => Object.hasOwn(ruleNames, rule);

const finding = ({ rule, message }: Violation, path: (string | number)[]): Finding => ({
  path: ["redaction_policy", ...path],
  at: "value",
  rule: isRuleName(rule) ? ruleNames[rule] : "format",
  message,
});

/** "conditional_redact[0].rule" → "rule" */
const fieldOf = ({ field }: Violation) => field.slice(field.lastIndexOf(".") + 1);

/** The section as the redactor takes it. */
export const redactionPolicyOf = (said: RedactionSection): RedactionPolicy => ({
  always_redact: said.alwaysRedact,
  conditional_redact: said.conditionalRedact.map(({ field, rule, maxLength }) =>
    maxLength === undefined ? { field, rule } : { field, rule, max_length: maxLength },
  ),
});
