import { z } from "zod";
import type { compileGuardrail } from "../sacp/guardrails.ts";
import { saidAt } from "./edge-checks.ts";
import type { Finding } from "./fault.ts";
import { duplicates } from "./routing-policy-checks.ts";

// What is misshapen reads as absent, for the shape has reported it.
const text = z.string().optional().catch(undefined);
const rule = z.object({ name: text, when: text }).catch({ name: undefined, when: undefined });
const section = z.object({ answer_policy: z.object({ guardrails: z.array(rule) }) });

const at = (index: number, field: string) => ["answer_policy", "guardrails", index, field];

/** SACP-44: a rule that could not be carried out would let pass what it is there to stop, so that it is refused here. */
export function checkAnswerSection(value: unknown, compile: typeof compileGuardrail): Finding[] {
  const outline = section.safeParse(value);
  if (!outline.success) return [];
  const { guardrails } = outline.data.answer_policy;
  return [
    ...duplicates(
      guardrails.map((read) => read.name),
      (index) => at(index, "name"),
      "guardrail",
    ),
    ...guardrails.flatMap(({ when }, index): Finding[] => {
      const found = when === undefined ? undefined : compile(when);
      if (when === undefined || found === undefined || "evaluate" in found) return [];
      return [{ path: at(index, "when"), at: "value", rule: "expression", message: saidAt(found, when) }];
    }),
  ];
}
