import { z } from "zod";
import { NameSchema, SecondsTimestampSchema } from "./scalars.ts";

export const AlignmentSchema = z.enum(["VALID", "NON_CONSTITUTIONAL", "ESCALATE"]);
export type Alignment = z.infer<typeof AlignmentSchema>;

/** SAP §4.1 and §6. */
export const CachePolicySchema = z.looseObject({
  mode: z.enum(["prefer", "only", "bypass"]).optional(),
  maxAgeSec: z.int().min(0).optional(),
  mustAlign: z.boolean().optional(),
});
export type CachePolicy = z.infer<typeof CachePolicySchema>;

/** SAP §6: the shape listed there, and the version by which it says that entries are kept. */
export const CacheRecordSchema = z.looseObject({
  cacheKey: NameSchema,
  sapVersion: NameSchema,
  storedAt: SecondsTimestampSchema,
  ageSec: z.int().min(0),
  producer: NameSchema,
  alignment: AlignmentSchema,
  output: z.unknown(),
  citations: z.array(z.string()),
  fingerprint: NameSchema,
});
export type CacheRecord = z.infer<typeof CacheRecordSchema>;
