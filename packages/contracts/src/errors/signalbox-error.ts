import type { ErrorCode } from "./error-codes.ts";

/** One fault in what was sent: where (see field-path.ts), which rule, and what is allowed. */
export type Violation = { readonly field: string; readonly rule: string; readonly message: string };

/** An answer stays small, however much is wrong with what was sent. */
export const MOST_VIOLATIONS = 100;

/** What `detail` and `violations` say is shown to the caller; what only the log may see goes into `cause`. */
export class SignalboxError extends Error {
  override readonly name = "SignalboxError";
  readonly code: ErrorCode;
  readonly detail: string;
  readonly violations: readonly Violation[];
  /** When to come back, where that is known; each transport says it in its own way. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ErrorCode,
    detail: string,
    options: {
      readonly violations?: readonly Violation[];
      readonly cause?: unknown;
      readonly retryAfterMs?: number | undefined;
    } = {},
  ) {
    super(`${code}: ${detail}`, "cause" in options ? { cause: options.cause } : {});
    this.code = code;
    this.detail = detail;
    this.retryAfterMs = options.retryAfterMs;
    this.violations = (options.violations ?? []).slice(0, MOST_VIOLATIONS);
  }
}

/** What was thrown and is not ours becomes INTERNAL; it stays readable as the `cause`, for the log alone. */
export function toSignalboxError(thrown: unknown): SignalboxError {
  return isSignalboxError(thrown)
    ? thrown
    : new SignalboxError("INTERNAL", INTERNAL_DETAIL, { cause: thrown });
}

/** The one detail a 500 may carry. */
export const INTERNAL_DETAIL = "An unexpected error occurred. The request id finds it in the log.";

function isSignalboxError(thrown: unknown): thrown is SignalboxError {
  try {
    return thrown instanceof SignalboxError;
  } catch {
    return false; // a Proxy may throw when asked for its prototype
  }
}
