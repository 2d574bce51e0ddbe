import type { JsonValue } from "@bufbuild/protobuf";
import { type Mark, redact, type Redactor } from "@signalbox/core";

/** D21: JSON as it may be stored or handed on; what holds no secret is handed through as it is. */
export function maskJson(
  redactor: Redactor,
  json: JsonValue,
  root: string,
): { readonly json: JsonValue; readonly marks: readonly Mark[] } {
  const { value, marks } = redact(redactor, json, { root });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- masking a JSON value gives a JSON value
  return { json: value as JsonValue, marks };
}
