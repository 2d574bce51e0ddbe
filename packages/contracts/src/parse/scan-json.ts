import type { ErrorCode } from "../errors/error-codes.ts";
import { formatFieldPath, quoteBriefly } from "../errors/field-path.ts";
import { SignalboxError } from "../errors/signalbox-error.ts";
import type { Limits } from "./limits.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const NUMBER = /-?(?:0|[1-9][0-9]*)(?<fraction>\.[0-9]+)?(?<exponent>[eE][+-]?[0-9]+)?/y;
/** Digits of which every number is a safe integer. */
const SAFE_DIGITS = 15;
const ESCAPE = /\\(?:["\\/bfnrt]|u(?<code>[0-9a-fA-F]{4}))/y;
const HIGH_SURROGATE = /^[dD][89abAB]/;
const LOW_SURROGATE = /^[dD][c-fC-F]/;
// oxlint-disable-next-line no-control-regex -- these are what JSON forbids inside a string
const CONTROL = /[\u0000-\u001f]/;

/** Beyond this many names a set is faster than a look at each. */
const FEW_NAMES = 16;

type ScanOptions = { readonly controls?: boolean; readonly listed?: string };

/** An open object with its names so far, or an open list with its position. Reused: `count` says how much holds. */
type Level = {
  isObject: boolean;
  count: number;
  readonly names: string[];
  manyNames: Set<string> | undefined;
};

/**
 * Refuses with its path, in one pass and without recursion, what JSON.parse would refuse without one or pass over in
 * silence: text over a limit, a name twice in one object, `__proto__`, lone surrogates, U+0000 (which PostgreSQL
 * cannot hold as text) and numbers that a double changes. Control characters inside strings are left to JSON.parse,
 * unless asked for: to look at each letter costs more than the rest of the scan.
 *
 * Gives the texts of what is in the list that the outermost object's member `listed` is, where nothing in all of the text would
 * be printed otherwise: no space between, no escape, no number in another form.
 */
export function scanJson(text: string, limits: Limits, options: ScanOptions = {}): string[] | undefined {
  const levels: Level[] = [];
  let depth = 0;
  let at = 0;
  let values = 0;
  // Where the next of each stands, looked up again only once passed: a search an escape would be quadratic.
  let nextBackslash = text.indexOf("\\");
  let nextQuote = text.indexOf('"');
  let isAsPrinted = nextBackslash === -1;
  let isListed = false;
  const begins: number[] = [];
  const ends: number[] = [];

  for (;;) {
    const unit = skipSpace();
    if (unit === OPEN_OBJECT) {
      const level = openLevel(true);
      if (skipSpace() !== CLOSE_OBJECT) {
        readMemberName(level);
        continue;
      }
    } else if (unit === OPEN_LIST) {
      const level = openLevel(false);
      if (skipSpace() !== CLOSE_LIST) {
        countElement(level);
        continue;
      }
    } else if (unit === QUOTE) readString();
    else readNumberOrWord(unit);
    if (closeLevels())
      return isAsPrinted ? begins.map((begin, place) => text.slice(begin, ends[place])) : undefined;
  }

  /** After a value: the ends of what it was the last of, then a comma, or the end of the text (true). */
  function closeLevels(): boolean {
    for (;;) {
      const unit = skipSpace();
      const level = levels[depth - 1];
      if (isListed && depth === 2 && level?.isObject === false && ends.length < begins.length) ends.push(at);
      if (level === undefined) return at === text.length || refuseSyntax("the end");
      if (unit === COMMA) {
        at++;
        if (level.isObject) readMemberName(level);
        else countElement(level);
        return false;
      }
      if (unit !== (level.isObject ? CLOSE_OBJECT : CLOSE_LIST)) {
        refuseSyntax(level.isObject ? '"," or "}"' : '"," or "]"');
      }
      at++;
      depth--;
    }
  }

  function openLevel(isObject: boolean): Level {
    if (depth >= limits.maxDepth) {
      refuse("limit.depth", `is nested deeper than ${limits.maxDepth} levels`, "PAYLOAD_TOO_LARGE");
    }
    const level = (levels[depth] ??= { isObject, count: 0, names: [], manyNames: undefined });
    level.isObject = isObject;
    level.count = 0;
    level.manyNames = undefined;
    depth++;
    at++;
    return level;
  }

  function readMemberName(level: Level): void {
    if (skipSpace() !== QUOTE) refuseSyntax("a name in quotes");
    const start = at;
    const escaped = readString();
    const name = escaped ? decodeString(text.slice(start, at)) : text.slice(start + 1, at - 1);
    const twice = isNamed(level, name);
    level.names[level.count++] = name;
    level.manyNames?.add(name);
    if (twice) refuse("json.duplicate", "stands twice in its object");
    if (depth === 1) isListed = name === options.listed;
    if (name === "__proto__") refuse("json.name", "is a name that is not allowed");
    countValue();
    if (skipSpace() !== COLON) refuseSyntax('":"');
    at++;
  }

  function isNamed(level: Level, name: string): boolean {
    const { count, names } = level;
    if (count > FEW_NAMES) return (level.manyNames ??= new Set(names.slice(0, count))).has(name);
    for (let index = 0; index < count; index++) if (names[index] === name) return true;
    return false;
  }

  function countElement(level: Level): void {
    if (isListed && depth === 2) begins.push(at);
    level.count++;
    countValue();
  }

  /** Moves behind a string; true when it holds an escape. */
  function readString(): boolean {
    const start = at++;
    let escaped = false;
    for (;;) {
      if (nextQuote !== -1 && nextQuote < at) nextQuote = text.indexOf('"', at);
      if (nextBackslash !== -1 && nextBackslash < at) nextBackslash = text.indexOf("\\", at);
      if (nextBackslash === -1 || (nextQuote !== -1 && nextQuote < nextBackslash)) break;
      at = nextBackslash;
      readEscape();
      escaped = true;
    }
    if (nextQuote === -1) {
      at = text.length;
      refuseSyntax("the end of a string");
    }
    at = nextQuote + 1;
    if (options.controls && CONTROL.test(text.slice(start, at))) refuseControl();
    return escaped;
  }

  function readEscape(): void {
    const code = readEscapeCode();
    if (code === "0000") refuse("text.nul", "holds U+0000, which cannot be stored; leave it out");
    if (code === undefined) return;
    const high = HIGH_SURROGATE.test(code);
    if (!high && !LOW_SURROGATE.test(code)) return;
    const paired = high && text.startsWith("\\u", at) && LOW_SURROGATE.test(readEscapeCode() ?? "");
    if (!paired) refuse("text.unicode", "holds a lone surrogate, which is not Unicode text");
  }

  /** The four digits of a \u escape; undefined for the short escapes. */
  function readEscapeCode(): string | undefined {
    ESCAPE.lastIndex = at;
    const match = ESCAPE.exec(text);
    if (match === null) return refuseSyntax("an escape such as \\n or \\u0041");
    at = ESCAPE.lastIndex;
    return match.groups?.code;
  }

  function readNumberOrWord(unit: number): void {
    if (unit === 0x74) readWord("true");
    else if (unit === 0x66) readWord("false");
    else if (unit === 0x6e) readWord("null");
    else if (!readShortInteger()) readNumber();
  }

  function readWord(word: string): void {
    if (!text.startsWith(word, at)) refuseSyntax("a value");
    at += word.length;
  }

  /** Most numbers are short integers, and no expression is needed to see that they are. */
  function readShortInteger(): boolean {
    let end = at;
    let unit = text.charCodeAt(end);
    while (unit >= 0x30 && unit <= 0x39) unit = text.charCodeAt(++end);
    const digits = end - at;
    const goesOn = unit === 0x2e || unit === 0x45 || unit === 0x65;
    const zeroInFront = digits > 1 && text.charCodeAt(at) === 0x30;
    if (digits === 0 || digits > SAFE_DIGITS || goesOn || zeroInFront) return false;
    at = end;
    return true;
  }

  function readNumber(): void {
    NUMBER.lastIndex = at;
    const match = NUMBER.exec(text);
    if (match === null) return refuseSyntax("a value");
    at = NUMBER.lastIndex;
    const value = Number(match[0]);
    isAsPrinted &&= String(value) === match[0];
    const isInteger = match.groups?.fraction === undefined && match.groups?.exponent === undefined;
    if (!Number.isFinite(value) && !isInteger) refuse("number.range", "is a number beyond 1.8e308");
    if (isInteger && !Number.isSafeInteger(value)) {
      refuse(
        "number.precision",
        "is an integer beyond 2^53 - 1, which would be rounded; send it as a string",
      );
    }
  }

  function skipSpace(): number {
    let unit = text.charCodeAt(at);
    while (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09) {
      isAsPrinted = false;
      unit = text.charCodeAt(++at);
    }
    return unit;
  }

  function countValue(): void {
    if (++values <= limits.maxValues) return;
    refuse("limit.values", `is one value more than the ${limits.maxValues} allowed`, "PAYLOAD_TOO_LARGE");
  }

  function decodeString(literal: string): string {
    if (CONTROL.test(literal)) refuseControl();
    return String(JSON.parse(literal));
  }

  function refuseControl(): never {
    return refuse("json.syntax", "holds a control character; write it as an escape such as \\n");
  }

  function refuseSyntax(wanted: string): never {
    const found =
      at < text.length ? quoteBriefly(String.fromCodePoint(text.codePointAt(at) ?? 0)) : "the end";
    return refuse("json.syntax", `has ${found} at offset ${at} where ${wanted} is expected`);
  }

  function refuse(rule: string, message: string, code: ErrorCode = "MALFORMED_BODY"): never {
    // An object without a name so far is no step; a list's position is one less than what was counted.
    const path = levels
      .slice(0, depth)
      .flatMap<string | number>(({ isObject, count, names }) =>
        isObject ? names.slice(0, count).slice(-1) : count - 1,
      );
    const field = formatFieldPath(path);
    throw new SignalboxError(code, `${field === "" ? "The body" : field} ${message}`, {
      violations: [{ field, rule, message }],
    });
  }
}
