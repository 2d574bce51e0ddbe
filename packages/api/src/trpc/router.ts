import { z } from "zod";
import { auditRouter } from "./audit.ts";
import { retentionRouter } from "./retention.ts";
import { alertsRouter } from "./alerts.ts";
import { documentsRouter } from "./documents.ts";
import { escalationsRouter } from "./escalations.ts";
import { instancesRouter } from "./instances.ts";
import { keysRouter } from "./keys.ts";
import { learningRouter } from "./learning.ts";
import { membersRouter } from "./members.ts";
import { metricsRouter } from "./metrics.ts";
import { packsRouter } from "./packs.ts";
import { pipelineDetailRouter } from "./pipeline-detail.ts";
import { pipelinesRouter } from "./pipelines.ts";
import { router } from "./procedures.ts";
import { redactionRouter } from "./redaction.ts";
import { sessionRouter } from "./session.ts";
import { systemRouter } from "./system.ts";

export const appRouter = router({
  audit: auditRouter,
  retention: retentionRouter,
  alerts: alertsRouter,
  documents: documentsRouter,
  escalations: escalationsRouter,
  instances: instancesRouter,
  keys: keysRouter,
  learning: learningRouter,
  members: membersRouter,
  metrics: metricsRouter,
  packs: packsRouter,
  redaction: redactionRouter,
  pipelineDetail: pipelineDetailRouter,
  pipelines: pipelinesRouter,
  session: sessionRouter,
  system: systemRouter,
});

export type AppRouter = typeof appRouter;

/** tRPC has no other word for what a router holds. */
const definitionOf = (made: object): unknown => Reflect.get(made, "_def");
const made = z.custom<object>((value) => typeof value === "function");
const routed = z.looseObject({ procedures: z.record(z.string(), made) }).parse(definitionOf(appRouter));

/** What the router offers, so that what must hold of all procedures can be tried on all of them. */
export const procedures = Object.entries(routed.procedures).map(([path, procedure]) => {
  const { type } = z.looseObject({ type: z.string() }).parse(definitionOf(procedure));
  return { path, type };
});
