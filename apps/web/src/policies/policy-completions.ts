import { completeAt, type Completion, type Completions } from "../documents/completions.ts";
import type { KnownNames } from "../documents/known-names.ts";

const keysOf: Readonly<Record<string, readonly string[]>> = {
  "": ["routing_policy", "redaction_policy", "answer_policy", "sap_policy", "handoffs"],
  routing_policy: ["version", "routes", "admission", "defaults"],
  routes: ["task_type", "allowed_pack_ids", "preferred_pack_id", "min_risk_tier", "fallback_pack_id"],
  admission: [
    "max_global_queue_depth",
    "max_per_pack_concurrent",
    "circuit_breaker",
    "max_wait",
    "absence_grace",
    "probation_after",
  ],
  circuit_breaker: ["error_threshold", "window", "half_open_after"],
  defaults: ["fallback_pack_id", "max_candidate_agents", "require_healthy"],
  redaction_policy: ["always_redact", "conditional_redact", "enforcement"],
  conditional_redact: ["field", "rule", "max_length"],
  answer_policy: ["guardrails"],
  guardrails: ["name", "when", "effect"],
  sap_policy: ["capabilities", "principles", "playbooks"],
  handoffs: ["task_types", "pack_ids", "to_task_types", "to_pack_ids"],
};

const packKeys = new Set([
  "allowed_pack_ids",
  "preferred_pack_id",
  "fallback_pack_id",
  "pack_ids",
  "to_pack_ids",
]);
const taskTypeKeys = new Set(["task_type", "task_types", "to_task_types"]);
const choices: Readonly<Record<string, readonly Completion[]>> = {
  min_risk_tier: ["LOW", "NORMAL", "CRITICAL"].map((label) => ({ label })),
  require_healthy: [{ label: "true" }, { label: "false" }],
  effect: [{ label: "redact_message" }, { label: "fail" }],
};

/** What may be written at this place of a routing policy. */
export const policyCompletions = (text: string, offset: number, known: KnownNames): Completions | undefined =>
  completeAt(text, offset, { keysOf, valuesOf: (key) => valuesOf(key, known) });

function valuesOf(key: string, { packs, taskTypes }: KnownNames): readonly Completion[] | undefined {
  if (taskTypeKeys.has(key)) return taskTypes.map((label) => ({ label }));
  if (!packKeys.has(key)) return choices[key];
  const names = packs.map(({ packId, taskTypes: does }) => ({ label: packId, detail: does.join(", ") }));
  return key === "fallback_pack_id" ? [...names, { label: "null", detail: "a person is asked" }] : names;
}
