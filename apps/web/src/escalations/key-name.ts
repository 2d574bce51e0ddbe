import { keyLabelOf } from "@signalbox/core/key-actor";

/** A program stands on record as `key/<label>/<id>`: people know it by the label. */
export function keyInWords(actorId: string): string | undefined {
  const label = keyLabelOf(actorId);
  return label === undefined ? undefined : `key ${label}`;
}
