import { SecurityFlagsSchema } from "@signalbox/contracts";
import type { FieldPath } from "@signalbox/contracts";
import { z } from "zod";
import { checkFlow, checkReach, type FlowStage, type SchemaFaults } from "./edge-checks.ts";
import { type Finding, readAs } from "./fault.ts";
import { allowedNames } from "./nearest-name.ts";
import { duplicates } from "./routing-policy-checks.ts";
import { orderStages, type StageOutline } from "./stage-order.ts";

// What the checks need of a value of any shape; what is misshapen reads as absent, for the shape has reported it.
const text = z.string().optional().catch(undefined);
const texts = z.array(text).catch([]);
const escalationShape = z.object({
  auto_escalate_on_security_flag: texts,
  escalate_on_policy_blocked: z.boolean().optional().catch(undefined),
});
const noEscalation = escalationShape.parse({});
const handoff = z
  .object({
    escalation: escalationShape.catch(noEscalation),
    retry: z.object({ backoff_multiplier: z.number().catch(0) }).catch({ backoff_multiplier: 0 }),
  })
  .catch({ escalation: noEscalation, retry: { backoff_multiplier: 0 } });
const edge = z
  .object({ target_stage_id: text, condition: text })
  .catch({ target_stage_id: undefined, condition: undefined });
const stage = z.object({
  stage_id: text,
  depends_on_stages: texts,
  handoff_policy: handoff,
  edges: z.array(edge).catch([]),
  join: text,
  inputs: z.unknown().optional(),
  response_format: text,
  output_schema: z.unknown().optional(),
});
const misshapen = stage.parse({});
const policy = z
  .object({ require_all_stages: z.boolean().catch(false) })
  .catch({ require_all_stages: false });
const template = z.object({ template_id: text, stages: z.array(stage.catch(misshapen)).catch([]), policy });
const noTemplate = template.parse({});
const document = z.object({
  pipeline_templates: z.object({
    templates: z.array(template.catch(noTemplate)).catch([]),
  }),
});

type Stage = z.output<typeof stage>;
type PathOf = (...path: FieldPath) => FieldPath;

const within = (...path: FieldPath): FieldPath => ["pipeline_templates", "templates", ...path];

export function checkPipelineTemplates(value: unknown, faultsOfSchema?: SchemaFaults): Finding[] {
  const outline = document.safeParse(value);
  if (!outline.success) return [];
  const { templates } = outline.data.pipeline_templates;
  return [
    ...duplicates(
      templates.map((read) => read.template_id),
      (index) => within(index, "template_id"),
      "template",
    ),
    ...templates.flatMap(({ stages, policy: { require_all_stages: all } }, index) =>
      checkStages(stages, all, (...path) => within(index, "stages", ...path), faultsOfSchema),
    ),
  ];
}

const anyJoins: ReadonlySet<string | undefined> = new Set(["ANY", "STAGE_JOIN_ANY"]);

function checkStages(
  stages: readonly Stage[],
  requireAll: boolean,
  at: PathOf,
  faultsOfSchema?: SchemaFaults,
): Finding[] {
  const doubled = duplicates(
    stages.map((read) => read.stage_id),
    (index) => at(index, "stage_id"),
    "stage",
  );
  const flow = stages.map((read, index): FlowStage => ({
    stageId: read.stage_id ?? `stage ${index + 1}`,
    dependsOn: read.depends_on_stages.filter((id) => id !== undefined),
    edges: read.edges.map(({ target_stage_id, condition }) => ({ target: target_stage_id, condition })),
    joinsAny: anyJoins.has(read.join),
    inputs: read.inputs,
    outputSchema: read.output_schema,
    answers: read.response_format === "json_standard",
  }));
  const outlines = flow.map(({ stageId, dependsOn }): StageOutline => {
    const sources = flow.flatMap((other) =>
      other.edges.some(({ target }) => target === stageId) ? other.stageId : [],
    );
    return { stageId, dependsOn: [...new Set([...dependsOn, ...sources])] };
  });
  return [
    ...doubled,
    ...checkFlow(flow, requireAll, at, faultsOfSchema),
    ...stages.flatMap((read, index) => [
      ...checkDependencies(read, outlines, (...path) => at(index, "depends_on_stages", ...path)),
      ...checkHandoff(read, (...path) => at(index, "handoff_policy", ...path)),
    ]),
    // With an id twice it cannot be said who waits for whom.
    ...(doubled.length > 0 ? [] : checkOrder(outlines, flow, at)),
  ];
}

function checkDependencies(read: Stage, stages: readonly StageOutline[], at: PathOf): Finding[] {
  const ids = stages.map((known) => known.stageId);
  const unknown = read.depends_on_stages.flatMap((id, index): Finding[] => {
    if (id === undefined || ids.includes(id)) return [];
    const message = `no stage ${readAs(id)} is in this template. ${allowedNames(id, ids)}`;
    return [{ path: at(index), at: "value", rule: "unknown_stage", message }];
  });
  return [...unknown, ...duplicates(read.depends_on_stages, at, "stage")];
}

function checkOrder(stages: readonly StageOutline[], flow: readonly FlowStage[], at: PathOf): Finding[] {
  const { order, cycles, unreachable } = orderStages(stages);
  if (order.length === stages.length) return checkReach(flow, order, at);
  const indexOf = (id: string | undefined) => stages.findIndex((known) => known.stageId === id);
  const inCycles = cycles.map((cycle): Finding => {
    const circle = [...cycle, cycle[0]].join(" → ");
    const message = `these stages wait for each other, so none of them can start: ${circle}`;
    return { path: at(indexOf(cycle[0]), "depends_on_stages"), at: "key", rule: "cycle", message };
  });
  const outOfReach = unreachable.map((index): Finding => {
    const message = `the stage "${stages[index]?.stageId}" can never start: what it waits for is in a circle`;
    return { path: at(index, "depends_on_stages"), at: "key", rule: "unreachable", message };
  });
  return [...inCycles, ...outOfReach];
}

/**
 * DOC-36 (A2A 4.3): a result that policy blocked asks a person, whatever else a template says; one that would have nobody
 * asked must not be promised that.
 */
export function checkAlwaysAsked(value: unknown): Finding[] {
  const outline = document.safeParse(value);
  if (!outline.success) return [];
  return outline.data.pipeline_templates.templates.flatMap(({ stages }, index) =>
    stages.flatMap(({ handoff_policy: { escalation } }, place): Finding[] => {
      if (escalation.escalate_on_policy_blocked !== false) return [];
      const path = ["handoff_policy", "escalation", "escalate_on_policy_blocked"];
      const message =
        "is false; a result that policy blocked always asks a person. Write true, or leave it out";
      return [{ path: within(index, "stages", place, ...path), at: "value", rule: "one_of", message }];
    }),
  );
}

const securityFlags = SecurityFlagsSchema.fields.map((field) => field.name);

function checkHandoff({ handoff_policy: { escalation, retry } }: Stage, at: PathOf): Finding[] {
  const flags = escalation.auto_escalate_on_security_flag.flatMap((flag, index): Finding[] => {
    if (flag === undefined || securityFlags.includes(flag)) return [];
    const message = `is ${readAs(flag)}. ${allowedNames(flag, securityFlags)}`;
    return [
      {
        path: at("escalation", "auto_escalate_on_security_flag", index),
        at: "value",
        rule: "one_of",
        message,
      },
    ];
  });
  const multiplier = retry.backoff_multiplier;
  if (multiplier <= 0 || (multiplier >= 1 && multiplier <= 100)) return flags;
  const message = `is ${multiplier}; from 1 to 100 is allowed, for a wait does not shrink`;
  return [...flags, { path: at("retry", "backoff_multiplier"), at: "value", rule: "bound", message }];
}
