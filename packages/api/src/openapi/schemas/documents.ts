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
  }),
);
