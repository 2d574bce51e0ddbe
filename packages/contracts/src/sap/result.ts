import { z } from "zod";
import { AlignmentSchema } from "./cache.ts";
import {
  NameSchema,
  OpenObjectSchema,
  ProtocolVersionSchema,
  SecondsTimestampSchema,
  UuidSchema,
} from "./scalars.ts";

export const ResultStatusSchema = z.enum([
  "QUEUED",
  "RUNNING",
  "SUCCEEDED",
  "FAILED",
  "CANCELLED",
  "ESCALATED",
  "PARTIAL",
]);
export type ResultStatus = z.infer<typeof ResultStatusSchema>;

/** SAP §4.2. */
export const ConstitutionalEvidenceSchema = z.looseObject({
  alignment: AlignmentSchema,
  pressureReadings: z.record(z.string(), z.number()).optional(),
  policyChecks: z
    .array(
      z.looseObject({
        principle: z.string().optional(),
        status: z.string().optional(),
        notes: z.string().optional(),
      }),
    )
    .optional(),
  violations: z
    .array(
      z.looseObject({
        principle: z.string().optional(),
        severity: z.string().optional(),
        evidence: z.string().optional(),
      }),
    )
    .optional(),
  citations: z.array(z.string()).optional(),
  cache: z
    .looseObject({
      hit: z.boolean().optional(),
      cacheKey: z.string().optional(),
      ageSec: z.int().min(0).optional(),
    })
    .optional(),
});
export type ConstitutionalEvidence = z.infer<typeof ConstitutionalEvidenceSchema>;

/** `code` is any text: SAP §8 recommends its ten codes and does not forbid others. */
export const ErrorSchema = z.looseObject({
  code: z.string().optional(),
  message: z.string().optional(),
  details: OpenObjectSchema.optional(),
});

export const ResultSchema = z
  .looseObject({
    protocolVersion: ProtocolVersionSchema,
    taskId: UuidSchema,
    correlationId: UuidSchema,
    reportedAt: SecondsTimestampSchema,
    producer: z.looseObject({ agentId: NameSchema, agentKind: z.enum(["agent", "system"]) }),
    status: ResultStatusSchema,
    output: z.unknown().optional(),
    artifacts: z.array(OpenObjectSchema).optional(),
    metrics: OpenObjectSchema.optional(),
    constitutionalEvidence: ConstitutionalEvidenceSchema,
    error: ErrorSchema.optional(),
    nextActions: z.array(OpenObjectSchema).optional(),
    meta: OpenObjectSchema.optional(),
  })
  .refine(({ status, error }) => status !== "FAILED" || (error?.message ?? "") !== "", {
    path: ["error", "message"],
    error: "is required by SAP V2.0 §8: a FAILED result says what failed",
  });
export type Result = z.infer<typeof ResultSchema>;
