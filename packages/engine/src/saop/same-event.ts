import type { Event } from "@signalbox/contracts/saop";
import type { KnownTraceEvent, Seal } from "@signalbox/db";
import { canonicalJson } from "./canonical-json.ts";

/** What came before under an event's id: in this transaction, or as it was kept. */
export type KnownEvent = Event | KnownTraceEvent;

/** What was masked cannot be held against what is sent again; its fingerprint can. */
export const fingerprintOf = (seal: Seal, event: Event): string =>
  Buffer.from(seal.fingerprint(canonicalJson(event))).toString("hex");

export const areSame = (one: Event, other: Event): boolean => canonicalJson(one) === canonicalJson(other);

/** One that was sent without its place was kept with it: it may be sent again either way. */
export function isSameEvent(seal: Seal, known: KnownEvent, event: Event): boolean {
  if ("event_id" in known) return areSame(known, event);
  if (known.fingerprint !== null) return known.fingerprint === fingerprintOf(seal, event);
  const kept: Event = JSON.parse(known.event);
  return areSame(kept, { ...event, turn_index: kept.turn_index, sequence: kept.sequence, ...event });
}
