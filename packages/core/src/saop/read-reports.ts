import { readShape, SignalboxError, type Violation, violationsFromZod } from "@signalbox/contracts";
import { type Event, EventSchema, type TurnEnvelope, TurnEnvelopeSchema } from "@signalbox/contracts/saop";
import { HIGHEST_PLACE, MOST_EVENTS } from "./limits.ts";

/** SAOP-1: a turn envelope from outside. */
export function readTurn(said: unknown): TurnEnvelope {
  const { data, error } = readShape(TurnEnvelopeSchema, said);
  const violations = data === undefined ? violationsFromZod(error) : tooHigh("turn_index", data.turn_index);
  if (data === undefined || violations.length > 0) throw refused("The turn breaks its schema.", violations);
  return data;
}

/** SAOP-1: a batch of events, whole or not at all. */
export function readEvents(said: readonly unknown[]): Event[] {
  if (said.length === 0 || said.length > MOST_EVENTS)
    throw refused("The batch cannot be taken.", [
      {
        field: "",
        rule: "items",
        message: `${said.length} events; a batch has 1 to ${MOST_EVENTS}`,
      },
    ]);
  const events: Event[] = [];
  const violations: Violation[] = [];
  for (const [index, one] of said.entries()) {
    const { data, error } = readShape(EventSchema, one);
    if (data !== undefined) events.push(data);
    for (const { field, rule, message } of error === undefined ? placeFaults(data) : violationsFromZod(error))
      violations.push({ field: placed(index, field), rule, message });
  }
  if (violations.length > 0) throw refused("The batch holds events that break their schema.", violations);
  return events;
}

const placed = (index: number, field: string): string =>
  field === "" || field.startsWith("[") ? `[${index}]${field}` : `[${index}].${field}`;

const NONE: readonly Violation[] = [];

function placeFaults({ sequence, turn_index, payload }: Event): readonly Violation[] {
  const own = payload.type === "THOUGHT_STREAM" ? payload.turn_index : undefined;
  if (sequence === undefined && turn_index === undefined && own === undefined) return NONE;
  return [
    ...tooHigh("sequence", sequence),
    ...tooHigh("turn_index", turn_index),
    ...tooHigh("payload.turn_index", own),
    ...(own === undefined || turn_index === undefined || own === turn_index
      ? []
      : [
          {
            field: "turn_index",
            rule: "same_turn",
            message: `is ${turn_index}, and payload.turn_index is ${own}: name one turn, or the same twice`,
          },
        ]),
  ];
}

const tooHigh = (field: string, place: number | undefined): Violation[] =>
  place === undefined || place <= HIGHEST_PLACE
    ? []
    : [{ field, rule: "lte", message: `must be at most ${HIGHEST_PLACE}` }];

const refused = (detail: string, violations: readonly Violation[]) =>
  new SignalboxError("VALIDATION_FAILED", detail, { violations });
