import { z } from "zod";
import { pageOf, time } from "./common.ts";
import { component } from "./component.ts";

const version = {
  version: z.string(),
  status: z.enum(["draft", "active", "retired"]),
  edit: z.int().min(1).meta({ description: "Counts the changes of a draft; the ETag is made of it." }),
  note: z.string(),
  createdAt: time,
  createdBy: z.string(),
  publishedAt: time.nullable(),
  publishedBy: z.string().nullable(),
  retiredAt: time.nullable(),
};

export const document = component(
  "Document",
  z.strictObject({ ...version, text: z.string().meta({ description: "As its author wrote it." }) }),
);
export const documentPage = pageOf(
  "DocumentPage",
  "versions",
  component("DocumentVersion", z.strictObject(version)),
);
export const documentCheck = component(
  "DocumentCheck",
  z.strictObject({
    valid: z.boolean(),
    version: z.string().nullable(),
    faults: z.array(z.looseObject({ message: z.string() })),
    findings: z.array(z.looseObject({ severity: z.enum(["warning", "note"]), message: z.string() })).meta({
      description: "What a routing policy without faults leaves open: dead ends, packs that no task reaches.",
    }),
  }),
);
const destination = component(
  "Destination",
  z.strictObject({ outcome: z.string(), packId: z.string().nullable() }),
);
const recordedDispatch = z.strictObject({
  pipelineId: z.string(),
  sourceTaskId: z.string().nullable(),
  taskTitle: z.string().nullable(),
  stageId: z.string(),
  attemptNumber: z.int(),
  taskType: z.string(),
  at: time,
  before: destination,
});
const movedDispatch = component(
  "MovedDispatch",
  recordedDispatch.extend({ after: destination, why: z.string() }),
);
const undecidedDispatch = component(
  "UndecidedDispatch",
  recordedDispatch
    .extend({ packIds: z.array(z.string()), why: z.string() })
    .meta({ description: "Nobody can say: these packs were not weighed then. It is no change." }),
);
export const simulation = component(
  "Simulation",
  z.strictObject({
    looked: z.int(),
    same: z.int(),
    elsewhere: z.int(),
    undecidable: z.int(),
    unreadable: z.int(),
    differing: z.array(movedDispatch),
    undecided: z.array(undecidedDispatch),
  }),
);
