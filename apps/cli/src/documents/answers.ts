import { z } from "zod";

const version = z.looseObject({
  version: z.string(),
  status: z.enum(["draft", "active", "retired"]),
  edit: z.number(),
  note: z.string().nullish(),
  createdAt: z.string(),
  createdBy: z.string(),
  publishedAt: z.string().nullish(),
  publishedBy: z.string().nullish(),
});
export const documentVersion = version;
export type DocumentVersion = z.infer<typeof version>;

export const storedDocument = version.extend({ text: z.string() });
export type StoredDocument = z.infer<typeof storedDocument>;

export const checked = z.looseObject({
  valid: z.boolean(),
  version: z.string().nullable(),
  faults: z.array(
    z.looseObject({
      line: z.number(),
      column: z.number(),
      path: z.string(),
      rule: z.string(),
      message: z.string(),
    }),
  ),
});
