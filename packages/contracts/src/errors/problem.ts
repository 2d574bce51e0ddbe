import { ERROR_CODES, type ErrorCode } from "./error-codes.ts";
import { INTERNAL_DETAIL, toSignalboxError, type Violation } from "./signalbox-error.ts";

/** RFC 9457, with the members every Signalbox transport adds. */
export type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: string;
  readonly violations: readonly Violation[];
  readonly requestId: string;
};

export const PROBLEM_MEDIA_TYPE = "application/problem+json";

/** Takes whatever was thrown. A 500 says nothing but its request id, whatever the error says. */
export function toProblem(thrown: unknown, context: { readonly requestId: string }): Problem {
  const { code, detail, violations } = toSignalboxError(thrown);
  const { httpStatus, title } = ERROR_CODES[code];
  const hidden = code === "INTERNAL";
  return {
    type: problemType(code),
    title,
    status: httpStatus,
    code,
    detail: hidden ? INTERNAL_DETAIL : detail,
    violations: hidden ? [] : violations,
    requestId: context.requestId,
  };
}

const problemType = (code: ErrorCode): string =>
  `urn:signalbox:problem:${code.toLowerCase().replaceAll("_", "-")}`;
