import {
  ConfidenceSchema,
  ContextPropagationModeSchema,
  FailureStrategySchema,
  OutcomeSchema,
  PipelineStatusSchema,
  RiskTierSchema,
  StageStatusSchema,
} from "@signalbox/contracts";
import { z } from "zod";
import { actor, duration, pageOf, time } from "./common.ts";
import { component, namesOf } from "./component.ts";
import { openEscalation } from "./escalations.ts";

const stageConfig = z.strictObject({
  required: z.boolean(),
  dependsOnStages: z.array(z.string()),
  contextPropagation: z.looseObject({ mode: namesOf(ContextPropagationModeSchema) }),
  handoffPolicy: z.strictObject({
    retry: z.strictObject({
      maxAttempts: z.int(),
      initialBackoff: duration,
      backoffMultiplier: z.number(),
      maxBackoff: duration,
    }),
  }),
});

const result = z.strictObject({
  status: z.strictObject({
    outcome: namesOf(OutcomeSchema),
    confidence: namesOf(ConfidenceSchema),
    summary: z.string(),
  }),
  contextOut: z.unknown(),
  artifacts: z.unknown(),
  response: z.unknown(),
  dispatchId: z.string(),
  attemptNumber: z.int(),
});

const dispatch = component(
  "Dispatch",
  z.strictObject({
    dispatchId: z.string(),
    attemptNumber: z.int().min(1),
    packId: z.string(),
    packVersion: z.string(),
    instanceId: z.string(),
    riskTier: namesOf(RiskTierSchema),
    sentAt: time,
    dueAt: time.nullable(),
    reportedAt: time.nullable(),
  }),
);

const stage = component(
  "Stage",
  z.strictObject({
    stageId: z.string(),
    stageOrder: z.int().min(0),
    stageName: z.string(),
    taskType: z.string(),
    status: namesOf(StageStatusSchema),
    config: stageConfig,
    dispatchId: z.string().nullable(),
    assignedPackId: z.string().nullable(),
    attemptNumber: z.int().min(0),
    result: result.nullable(),
    dispatch: dispatch.nullable(),
    resultAcceptedAt: time.nullable(),
    resultOfPackId: z.string().nullable(),
    retriesUsed: z.int().min(0),
    handoffsUsed: z.int().min(0),
    notBefore: time.nullable(),
    wait: z.strictObject({ reason: z.string(), since: time, until: time }).nullable(),
    waitsForEscalationId: z.string().nullable(),
    feedback: z.array(z.looseObject({ kind: z.string(), text: z.string() })),
    failure: z.looseObject({ code: z.string(), reason: z.string() }).nullable(),
    skipReason: z.string().nullable(),
    edgesTaken: z
      .array(z.string())
      .nullable()
      .meta({ description: "Where its edges lead on, once it has ended; null before, and without edges." }),
    noWayOn: z.string().nullable().meta({
      description: "Why none of its edges that look at its answer was taken, so that it leads nowhere.",
    }),
    reroute: z.strictObject({ taskType: z.string().nullable(), packId: z.string().nullable() }).nullable(),
    acceptedRefs: z
      .array(z.strictObject({ uriOrLocator: z.string(), digest: z.string() }))
      .meta({ description: "Stale references that a person lets travel as they are." }),
  }),
);

const times = { createdAt: time, updatedAt: time, endedAt: time.nullable(), deadlineAt: time.nullable() };
const named = {
  pipelineId: z.string(),
  pipelineName: z.string(),
  sourceTaskId: z.string(),
  taskTitle: z
    .string()
    .nullable()
    .meta({ description: "The task's title on one line, cut at 500 characters." }),
  status: namesOf(PipelineStatusSchema),
  revision: z.int().min(1),
  templateId: z.string(),
  templateVersion: z.string(),
  submittedBy: actor,
};

const nameOfActor = z.string().nullable().meta({
  description: "What the person or the key is called; null for the orchestrator, and where it has no name.",
});

/** The contract's Pipeline, and on the same level what that message has no field for. */
export const pipeline = component(
  "PipelineView",
  z.strictObject({
    ...named,
    stages: z.array(stage),
    trace: z.strictObject({ traceId: z.string() }),
    policy: z.strictObject({
      maxTotalRetries: z.int(),
      maxRejections: z.int(),
      pipelineDeadline: duration.nullable(),
      failureStrategy: namesOf(FailureStrategySchema),
      requireAllStages: z.boolean(),
    }),
    ...times,
    submittedByName: nameOfActor,
    startedAt: time,
    pause: z
      .strictObject({
        reason: z.enum(["person", "deadline", "waiting"]),
        since: time,
        note: z.string().meta({ description: "Why, where somebody said so." }),
        by: actor.nullable().meta({
          description:
            "Who asked for it; null where the pipeline paused by itself, and where nobody noted it.",
        }),
        byName: nameOfActor,
      })
      .nullable(),
    end: z
      .strictObject({
        by: actor,
        byName: nameOfActor,
        reason: z.string().meta({
          description: "What was said, or what the rule found; empty where a person said nothing.",
        }),
        escalationId: z.string().nullable().meta({ description: "The question whose answer ended it." }),
      })
      .nullable()
      .meta({
        description: "Who ended it and why; null while it goes on, and where it ended before this was kept.",
      }),
    retriesUsed: z.int().min(0),
    rejectionsUsed: z.int().min(0),
    openEscalations: z.array(openEscalation),
  }),
);

const summary = component("PipelineSummary", z.strictObject({ ...named, ...times, traceId: z.string() }));
export const pipelinePage = pageOf("PipelinePage", "pipelines", summary);

const span = component(
  "Span",
  z.strictObject({
    traceId: z.string(),
    spanId: z.string(),
    parentSpanId: z.string().meta({ description: "Empty for the root." }),
    tenantId: z.string(),
    agentId: z.string(),
    pipelineId: z.string(),
    stageId: z.string(),
    dispatchId: z.string(),
    attemptNumber: z.int().min(0),
    name: z.string(),
    startedAt: time,
    endedAt: time.nullable(),
    status: z.enum(["ok", "error", "open"]),
    attributes: z.record(z.string(), z.unknown()),
  }),
);
export const trace = component(
  "Trace",
  z.strictObject({ traceId: z.string().nullable(), spans: z.array(span) }),
);
