export type RepeatedBodies<T> = {
  /** What was made of the very same bytes before. */
  readonly find: (body: Uint8Array | undefined) => T | undefined;
  readonly keep: (body: Uint8Array | undefined, made: T) => void;
};

/** In bytes. With as many as are kept, and what is made of them, some ten megabytes at most. */
const LONGEST = 2_048;
const MOST = 2_048;

/** A character for each byte, whatever they are: other bytes are another text. */
const textOf = (body: Uint8Array): string =>
  Buffer.from(body.buffer, body.byteOffset, body.length).toString("latin1");

/** What a sender says again word for word is read once; the latest are kept. Only for what depends on the bytes and on nothing else. */
export function repeatedBodies<T>(): RepeatedBodies<T> {
  const known = new Map<string, T>();
  return {
    find: (body) => {
      if (body === undefined || body === null || body.length > LONGEST) return undefined;
      const text = textOf(body);
      const found = known.get(text);
      if (found !== undefined) {
        known.delete(text);
        known.set(text, found);
      }
      return found;
    },
    keep(body, made) {
      if (body === undefined || body === null || body.length > LONGEST) return;
      known.set(textOf(body), made);
      const [oldest] = known.keys();
      if (known.size > MOST && oldest !== undefined) known.delete(oldest);
    },
  };
}
