import { type DescMessage, fromJson, type JsonValue, type MessageShape, toJson } from "@bufbuild/protobuf";
import { SignalboxError } from "@signalbox/contracts";
import type { Mark, Redactor } from "@signalbox/core";
import { maskJson } from "../mask-json.ts";

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
  const { json: masked, marks } = maskJson(redactor, json, schema.name);
  if (masked === json) return { message, json, marks };
  return { message: readMasked(schema, masked, marks), json: masked, marks };
}

const MOST_NAMED = 3;

/** A policy may mask a field that can hold no marker, such as a number or an enum: then the message cannot be kept. */
function readMasked<Desc extends DescMessage>(
  schema: Desc,
  masked: JsonValue,
  marks: readonly Mark[],
): MessageShape<Desc> {
  try {
    return fromJson(schema, masked);
  } catch {
    // The decoder's own message quotes what it could not read.
    const paths = [...new Set(marks.map(({ path }) => path))];
    const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : "";
    throw new SignalboxError(
      "REDACTION_FAILED",
      `Masked as the redaction policy says, the ${schema.name} is none any more: a field that holds no text cannot be masked. ` +
        `What was masked: ${paths.slice(0, MOST_NAMED).join(", ")}${more}`,
    );
  }
}
