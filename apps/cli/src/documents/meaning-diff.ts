import type { DocumentKind, DocumentOf, PipelineTemplates, RoutingPolicy } from "@signalbox/core";
import { diffRoutingPolicies, printPipelineTemplates, printRoutingPolicy } from "@signalbox/core";
import { parse } from "yaml";

/** What a change of text means: each thing that is added, removed or changed, as a line. */
export function meaningDiff<K extends DocumentKind>(
  kind: K,
  before: DocumentOf[K],
  after: DocumentOf[K],
): string[] {
  return comparers[kind](before, after);
}

const comparers: { [K in DocumentKind]: (before: DocumentOf[K], after: DocumentOf[K]) => string[] } = {
  "routing-policy": policyMeaning,
  "pipeline-templates": templatesMeaning,
};

/** By the words of the document, as it would be printed. */
function policyMeaning(before: RoutingPolicy, after: RoutingPolicy): string[] {
  const { routes } = diffRoutingPolicies(before, after);
  const [old, now] = [plainPolicy(before), plainPolicy(after)];
  return [
    ...routes.added.map(
      ({ taskType, allowedPackIds }) => `+ route ${taskType}: ${allowedPackIds.join(", ")}`,
    ),
    ...routes.removed.map(({ taskType }) => `- route ${taskType}: its tasks will ask a person`),
    ...routes.changed.flatMap(({ taskType }) =>
      differences(old.routes.get(taskType), now.routes.get(taskType)).map(
        (line) => `~ route ${taskType} ${line}`,
      ),
    ),
    ...differences(old.sections, now.sections).map((line) => `~ ${line}`),
  ];
}

/** Its routes by task type, and all else below the names of its sections. */
function plainPolicy(policy: RoutingPolicy) {
  const { routing_policy, ...others } = parse(printRoutingPolicy(policy));
  const { routes, version: _, ...sections } = routing_policy;
  const byTaskType = new Map<string, unknown>(
    // Rank decides among the allowed, never their order in the document.
    routes.map((route: { task_type: string; allowed_pack_ids: string[] }) => [
      route.task_type,
      { ...route, allowed_pack_ids: route.allowed_pack_ids.toSorted() },
    ]),
  );
  return { routes: byTaskType, sections: { ...sections, ...others } };
}

const said = (value: unknown) => (value === undefined ? "not said" : JSON.stringify(value));

function templatesMeaning(before: PipelineTemplates, after: PipelineTemplates): string[] {
  const [old, now] = [plainTemplates(before), plainTemplates(after)];
  return [
    ...[...now.keys()].filter((id) => !old.has(id)).map((id) => `+ template ${id}`),
    ...[...old.keys()]
      .filter((id) => !now.has(id))
      .map((id) => `- template ${id}: no task can ask for it any more`),
    ...[...now].flatMap(([id, template]) => {
      const previous = old.get(id);
      return previous === undefined
        ? []
        : differences(previous, template).map((line) => `~ template ${id} ${line}`);
    }),
  ];
}

/** By id, and their stages by id too: what only moved is not told as everything changed. */
function plainTemplates(document: PipelineTemplates): Map<string, unknown> {
  return new Map(
    document.templates.map((template) => {
      const one = parse(printPipelineTemplates({ ...document, templates: [template] }));
      const { stages, ...rest } = one.pipeline_templates.templates[0];
      const byId = Object.fromEntries(stages.map((stage: { stage_id: string }) => [stage.stage_id, stage]));
      return [template.templateId, { ...rest, stage: byId }];
    }),
  );
}

function differences(before: unknown, after: unknown, path = ""): string[] {
  if (isMapping(before) && isMapping(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => differences(before[key], after[key], path === "" ? key : `${path}.${key}`));
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (isMapping(after) && before === undefined) return [`${path}: added`];
  if (isMapping(before) && after === undefined) return [`${path}: removed`];
  return [`${path}: ${said(before)} → ${said(after)}`];
}

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
