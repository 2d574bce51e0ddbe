import { completeAt, type Completion, type Completions } from "../documents/completions.ts";
import { securityFlags } from "./gate-fields.ts";
import { readTemplates } from "./template-graph.ts";
import { openText } from "./template-text.ts";

const keysOf: Readonly<Record<string, readonly string[]>> = {
  "": ["pipeline_templates"],
  pipeline_templates: ["version", "templates"],
  templates: ["template_id", "name", "description", "stages", "policy"],
  stages: [
    "stage_id",
    "stage_name",
    "task_type",
    "required",
    "depends_on_stages",
    "edges",
    "join",
    "context_propagation",
    "handoff_policy",
    "contract_template",
    "inputs",
    "response_format",
    "output_schema",
    "confidence_watch",
  ],
  edges: ["target_stage_id", "condition"],
  context_propagation: ["mode", "carry_fields", "carry_artifacts", "carry_decisions", "carry_risks"],
  handoff_policy: ["context_level", "retry", "escalation", "freshness"],
  retry: ["max_attempts", "initial_backoff", "backoff_multiplier", "max_backoff"],
  escalation: ["auto_escalate_on_security_flag", "escalate_on_policy_blocked"],
  freshness: ["max_ref_staleness", "require_digest"],
  confidence_watch: ["floor", "fall_per_turn"],
  contract_template: [
    "task_id",
    "title",
    "owner_domain",
    "acceptance_criteria",
    "non_goals",
    "expected_files",
    "tests",
    "io",
    "environment",
    "definition_of_done",
  ],
  expected_files: ["create", "modify", "delete"],
  tests: ["tests_to_add", "tests_to_run"],
  io: ["dependencies", "artifacts", "expected_interfaces", "breaking_change"],
  environment: ["lint_command", "typecheck_command", "test_command", "build_command"],
  policy: [
    "max_total_retries",
    "max_rejections",
    "pipeline_deadline",
    "failure_strategy",
    "require_all_stages",
  ],
};

const wordsOf = (...labels: string[]): readonly Completion[] => labels.map((label) => ({ label }));
const yesOrNo = wordsOf("true", "false");
const choices: Readonly<Record<string, readonly Completion[]>> = {
  required: yesOrNo,
  carry_artifacts: yesOrNo,
  carry_decisions: yesOrNo,
  carry_risks: yesOrNo,
  escalate_on_policy_blocked: wordsOf("true"),
  require_digest: yesOrNo,
  require_all_stages: yesOrNo,
  breaking_change: yesOrNo,
  join: wordsOf("ALL", "ANY"),
  mode: wordsOf("NONE", "PREVIOUS", "CUMULATIVE"),
  context_level: wordsOf("MINIMAL", "LAYERED", "RICH"),
  failure_strategy: wordsOf("FAIL_FAST", "SKIP_FAILED", "PAUSE"),
  response_format: wordsOf("json_standard"),
  auto_escalate_on_security_flag: wordsOf(...securityFlags),
};

/** What may be written at this place: task types that a pack can do, and the stages that the document has. */
export function templateCompletions(
  text: string,
  offset: number,
  { taskTypes }: { readonly taskTypes: readonly string[] },
): Completions | undefined {
  const valuesOf = (key: string) => {
    if (key === "task_type") return wordsOf(...taskTypes);
    if (key === "depends_on_stages" || key === "target_stage_id") return wordsOf(...stagesOf(text));
    return Object.hasOwn(choices, key) ? choices[key] : undefined;
  };
  return completeAt(text, offset, { keysOf, valuesOf });
}

/** Of every template; a text that is being written can often not be read, and its ids stand in it all the same. */
function stagesOf(text: string): string[] {
  const opened = openText(text);
  const ids =
    opened.kind === "open"
      ? readTemplates(opened.value).templates.flatMap(({ stages }) => stages.map(({ id }) => id))
      : [...text.matchAll(/\bstage_id:\s*"?(?<id>[\w.-]+)/g)].map((found) => found.groups?.["id"] ?? "");
  return [...new Set(ids)].filter((id) => id !== "");
}
