import type { Event, TurnEnvelope } from "@signalbox/contracts/saop";
import { redactionFailed } from "../redaction/failure.ts";
import type { Mark } from "../redaction/redact-value.ts";
import { redact, type Redactor } from "../redaction/redactor.ts";

/** A JSON object whose parts are not asked for. */
export type JsonObject = { readonly [key: string]: unknown };

export type MaskedReport = { readonly value: JsonObject; readonly marks: readonly Mark[] };

/** SAOP-12: a turn as it may be stored and pushed. */
export const maskTurn = (redactor: Redactor, turn: TurnEnvelope): MaskedReport =>
  masked(redactor, turn, "turn_envelope");

/** An event as it may be stored and pushed, but for a text that goes on in other events. */
export const maskEvent = (redactor: Redactor, event: Omit<Event, "payload"> & { payload: JsonObject }) =>
  masked(redactor, event, "event");

function masked(redactor: Redactor, said: object, root: string): MaskedReport {
  const { value, marks } = redact(redactor, said, { root });
  if (!isObject(value))
    throw redactionFailed("The policy masks the whole of it, so nothing of it can be kept");
  return { value, marks };
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
