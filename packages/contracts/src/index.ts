export { ERROR_CODES, type ErrorCode, isErrorCode } from "./errors/error-codes.ts";
export { type FieldPath, formatFieldPath } from "./errors/field-path.ts";
export { type Problem, PROBLEM_MEDIA_TYPE, toProblem } from "./errors/problem.ts";
export { SignalboxError, toSignalboxError, type Violation } from "./errors/signalbox-error.ts";
export { checkMessage } from "./parse/check-message.ts";
export { decodeMessageBinary, decodeMessageJson, type DecodeOptions } from "./parse/decode-message.ts";
export { DEFAULT_LIMITS, type Limits } from "./parse/limits.ts";
export { parseJson } from "./parse/parse-json.ts";
