export {
  type Alignment,
  AlignmentSchema,
  type CachePolicy,
  CachePolicySchema,
  type CacheRecord,
  CacheRecordSchema,
} from "./cache.ts";
export { SAP_ERROR_CODES, type SapErrorCode } from "./error-codes.ts";
export {
  type ConstitutionalEvidence,
  ConstitutionalEvidenceSchema,
  ErrorSchema,
  type Result,
  ResultSchema,
  type ResultStatus,
  ResultStatusSchema,
} from "./result.ts";
export {
  type ConstitutionalContext,
  ConstitutionalContextSchema,
  expectsAck,
  type Task,
  TaskSchema,
} from "./task.ts";
export { UuidSchema } from "./scalars.ts";
