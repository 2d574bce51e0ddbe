import { type DescMessage, fromJson, type JsonValue, type MessageShape, toJson } from "@bufbuild/protobuf";
import { type Mark, type Redactor, redact } from "@signalbox/core";

export type Masked<T> = {
  readonly message: T;
  readonly json: JsonValue;
  readonly marks: readonly Mark[];
};

/** D21: a message as it may be stored and decided on. One that holds no secret is handed through as it is. */
export function maskMessage<Desc extends DescMessage>(
  redactor: Redactor,
  schema: Desc,
  message: MessageShape<Desc>,
): Masked<MessageShape<Desc>> {
  const json = toJson(schema, message);
  const { value, marks } = redact(redactor, json);
  if (value === json) return { message, json, marks };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- masking a JSON value gives a JSON value
  const masked = value as JsonValue;
  return { message: fromJson(schema, masked), json: masked, marks };
}
