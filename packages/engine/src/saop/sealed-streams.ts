import {
  printTurnStream,
  readSilentStream,
  readTurnStream,
  saysNothing,
  type TurnStream,
} from "@signalbox/core";
import { openTextOf, type Seal } from "@signalbox/db";
import { LRUCache } from "lru-cache";

export type LastStream = { readonly sealed: Uint8Array; readonly stream: TurnStream };

export type SealedStreams = {
  readonly close: (stream: TurnStream, place: string) => Uint8Array;
  /** What was sealed here last for this place; whether it lies there still, nobody knows. */
  readonly last: (place: string) => LastStream | undefined;
  /** Undefined where it cannot be opened. */
  readonly open: (sealed: Uint8Array, place: string) => TurnStream | undefined;
};

/** As they usually are, some ten megabytes; with what is longest of as many as are kept, fifty. */
const MOST = 8_192;
const LONGEST = 2_048;

/** What was sealed here and lies there unchanged is not opened: an attempt's next report finds what the last one left. */
export function sealedStreams(seal: Seal): SealedStreams {
  const known = new LRUCache<string, LastStream>({ max: MOST });
  return {
    close(stream, place) {
      const text = printTurnStream(stream);
      const sealed = saysNothing(stream) ? seal.leaveOpen(text) : seal.close(text, place);
      if (text.length > LONGEST) known.delete(place);
      else known.set(place, { sealed, stream });
      return sealed;
    },
    last: (place) => known.peek(place),
    open(sealed, place) {
      const own = known.peek(place);
      if (own !== undefined && Buffer.compare(own.sealed, sealed) === 0) return own.stream;
      const silent = openTextOf(sealed);
      if (silent !== undefined) return readSilentStream(silent);
      const text = seal.open(sealed, place);
      return text === undefined ? undefined : readTurnStream(text);
    },
  };
}
