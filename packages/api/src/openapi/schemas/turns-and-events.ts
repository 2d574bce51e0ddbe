import { EventSchema, TurnEnvelopeSchema } from "@signalbox/contracts/saop";
import { z } from "zod";
import { pageOf, time } from "./common.ts";
import { component } from "./component.ts";

/** SAOP §1. */
export const turnEnvelope = component("TurnEnvelope", TurnEnvelopeSchema);
/** SAOP §2. */
const event = component("Event", EventSchema);
export const eventBatch = component(
  "EventBatch",
  z.strictObject({ events: z.array(event).min(1).max(1_000) }),
);

const mark = z.strictObject({ path: z.string(), rule: z.string(), count: z.int().min(1) });
export const turnPage = pageOf(
  "TurnPage",
  "turns",
  component(
    "Turn",
    z.strictObject({
      stageId: z.string(),
      dispatchId: z.string(),
      attemptNumber: z.int().min(1),
      receivedAt: time,
      turn: turnEnvelope,
      marks: z.array(mark).meta({ description: "What was masked in it, where, and by which rule." }),
    }),
  ),
);
export const eventPage = pageOf(
  "EventPage",
  "events",
  component(
    "PipelineEvent",
    z.strictObject({
      stageId: z.string().nullable(),
      dispatchId: z.string().nullable().meta({ description: "Null for what the orchestrator says." }),
      attemptNumber: z.int().min(0),
      receivedAt: time,
      event,
    }),
  ),
);
