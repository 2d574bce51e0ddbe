import { readFileSync } from "node:fs";
import { join } from "node:path";
import { durationMs } from "@bufbuild/protobuf/wkt";
import { ContextLevel, ContextPropagationMode, FailureStrategy } from "@signalbox/contracts";
import { describe, expect, test } from "vitest";
import type { Parsed } from "./fault.ts";
import {
  parsePipelineTemplates,
  parsePublishedTemplates,
  printPipelineTemplates,
} from "./pipeline-templates.ts";

const specTemplates = readFileSync(join(import.meta.dirname, "fixtures/pipeline-templates.yaml"), "utf8");

function valid<T>(parsed: Parsed<T>): T {
  if (parsed.kind === "refused") throw new Error(JSON.stringify(parsed.faults));
  return parsed.document;
}
const faults = (text: string) => {
  const parsed = parsePipelineTemplates(text);
  return parsed.kind === "refused" ? parsed.faults : [];
};
const found = (text: string) =>
  faults(text).map(({ line, path, rule }) => [line, path.split(".").at(-1), rule]);

const withStages = (...stages: string[]) => `pipeline_templates:
  version: "1.0.0"
  templates:
    - template_id: one
      name: One
      policy: { failure_strategy: PAUSE }
      stages:
${stages.map((stage) => `        - { ${stage} }\n`).join("")}`;

test("DOC-1: the specification's pipeline templates load as they stand", () => {
  const { version, templates } = valid(parsePipelineTemplates(specTemplates));
  expect(version).toBe("1.0.0");
  const [standard, critical] = templates;
  expect(
    standard?.stages.map((stage) => [stage.stageId, stage.taskType, stage.config.dependsOnStages]),
  ).toEqual([
    ["implement", "feature-implementation", []],
    ["review", "code-review", ["implement"]],
    ["verify", "verification", ["review"]],
  ]);
  const [implement, review] = standard?.stages ?? [];
  expect(implement?.config).toMatchObject({
    required: true,
    handoffPolicy: { contextLevel: ContextLevel.LAYERED, retry: { maxAttempts: 2 } },
    contextPropagation: { mode: ContextPropagationMode.NONE },
  });
  const staleness = implement?.config.handoffPolicy?.freshness?.maxRefStaleness;
  expect(staleness && durationMs(staleness)).toBe(300_000);
  expect(review?.config.contextPropagation).toMatchObject({
    mode: ContextPropagationMode.PREVIOUS,
    carryArtifacts: true,
    carryDecisions: true,
    carryRisks: true,
  });
  expect(standard?.policy).toMatchObject({
    maxTotalRetries: 4,
    maxRejections: 2,
    failureStrategy: FailureStrategy.PAUSE,
  });
  expect(critical?.stages.at(-1)?.config.dependsOnStages).toEqual(["security-review", "review"]);
  expect(critical?.policy.requireAllStages).toBe(true);
});

test("DOC-5: templates that are printed and read again mean the same", () => {
  const first = valid(parsePipelineTemplates(specTemplates));
  const rich = valid(
    parsePipelineTemplates(
      withStages(
        "stage_id: a, stage_name: First, task_type: t, required: false, handoff_policy: {context_level: RICH, " +
          "escalation: {auto_escalate_on_security_flag: [touches_auth], escalate_on_policy_blocked: true}, " +
          "retry: {max_attempts: 3, initial_backoff: 1.5s, backoff_multiplier: 2.5, max_backoff: 1h1m}, " +
          "freshness: {max_ref_staleness: 90s, require_digest: true}}, contract_template: {task_id: x, title: y, " +
          "acceptance_criteria: [z], environment: {test_command: npm test}}",
      ),
    ),
  );
  for (const document of [first, rich]) {
    expect(valid(parsePipelineTemplates(printPipelineTemplates(document)))).toEqual(document);
  }
});

test("DOC-36 DOC-30 that nobody is asked about what policy blocked is refused by its line, and read where it was published", () => {
  const text = withStages(
    "stage_id: a, task_type: t, required: true, handoff_policy: {escalation: {escalate_on_policy_blocked: false}}",
  );
  const parsed = parsePipelineTemplates(text);
  expect(parsed).toMatchObject({
    kind: "refused",
    faults: [
      {
        path: "pipeline_templates.templates[0].stages[0].handoff_policy.escalation.escalate_on_policy_blocked",
        rule: "one_of",
        message: expect.stringContaining("always asks a person"),
      },
    ],
  });
  expect(parsePublishedTemplates(text).kind).toBe("valid");
});

test("DOC-14: enum values may be written short or in full", () => {
  const short = valid(parsePipelineTemplates(specTemplates));
  const full = valid(
    parsePipelineTemplates(
      specTemplates
        .replaceAll("mode: NONE", "mode: CONTEXT_PROPAGATION_MODE_NONE")
        .replaceAll("LAYERED", "CONTEXT_LEVEL_LAYERED")
        .replaceAll(": PAUSE", ": FAILURE_STRATEGY_PAUSE"),
    ),
  );
  expect(full).toEqual(short);
});

describe("DOC-13: stages that cannot run in any order are refused", () => {
  test("a circle, by its way, and the stage behind it", () => {
    const text = withStages(
      "stage_id: a, task_type: t, required: true, depends_on_stages: [c]",
      "stage_id: b, task_type: t, required: true, depends_on_stages: [a]",
      "stage_id: c, task_type: t, required: true, depends_on_stages: [b]",
      "stage_id: d, task_type: t, required: true, depends_on_stages: [c]",
    );
    expect(found(text)).toEqual([
      [8, "depends_on_stages", "cycle"],
      [11, "depends_on_stages", "unreachable"],
    ]);
    expect(faults(text)[0]?.message).toContain("a → c → b → a");
  });

  test("an unknown stage, with the one that was probably meant", () => {
    const text = specTemplates.replace('["implement"]', '["implment"]');
    expect(found(text)).toEqual([[23, "depends_on_stages[0]", "unknown_stage"]]);
    expect(faults(text)[0]?.message).toContain("Did you mean implement?");
  });

  test("an id twice, of a stage and of a template, and a dependency twice", () => {
    expect(found(specTemplates.replace('"critical-with-security"', '"implement-and-review"'))).toEqual([
      [52, "template_id", "duplicate"],
    ]);
    expect(
      found(specTemplates.replace('stage_id: "verify"', 'stage_id: "review"')).map(([, , rule]) => rule),
    ).toEqual(["duplicate"]);
    expect(
      found(specTemplates.replace('["security-review", "review"]', '["review", "review"]')).map(
        ([, , rule]) => rule,
      ),
    ).toEqual(["duplicate"]);
  });
});

test("DOC-4: a wrong duration does not hide a circle, nor a broken rule of the contract beside it", () => {
  const text = withStages(
    "stage_id: a, task_type: t, required: true, depends_on_stages: [a], " +
      "handoff_policy: {freshness: {max_ref_staleness: 5 minutes}, retry: {max_attempts: -1}}",
    "stage_id: b, task_type: t",
  );
  expect(found(text)).toEqual([
    [8, "depends_on_stages", "cycle"],
    [8, "max_ref_staleness", "format"],
    [8, "max_attempts", "contract"],
    [9, "required", "required"],
  ]);
});

test.each([
  ["a deadline of nothing", 'pipeline_deadline: "30m"', "pipeline_deadline: 0s", "contract"],
  ["a factor that shrinks", "max_attempts: 2", "backoff_multiplier: 0.5", "bound"],
  ["a factor that explodes", "max_attempts: 2", "backoff_multiplier: 101", "bound"],
  [
    "a flag that does not exist",
    "max_attempts: 2 }",
    "}\n            escalation: { auto_escalate_on_security_flag: [auth] }",
    "one_of",
  ],
  ["an enum value that does not exist", "context_level: LAYERED", "context_level: LAYERD", "one_of"],
  ["a strategy left out", "failure_strategy: PAUSE", "require_all_stages: false", "required"],
  ["more than 32 bits", "max_total_retries: 4", "max_total_retries: 4294967296", "bound"],
  ["a whole that is a text", "max_total_retries: 4", 'max_total_retries: "4"', "type"],
  [
    "an unfinished contract",
    "required: true",
    "required: true\n          contract_template: { title: x }",
    "contract",
  ],
])("DOC-15: %s is refused", (_, before, after, rule) => {
  const text = specTemplates.replace(before, after);
  expect(text).not.toBe(specTemplates);
  expect(new Set(faults(text).map((fault) => fault.rule))).toEqual(new Set([rule]));
});
