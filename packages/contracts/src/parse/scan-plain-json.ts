import type { Limits } from "./limits.ts";

const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const CAPITAL_E = 0x45;
const SMALL_E = 0x65;
/** What true, false, null and the escape of a code begin with. */
const T = 0x74;
const F = 0x66;
const N = 0x6e;
const U = 0x75;

/** An integer of so many digits is safe, and is printed as it stands. */
const MOST_DIGITS = 15;
/** An object of more names is looked through by `scanJson`. */
const MOST_NAMES = 32;
/** The end of a longer string is searched for, which takes as long as to look at so many letters. */
const SHORT_STRING = 48;

/** The texts are those that `scanJson` gives; undefined where it gives none. */
type Plain = { readonly texts: string[] | undefined };

/**
 * What `scanJson` gives for it, in half of the time or less, where all of the text is ASCII without spaces between, and its numbers
 * are as they are printed: what programs send. Undefined where it is anything else, or where anything might be refused.
 *
 * It does not look whether the text is JSON: what it gives of a text that JSON.parse refuses means nothing.
 */
export function scanPlainJson(
  text: string,
  bytes: Uint8Array,
  { maxDepth, maxValues }: Limits,
  listed?: string,
): Plain | undefined {
  const { length } = bytes;
  if (text.length !== length) return undefined;
  let nextEscape = findEscape(text, 0);
  const hasEscapes = nextEscape < length;
  /** By level. Objects of one list mostly have the same names: behind those of the open one stand those of the one before. */
  const names: string[][] = [];
  const counts: number[] = [];
  const texts: string[] = [];
  let depth = 0;
  let values = 0;
  let isListed = false;
  let element = -1;
  let at = 0;
  while (at < length) {
    const unit = bytes[at];
    if (unit === QUOTE) {
      const begin = at + 1;
      at = endOfPlain(text, bytes, begin);
      if (at > nextEscape) {
        at = endOfEscaped(bytes, nextEscape);
        nextEscape = findEscape(text, at);
      }
      if (at === -1) return undefined;
      at++;
      if (bytes[at] !== COLON) continue;
      const own = (names[depth] ??= []);
      const count = counts[depth] ?? 0;
      const name =
        nameBefore(own, count, text, begin, at - 1) ?? noteName(own, count, text.slice(begin, at - 1));
      if (name === undefined) return undefined;
      counts[depth] = count + 1;
      if (depth === 1) isListed = name === listed;
      at++;
    } else if (unit === COMMA) {
      values++;
      if (element !== -1 && depth === 2) {
        texts.push(text.slice(element, at));
        element = at + 1;
      }
      at++;
    } else if (unit === OPEN_OBJECT || unit === OPEN_LIST) {
      depth++;
      if (depth > maxDepth) return undefined;
      counts[depth] = 0;
      at++;
      const isEmpty = bytes[at] === CLOSE_OBJECT || bytes[at] === CLOSE_LIST;
      if (!isEmpty) values++;
      if (depth === 2 && unit === OPEN_LIST && isListed && !isEmpty) element = at;
    } else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) {
      if (element !== -1 && depth === 2) {
        texts.push(text.slice(element, at));
        element = -1;
      }
      depth--;
      at++;
    } else if (unit === MINUS || isDigit(unit)) {
      const begin = at;
      while (isDigit(bytes[at])) at++;
      if (at === begin || at - begin > MOST_DIGITS || isOfNumber(bytes[at])) {
        while (isOfNumber(bytes[at])) at++;
        if (!isAsPrinted(text.slice(begin, at))) return undefined;
      }
    } else if (unit === T || unit === N) at += 4;
    else if (unit === F) at += 5;
    else return undefined;
  }
  if (values > maxValues) return undefined;
  return { texts: hasEscapes ? undefined : texts };
}

function findEscape(text: string, from: number): number {
  const found = text.indexOf("\\", from);
  return found === -1 ? text.length : found;
}

/** Where the quote stands that ends a string without escapes; -1 where none does. */
function endOfPlain(text: string, bytes: Uint8Array, begin: number): number {
  const near = begin + SHORT_STRING;
  for (let at = begin; at < near; at++) if (bytes[at] === QUOTE) return at;
  return text.indexOf('"', near);
}

/** The same from its first escape on; -1 also for a code that may be half of a pair, or U+0000. */
function endOfEscaped(bytes: Uint8Array, firstEscape: number): number {
  for (let at = firstEscape; at < bytes.length; at++) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] !== BACKSLASH) continue;
    at++;
    if (bytes[at] === U && !isLowCode(bytes, at + 1)) return -1;
  }
  return -1;
}

/** 0001 to 00ff, where it is a code: control characters, which terminals are told colours by. */
const isLowCode = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === ZERO && bytes[at + 1] === ZERO && !(bytes[at + 2] === ZERO && bytes[at + 3] === ZERO);

/** The name that stood at this place of the object before, where it stands here too: then it is none of those before it. */
function nameBefore(
  names: readonly string[],
  count: number,
  text: string,
  begin: number,
  end: number,
): string | undefined {
  const name = names[count];
  return name !== undefined && name.length === end - begin && text.startsWith(name, begin) ? name : undefined;
}

/** Undefined where it cannot be said here whether it may stand in its object. */
function noteName(names: string[], count: number, name: string): string | undefined {
  names.length = count;
  if (count === MOST_NAMES || name === "__proto__" || name.includes("\\") || names.includes(name))
    return undefined;
  names.push(name);
  return name;
}

/** And no integer beyond those that doubles hold, each of them. */
function isAsPrinted(number: string): boolean {
  const value = Number(number);
  const isInteger = Number.isInteger(value) && !number.includes("e");
  return String(value) === number && (!isInteger || Number.isSafeInteger(value));
}

const isDigit = (unit: number | undefined): boolean => unit !== undefined && unit >= ZERO && unit <= NINE;
const isOfNumber = (unit: number | undefined): boolean =>
  isDigit(unit) ||
  unit === MINUS ||
  unit === PLUS ||
  unit === POINT ||
  unit === CAPITAL_E ||
  unit === SMALL_E;
