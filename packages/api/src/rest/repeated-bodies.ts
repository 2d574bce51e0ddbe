import { LRUCache } from "lru-cache";

export type RepeatedBodies<T> = {
  /** What was made of the very same bytes before. */
  readonly find: (body: Uint8Array | undefined) => T | undefined;
  /** From the second time on: what nobody says again must not live on in memory until others have pushed it out. */
  readonly keep: (body: Uint8Array | undefined, made: T) => void;
};

/** In bytes. With as many as are kept, and what is made of them, some ten megabytes at most. */
const LONGEST = 2_048;
const MOST = 2_048;
/** A power of two: places for what was said once, each for the latest that falls there. */
const NOTED = 8_192;

type Kept<T> = { readonly bytes: Uint8Array; readonly made: T };

/** What a sender says again word for word is read once; the latest are kept. Only for what depends on the bytes and on nothing else. */
export function repeatedBodies<T>(): RepeatedBodies<T> {
  const known = new LRUCache<number, Kept<T>>({ max: MOST });
  const noted = new Int32Array(NOTED);
  return {
    find: (body) => {
      if (body === undefined || body === null || body.length > LONGEST) return undefined;
      const digest = digestOf(body);
      const found = known.get(digest);
      return found !== undefined && Buffer.compare(found.bytes, body) === 0 ? found.made : undefined;
    },
    keep(body, made) {
      if (body === undefined || body === null || body.length > LONGEST) return;
      const digest = digestOf(body);
      const place = digest & (NOTED - 1);
      if (noted[place] !== digest) {
        noted[place] = digest;
        return;
      }
      known.set(digest, { bytes: new Uint8Array(body), made });
    },
  };
}

/** Of all bytes, four at a time. Others may have the same, so that what is found is compared. */
function digestOf(body: Uint8Array): number {
  let digest = body.length;
  for (let at = 0; at < body.length; at += 4) {
    const four =
      (body[at] ?? 0) |
      ((body[at + 1] ?? 0) << 8) |
      ((body[at + 2] ?? 0) << 16) |
      ((body[at + 3] ?? 0) << 24);
    digest = Math.imul(digest ^ four, 0x9e3779b1);
    digest ^= digest >>> 15;
  }
  return digest;
}
