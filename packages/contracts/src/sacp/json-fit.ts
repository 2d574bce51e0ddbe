import { endOfString } from "./answer-texts.ts";
import { ANSWER_LIMITS } from "./limits.ts";

/** Deeper than any answer may be; settling it says so in words. */
const DEEPEST_PARSED = 4 * ANSWER_LIMITS.depth;

const QUOTE = 0x22;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;
const COLON = 0x3a;

/** What a character outside of texts is: a gap, a part of a number or a word, or neither. */
const GAP = 1;
const WORD = 2;
const kinds = new Uint8Array(128);
for (const one of " \t\n\r") kinds[one.charCodeAt(0)] = GAP;
for (const one of "0123456789+-.eEtrufalsn") kinds[one.charCodeAt(0)] = WORD;

/** A megabyte of gaps is passed over several times as fast as letter by letter. */
const GAPS = /[ \t\n\r]+/y;

type Fit = {
  /** What is cut off is JSON as far as it goes. */
  readonly fit: "fits" | "no-json" | "too-many" | "cut-off";
  /** How many characters were looked at. */
  readonly looked: number;
};

/**
 * Whether JSON.parse may be asked: it takes a sixth of a second for a megabyte of open brackets, and as long a look at all
 * of a text that stops being JSON at once is taken for nothing. What passes may still be none; what does not pass is none,
 * or too much.
 */
export function fitOf(text: string): Fit {
  let commas = 0;
  let depth = 0;
  /** A value has ended, so that a comma, a colon or an end must come. */
  let ended = false;
  let wordAt = -1;
  let at = 0;
  for (; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const kind = kinds[unit] ?? 0;
    if (kind === GAP) {
      GAPS.lastIndex = at + 1;
      if (kinds[text.charCodeAt(at + 1)] === GAP && GAPS.test(text)) at = GAPS.lastIndex - 1;
      continue;
    }
    if (kind === WORD) {
      if (depth === 0 || (ended && wordAt !== at - 1)) break;
      wordAt = at;
      ended = true;
    } else if (unit === QUOTE) {
      const end = ended ? -1 : endOfString(text, at);
      if (end === -1) return ended ? { fit: "no-json", looked: at } : { fit: "cut-off", looked: text.length };
      ended = true;
      at = end - 1;
    } else if (unit === COMMA) {
      // Each stands between two values.
      commas += 1;
      if (!ended || depth === 0) break;
      if (commas >= ANSWER_LIMITS.values) return { fit: "too-many", looked: at };
      ended = false;
    } else if (unit === COLON) {
      if (!ended || depth === 0) break;
      ended = false;
    } else if (unit === OPEN_LIST || unit === OPEN_OBJECT) {
      depth += 1;
      if (ended || depth > DEEPEST_PARSED) break;
    } else if (unit === CLOSE_LIST || unit === CLOSE_OBJECT) {
      depth -= 1;
      if (depth < 0) break;
      ended = true;
    } else break;
  }
  if (at < text.length) return { fit: "no-json", looked: at };
  return { fit: depth === 0 ? "fits" : "cut-off", looked: at };
}

const BEGINS_ANSWER = /\{\s*"(?:thought|status)"\s*:/;

/** Whether another answer is begun behind the one that was found, and the text ends in it. */
export function breaksOffBehind(text: string, found: string): boolean {
  const at = text.lastIndexOf(found);
  if (at === -1) return false;
  const rest = text.slice(at + found.length);
  const begun = rest.search(BEGINS_ANSWER);
  return begun !== -1 && fitOf(rest.slice(begun)).fit === "cut-off";
}
