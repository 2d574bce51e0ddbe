import { ALNUM, DIGIT, HEX, isIn, LOWER, UPPER } from "./character-class.ts";

const counts = new Uint8Array(128);

/** Bits of information per character (Shannon), over at most 128 ASCII characters of `text`. */
function entropyOf(text: string): number {
  const length = Math.min(text.length, 128);
  counts.fill(0);
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index) & 127;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  let sum = 0;
  for (const count of counts) if (count > 0) sum += count * Math.log2(count);
  return length === 0 ? 0 : Math.log2(length) - sum / length;
}

/**
 * Has a digit and a letter, or changes case again and again, as generated text does and words do not. Capitals in a row are
 * such a change too where small letters come between them.
 */
export function isMixed(text: string): boolean {
  let digit = false;
  let letter = false;
  let rises = 0;
  let pairs = 0;
  let wasLower = false;
  let wasUpper = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isIn(code, DIGIT)) digit = true;
    else if (isIn(code, ALNUM)) letter = true;
    const isUpper = isIn(code, UPPER);
    if (isUpper && wasLower) rises++;
    if (isUpper && wasUpper) pairs++;
    wasLower = isIn(code, LOWER);
    wasUpper = isUpper;
    if ((digit && letter) || rises >= MANY_RISES || (rises >= SOME_RISES && rises + pairs >= MANY_CHANGES))
      return true;
  }
  return false;
}

const MANY_RISES = 4;
const SOME_RISES = 2;
const MANY_CHANGES = 7;

/** Digests, commit ids and UUIDs: random to look at, public, and what the product's own records are full of. */
export function isIdentifierLike(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (!isIn(code, HEX) && code !== 45) return false;
  }
  return true;
}

/** Of characters side by side few differ in kind (small, capital, digit); of generated ones most do. */
export function isMadeOfNames(text: string): boolean {
  let changes = 0;
  for (let index = 1; index < text.length; index++) {
    const [before, kind] = [kindOf(text.charCodeAt(index - 1)), kindOf(text.charCodeAt(index))];
    if (before !== 0 && kind !== 0 && before !== kind) changes++;
  }
  return changes * 5 < text.length;
}

const kindOf = (code: number): number => [LOWER, UPPER, DIGIT].find((kind) => isIn(code, kind)) ?? 0;

/** Looks generated: long enough, with a digit and a letter, and with nearly as many different characters as it could have. */
export function looksRandom(text: string, shortest: number, bits: number): boolean {
  return text.length >= shortest && isMixed(text) && entropyOf(text) >= bits;
}

/** Not what follows a colon in prose or in a compiler's message: mixed, or too long, or with signs inside. */
export function isUnlikeProse(text: string): boolean {
  let digits = 0;
  let lower = 0;
  let upper = 0;
  let signs = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isIn(code, DIGIT)) digits++;
    else if (isIn(code, LOWER)) lower++;
    else if (isIn(code, UPPER)) upper += index === 0 ? 0 : 1;
    else if (!PROSE_MARKS.includes(text.charAt(index))) signs++;
  }
  const letters = lower + upper;
  return (
    text.length >= 24 ||
    digits >= 6 ||
    (digits > 0 && letters > 1) ||
    (upper > 0 && lower > 0) ||
    (signs > 0 && letters + digits >= 4)
  );
}

const PROSE_MARKS = ".,:!?'()…-";
