/**
 * Where an anchor may begin, told by one table look-up a character. The table is keyed by the low five bits of
 * three characters, which no letter's case changes; a hit names the few anchors that are then compared. It was
 * measured against an Aho-Corasick automaton, which costs twice as much a character because each step waits for the
 * one before, and against one regular expression of all anchors, which costs four times as much.
 */
export type AnchorIndex = {
  /** Bucket by the bits of three characters; 0 is none. */
  readonly bucketOf: Uint8Array;
  /** Positions of anchors in the list given, by bucket. */
  readonly buckets: readonly (readonly number[])[];
  /** All proper beginnings of anchors, in lower case: what a text that goes on may end with. */
  readonly beginnings: ReadonlySet<string>;
  /** Whether some anchor begins with two characters, by their bits: rules most positions out before `beginnings` is asked. */
  readonly pairs: Uint8Array;
  /** By its code, whether a letter ends some beginning: a line's end does not, so that nearly no line is looked through. */
  readonly endings: Uint8Array;
  readonly longest: number;
};

const BITS = 5;
const LOW = (1 << BITS) - 1;
export const WINDOW = 3;
const ASCII = 128;
const WINDOW_MASK = (1 << (BITS * WINDOW)) - 1;

/** The window's bits once `code` has joined it. */
export const slide = (window: number, code: number): number =>
  ((window << BITS) | (code & LOW)) & WINDOW_MASK;

export function indexAnchors(anchors: readonly string[]): AnchorIndex {
  const anchorsOf = new Map<number, number[]>();
  for (const [position, anchor] of anchors.entries())
    for (const window of windowsOf(anchor)) {
      const known = anchorsOf.get(window);
      if (known === undefined) anchorsOf.set(window, [position]);
      else known.push(position);
    }
  const bucketOf = new Uint8Array(WINDOW_MASK + 1);
  const buckets: (readonly number[])[] = [[]];
  const bucketByContent = new Map<string, number>();
  for (const [window, positions] of anchorsOf) {
    const content = positions.join(",");
    const bucket = bucketByContent.get(content) ?? buckets.push(positions) - 1;
    bucketByContent.set(content, bucket);
    bucketOf[window] = bucket;
  }
  if (buckets.length > 256) throw new RangeError("too many different beginnings of anchors for one byte");
  const folded = anchors.map((anchor) => anchor.toLowerCase());
  const beginnings = new Set(
    folded.flatMap((anchor) =>
      Array.from({ length: anchor.length - 1 }, (_, end) => anchor.slice(0, end + 1)),
    ),
  );
  return {
    bucketOf,
    buckets,
    beginnings,
    pairs: pairsOf(folded),
    endings: endingsOf(beginnings),
    longest: Math.max(...folded.map((anchor) => anchor.length)),
  };
}

const pairOf = (first: number, second: number): number => ((first & LOW) << BITS) | (second & LOW);

function pairsOf(anchors: readonly string[]): Uint8Array {
  const pairs = new Uint8Array(1 << (2 * BITS));
  for (const anchor of anchors)
    if (anchor.length > 1) pairs[pairOf(anchor.charCodeAt(0), anchor.charCodeAt(1))] = 1;
  return pairs;
}

function endingsOf(beginnings: ReadonlySet<string>): Uint8Array {
  const endings = new Uint8Array(ASCII);
  for (const beginning of beginnings)
    for (const letter of [beginning.slice(-1), beginning.slice(-1).toUpperCase()])
      endings[letter.charCodeAt(0)] = 1;
  return endings;
}

/** The windows in which an anchor begins: one, or many where it is shorter than a window. */
function windowsOf(anchor: string): number[] {
  if (anchor === "" || !/^[ -~]+$/.test(anchor))
    throw new RangeError(`an anchor is printable ASCII, not "${anchor}"`);
  let windows = [0];
  for (let index = 0; index < WINDOW; index++) {
    const codes =
      index < anchor.length ? [anchor.charCodeAt(index)] : Array.from({ length: LOW + 1 }, (_, low) => low);
    windows = windows.flatMap((window) => codes.map((code) => slide(window, code)));
  }
  return windows;
}

/** Whether `anchor`, given in lower case, stands at `start` in either case. */
export function standsAt(text: string, start: number, anchor: string): boolean {
  for (let index = 0; index < anchor.length; index++) {
    const code = text.charCodeAt(start + index);
    const folded = code >= 65 && code <= 90 ? code + 32 : code;
    if (folded !== anchor.charCodeAt(index)) return false;
  }
  return true;
}

/** The first position from `start` on at which the text may end within an anchor; its end where there is none. */
export function firstBegun(index: AnchorIndex, text: string, start: number): number {
  if (index.endings[text.charCodeAt(text.length - 1)] !== 1) return text.length;
  for (let from = Math.max(start, text.length - index.longest + 1); from < text.length; from++) {
    const isLast = from === text.length - 1;
    if (!isLast && index.pairs[pairOf(text.charCodeAt(from), text.charCodeAt(from + 1))] === 0) continue;
    if (index.beginnings.has(text.slice(from).toLowerCase())) return from;
  }
  return text.length;
}
