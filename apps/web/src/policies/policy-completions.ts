import { type Completion, type Completions, keysAround } from "../documents/completions.ts";

/** What is registered, for names to be chosen and not remembered. */
export type KnownNames = {
  readonly packs: readonly { readonly packId: string; readonly taskTypes: readonly string[] }[];
  readonly taskTypes: readonly string[];
};

const keysOf: Readonly<Record<string, readonly string[]>> = {
  "": ["routing_policy", "redaction_policy", "answer_policy"],
  routing_policy: ["version", "routes", "admission", "defaults"],
  routes: ["task_type", "allowed_pack_ids", "preferred_pack_id", "min_risk_tier", "fallback_pack_id"],
  admission: [
    "max_global_queue_depth",
    "max_per_pack_concurrent",
    "circuit_breaker",
    "max_wait",
    "absence_grace",
  ],
  circuit_breaker: ["error_threshold", "window", "half_open_after"],
  defaults: ["fallback_pack_id", "max_candidate_agents", "require_healthy"],
  redaction_policy: ["always_redact", "conditional_redact", "enforcement"],
  conditional_redact: ["field", "rule", "max_length"],
  answer_policy: ["guardrails"],
  guardrails: ["name", "when", "effect"],
};

const packKeys = new Set(["allowed_pack_ids", "preferred_pack_id", "fallback_pack_id"]);
const choices: Readonly<Record<string, readonly Completion[]>> = {
  min_risk_tier: ["LOW", "NORMAL", "CRITICAL"].map((label) => ({ label })),
  require_healthy: [{ label: "true" }, { label: "false" }],
  effect: [{ label: "redact_message" }, { label: "fail" }],
};

/** What may be written at this place of a routing policy. */
export function policyCompletions(text: string, offset: number, known: KnownNames): Completions | undefined {
  const { keys, word } = keysAround(text, offset);
  const from = offset - word.length;
  const key = keys.at(-1) ?? "";
  const values = valuesOf(key, known);
  const isValue = /^(?:\s|-\s)*[\w-]+:\s/.test(lineAt(text, offset)) || values !== undefined;
  if (values !== undefined) return { from, options: values };
  const names = isValue ? undefined : keysOf[key];
  return names && { from, options: names.map((label) => ({ label: `${label}: `.trimEnd() })) };
}

function valuesOf(key: string, { packs, taskTypes }: KnownNames): readonly Completion[] | undefined {
  if (key === "task_type") return taskTypes.map((label) => ({ label }));
  if (!packKeys.has(key)) return choices[key];
  const names = packs.map(({ packId, taskTypes: does }) => ({ label: packId, detail: does.join(", ") }));
  return key === "fallback_pack_id" ? [...names, { label: "null", detail: "a person is asked" }] : names;
}

const lineAt = (text: string, offset: number) => text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
