import { TaskSubmissionSchema } from "@signalbox/contracts";
import { noted, pipelinesQuery, rewinding } from "../../rest/pipelines.ts";
import { pipelineId, task } from "../examples.ts";
import type { Operation, Operations } from "../operation.ts";
import { pipeline, pipelinePage, trace } from "../schemas/pipelines.ts";
import { pipelineAnswer, submittedTask } from "../schemas/work.ts";

const path = { pipelineId: { description: "The pipeline.", example: pipelineId } };

const command = (name: "pause" | "resume" | "abort", summary: string): Operation => ({
  id: `${name}Pipeline`,
  tag: "Pipelines",
  summary,
  access: { action: `pipeline.${name}` },
  path,
  body: { schema: noted, example: { note: "The release is frozen until Monday." }, optional: true },
  answers: { 200: { description: "It is done, and on record.", schema: pipelineAnswer } },
  refuses: ["NOT_FOUND", "INVALID_STATE"],
  repeated: "key",
});

export const pipelineOperations: Operations = {
  "POST /v1/tasks": {
    id: "submitTask",
    tag: "Tasks",
    summary: "Ask for something to be done",
    description: "By a template, or by a task type alone, which makes a pipeline of one stage.",
    access: { action: "task.submit" },
    body: { schema: TaskSubmissionSchema, example: task },
    answers: {
      201: {
        description: "A pipeline has begun.",
        schema: submittedTask,
        headers: { location: "The pipeline." },
      },
    },
    refuses: ["IDEMPOTENT_RUN_FAILED", "REDACTION_FAILED"],
    repeated: "key",
  },
  "GET /v1/pipelines": {
    id: "listPipelines",
    tag: "Pipelines",
    summary: "List pipelines, the newest first",
    access: { action: "pipeline.read" },
    query: pipelinesQuery,
    exampleQuery: { status: "RUNNING", limit: "10" },
    answers: { 200: { description: "A page.", schema: pipelinePage } },
  },
  "GET /v1/pipelines/:pipelineId": {
    id: "getPipeline",
    tag: "Pipelines",
    summary: "Read a pipeline",
    access: { action: "pipeline.read" },
    path,
    answers: { 200: { description: "As it stands now.", schema: pipeline } },
    refuses: ["NOT_FOUND"],
  },
  "GET /v1/pipelines/:pipelineId/trace": {
    id: "getTrace",
    tag: "Pipelines",
    summary: "Read a pipeline's trace",
    access: { action: "trace.read" },
    path,
    answers: { 200: { description: "Flat, the root first.", schema: trace } },
    refuses: ["NOT_FOUND"],
  },
  "POST /v1/pipelines/:pipelineId/pause": command("pause", "Pause a pipeline; its clock stops (D13)"),
  "POST /v1/pipelines/:pipelineId/resume": command("resume", "Resume a pipeline"),
  "POST /v1/pipelines/:pipelineId/abort": command("abort", "Abort a pipeline"),
  "POST /v1/pipelines/:pipelineId/rewind": {
    id: "rewindPipeline",
    tag: "Pipelines",
    summary: "Send a pipeline back to a stage",
    description: "The stage and what depends on it begin anew; parallel branches keep their results (D13).",
    access: { action: "pipeline.rewind" },
    path,
    body: { schema: rewinding, example: { stageId: "task", instructions: "Greet in lower case." } },
    answers: { 200: { description: "It is done, and on record.", schema: pipelineAnswer } },
    refuses: ["NOT_FOUND", "INVALID_STATE"],
    repeated: "key",
  },
};
