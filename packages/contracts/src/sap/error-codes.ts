/** SAP V2.0 §8. */
export const SAP_ERROR_CODES = [
  "INVALID_TASK",
  "UNAUTHORIZED",
  "FORBIDDEN",
  "NOT_FOUND",
  "UNPROCESSABLE",
  "TIMEOUT",
  "RATE_LIMIT",
  "INTERNAL",
  "CACHE_MISS",
  "NON_CONSTITUTIONAL",
] as const;

export type SapErrorCode = (typeof SAP_ERROR_CODES)[number];
