import { SignalboxError, type Violation } from "@signalbox/contracts";
import { isRuleId } from "./marker.ts";
import { type PathSegment, parsePath } from "./path-pattern.ts";

/** What is done to the texts of a field, beyond the masking of secrets that every text gets. */
type FieldRule = "secrets" | "strip_lines" | "personal_data";

/** The document of a2a-design.md 5.3. A rule is one of the words below or the sentence that stands for it there. */
export type RedactionPolicy = {
  readonly always_redact: readonly string[];
  readonly conditional_redact: readonly {
    readonly field: string;
    readonly rule: string;
    readonly max_length?: number;
  }[];
  /** A tenant's own patterns, in RE2 syntax (ADR 0011). */
  readonly patterns?: readonly { readonly id: string; readonly pattern: string }[];
};

export const DEFAULT_POLICY: RedactionPolicy = {
  always_redact: [
    "**/*.credentials",
    "**/*.token",
    "**/*.secret",
    "**/*.password",
    "**/*.api_key",
    "safety_context.auth_scopes",
  ],
  conditional_redact: [
    { field: "evidence_item.output", rule: "strip_lines", max_length: 65_536 },
    { field: "context_in.shared_context", rule: "personal_data" },
    { field: "audit_entry.rationale", rule: "secrets" },
    { field: "snippet_ref.content", rule: "secrets" },
  ],
};

const SENTENCES: ReadonlyMap<string, FieldRule> = new Map([
  ["secrets", "secrets"],
  ["strip_lines", "strip_lines"],
  ["personal_data", "personal_data"],
  ["strip lines matching secret/token/password patterns", "strip_lines"],
  ["redact PII patterns (email, phone, SSN)", "personal_data"],
  ["strip inline credentials, keep decision reasoning", "secrets"],
  ["strip secrets from code snippets", "secrets"],
]);

/** What holds for a field. `scope_names` keeps names of scopes and masks anything else. */
export type FieldTreatment =
  | { readonly kind: "mask" }
  | { readonly kind: "scope_names" }
  | { readonly kind: "text"; readonly rule: FieldRule; readonly maxLength: number };

export type PathRule = { readonly path: readonly PathSegment[]; readonly treatment: FieldTreatment };

const SHORTEST_MAX_LENGTH = 64;
const LONGEST_MAX_LENGTH = 1 << 20;

/** The rules of a policy by path; throws VALIDATION_FAILED with every fault at once. */
export function readPolicy(policy: RedactionPolicy): PathRule[] {
  const violations: Violation[] = [];
  const rules: PathRule[] = [];
  const add = (field: string, text: string, treatment: FieldTreatment): void => {
    const path = parsePath(text);
    if (typeof path === "string") violations.push({ field, rule: "path", message: path });
    else rules.push({ path, treatment });
  };
  for (const [index, text] of policy.always_redact.entries())
    add(`always_redact[${index}]`, text, { kind: text.endsWith("auth_scopes") ? "scope_names" : "mask" });
  for (const [index, { field, rule, max_length }] of policy.conditional_redact.entries()) {
    const at = `conditional_redact[${index}]`;
    const known = SENTENCES.get(rule);
    const maxLength = max_length ?? Number.POSITIVE_INFINITY;
    if (known === undefined) violations.push(unknownRule(`${at}.rule`, rule));
    else if (max_length !== undefined && !isLength(max_length))
      violations.push(badLength(`${at}.max_length`, max_length));
    else add(`${at}.field`, field, { kind: "text", rule: known, maxLength });
  }
  for (const [index, { id }] of (policy.patterns ?? []).entries())
    if (!isRuleId(id))
      violations.push({
        field: `patterns[${index}].id`,
        rule: "rule_id",
        message: `"${id.slice(0, 40)}" is no id: write lower-case letters and dashes, 32 at most`,
      });
  if (violations.length > 0)
    throw new SignalboxError("VALIDATION_FAILED", "The redaction policy breaks a rule", { violations });
  return rules;
}

const isLength = (length: number): boolean =>
  Number.isInteger(length) && length >= SHORTEST_MAX_LENGTH && length <= LONGEST_MAX_LENGTH;

const badLength = (field: string, length: number): Violation => ({
  field,
  rule: "max_length",
  message: `${length} is not a whole number from ${SHORTEST_MAX_LENGTH} to ${LONGEST_MAX_LENGTH}`,
});

const unknownRule = (field: string, rule: string): Violation => ({
  field,
  rule: "known_rule",
  message: `"${rule.slice(0, 80)}" is no rule; allowed are ${[...SENTENCES.keys()].map((key) => `"${key}"`).join(", ")}`,
});
