import {
  FailureStrategySchema,
  type PipelinePolicy,
  PipelinePolicySchema,
  type StageConfig,
  StageConfigSchema,
} from "@signalbox/contracts";
import { stringify } from "yaml";
import { z } from "zod";
import type { Parsed } from "./fault.ts";
import { fieldShapes, messageFrom, plainMessage } from "./message-shape.ts";
import { compiledSchemaFaults } from "../sacp/unmeetable-schema.ts";
import { parseDocument } from "./parse-document.ts";
import { checkAlwaysAsked, checkPipelineTemplates } from "./pipeline-template-checks.ts";
import { closed, enumName, name, version } from "./shape.ts";
import { findUnfitIds } from "./unfit-ids.ts";

/** A field of the contract that nothing acts on is refused: a template must not promise what is not done. */
const stageFields = [
  "contract_template",
  "handoff_policy",
  "depends_on_stages",
  "context_propagation",
  "edges",
  "join",
  "inputs",
  "response_format",
  "confidence_watch",
  "output_schema",
] as const satisfies readonly string[];

const stage = closed({
  stage_id: name,
  stage_name: z.string().max(200).optional(),
  task_type: name,
  // Either default would surprise somebody, so a template says it.
  required: z.boolean(),
  ...fieldShapes(StageConfigSchema, stageFields),
}).transform(({ stage_id, stage_name, task_type, ...config }, context): TemplateStage => ({
  stageId: stage_id,
  stageName: stage_name ?? "",
  taskType: task_type,
  config: messageFrom(StageConfigSchema, config, context),
}));

const pipelinePolicy = closed({
  ...fieldShapes(PipelinePolicySchema),
  failure_strategy: enumName(FailureStrategySchema),
}).transform((read, context) => messageFrom(PipelinePolicySchema, read, context));

const template = closed({
  template_id: name,
  name: z.string().min(1).max(200),
  description: z.string().max(2000).optional(),
  stages: z.array(stage).min(1).max(200),
  policy: pipelinePolicy,
}).transform((read): PipelineTemplate => ({
  templateId: read.template_id,
  name: read.name,
  description: read.description ?? "",
  stages: read.stages,
  policy: read.policy,
}));

const pipelineTemplatesDocument = closed({
  pipeline_templates: closed({ version, templates: z.array(template).max(500) }),
}).transform((read): PipelineTemplates => read.pipeline_templates);

export type TemplateStage = { stageId: string; stageName: string; taskType: string; config: StageConfig };
export type PipelineTemplate = {
  templateId: string;
  name: string;
  description: string;
  stages: readonly TemplateStage[];
  policy: PipelinePolicy;
};
export type PipelineTemplates = { version: string; templates: readonly PipelineTemplate[] };

/** Reads pipeline templates as YAML or JSON. */
export const parsePipelineTemplates = (text: string): Parsed<PipelineTemplates> =>
  parseDocument(text, pipelineTemplatesDocument, (value) => [
    ...checkPipelineTemplates(value),
    ...checkAlwaysAsked(value),
    ...findUnfitIds(value),
  ]);

/** DOC-30: templates that were published, perhaps before anybody looked whether their schemas can be met, or whether all they ask for is done. */
export const parsePublishedTemplates = (text: string): Parsed<PipelineTemplates> =>
  parseDocument(text, pipelineTemplatesDocument, (value) =>
    checkPipelineTemplates(value, compiledSchemaFaults),
  );

/** The templates as YAML that `parsePipelineTemplates` reads back as the same templates. */
export const printPipelineTemplates = (document: PipelineTemplates): string =>
  stringify({
    pipeline_templates: { version: document.version, templates: document.templates.map(plainTemplate) },
  });

const plainTemplate = (read: PipelineTemplate) => ({
  template_id: read.templateId,
  name: read.name,
  description: orAbsent(read.description),
  stages: read.stages.map(({ stageId, stageName, taskType, config }) => ({
    stage_id: stageId,
    stage_name: orAbsent(stageName),
    task_type: taskType,
    required: config.required,
    ...plainMessage(StageConfigSchema, config),
  })),
  policy: plainMessage(PipelinePolicySchema, read.policy),
});

const orAbsent = (text: string) => (text === "" ? undefined : text);
