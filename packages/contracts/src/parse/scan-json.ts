import type { ErrorCode } from "../errors/error-codes.ts";
import { type FieldPath, formatFieldPath, quoteBriefly } from "../errors/field-path.ts";
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
const NAME = /null|true|false/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u(?<code>[0-9a-fA-F]{4}))/y;
const HIGH_SURROGATE = /^[dD][89abAB]/;
const LOW_SURROGATE = /^[dD][c-fC-F]/;
// oxlint-disable-next-line no-control-regex -- these are what JSON forbids inside a string
const CONTROL = /[\u0000-\u001f]/;

/** An open object with the names it has so far, or an open list (`names` undefined) with its position. */
type Level = { readonly names: Set<string> | undefined; name: string | undefined; index: number };

/**
 * Refuses with its path, in one pass and without recursion, what JSON.parse would refuse without one or pass over in
 * silence: text over a limit, a name twice in one object, `__proto__`, lone surrogates, U+0000 (which PostgreSQL
 * cannot hold as text) and numbers that a double changes. Control characters inside strings are left to JSON.parse,
 * unless asked for: to look at each letter costs more than the rest of the scan.
 */
export function scanJson(text: string, limits: Limits, options: { readonly controls?: boolean } = {}): void {
  const levels: Level[] = [];
  let at = 0;
  let values = 0;
  let nextBackslash = text.indexOf("\\");

  for (;;) {
    const unit = skipSpace();
    if (unit === OPEN_OBJECT) {
      openLevel(new Set());
      if (skipSpace() !== CLOSE_OBJECT) {
        readMemberName();
        continue;
      }
    } else if (unit === OPEN_LIST) {
      openLevel(undefined);
      if (skipSpace() !== CLOSE_LIST) {
        countValue();
        continue;
      }
    } else if (unit === QUOTE) readString();
    else readNumberOrName();
    if (closeLevels()) return;
  }

  /** After a value: the ends of what it was the last of, then a comma, or the end of the text (true). */
  function closeLevels(): boolean {
    for (;;) {
      const unit = skipSpace();
      const level = levels.at(-1);
      if (level === undefined) return at === text.length || refuseSyntax("the end");
      if (unit === COMMA) {
        at++;
        if (level.names !== undefined) readMemberName();
        else {
          level.index++;
          countValue();
        }
        return false;
      }
      if (unit !== (level.names === undefined ? CLOSE_LIST : CLOSE_OBJECT)) {
        refuseSyntax(level.names === undefined ? '"," or "]"' : '"," or "}"');
      }
      at++;
      levels.pop();
    }
  }

  function openLevel(names: Set<string> | undefined): void {
    if (levels.length >= limits.maxDepth) {
      refuse("limit.depth", `is nested deeper than ${limits.maxDepth} levels`, "PAYLOAD_TOO_LARGE");
    }
    levels.push({ names, name: undefined, index: 0 });
    at++;
  }

  function readMemberName(): void {
    const level = levels.at(-1);
    if (skipSpace() !== QUOTE) refuseSyntax("a name in quotes");
    const start = at;
    const escaped = readString();
    const name = escaped ? decodeString(text.slice(start, at)) : text.slice(start + 1, at - 1);
    if (level?.names === undefined) return;
    level.name = name;
    if (name === "__proto__") refuse("json.name", "is a name that is not allowed");
    // One lookup instead of two: a set that did not grow held the name already.
    if (level.names.size === level.names.add(name).size)
      refuse("json.duplicate", "stands twice in its object");
    countValue();
    if (skipSpace() !== COLON) refuseSyntax('":"');
    at++;
  }

  /** Moves behind a string; true when it holds an escape. */
  function readString(): boolean {
    const start = at++;
    let escaped = false;
    for (;;) {
      const quote = text.indexOf('"', at);
      if (nextBackslash !== -1 && nextBackslash < at) nextBackslash = text.indexOf("\\", at);
      if (nextBackslash !== -1 && (quote === -1 || nextBackslash < quote)) {
        at = nextBackslash;
        readEscape();
        escaped = true;
        continue;
      }
      if (quote === -1) {
        at = text.length;
        refuseSyntax("the end of a string");
      }
      at = quote + 1;
      if (options.controls && CONTROL.test(text.slice(start, at))) refuseControl();
      return escaped;
    }
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

  function readNumberOrName(): void {
    NAME.lastIndex = at;
    if (NAME.test(text)) {
      at = NAME.lastIndex;
      return;
    }
    NUMBER.lastIndex = at;
    const match = NUMBER.exec(text);
    if (match === null) return refuseSyntax("a value");
    at = NUMBER.lastIndex;
    const [literal] = match;
    const isInteger = match.groups?.fraction === undefined && match.groups?.exponent === undefined;
    if (isInteger && literal.length > 15 && !Number.isSafeInteger(Number(literal))) {
      refuse(
        "number.precision",
        "is an integer beyond 2^53 - 1, which would be rounded; send it as a string",
      );
    }
    if (!isInteger && !Number.isFinite(Number(literal))) refuse("number.range", "is a number beyond 1.8e308");
  }

  function skipSpace(): number {
    let unit = text.charCodeAt(at);
    while (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09) unit = text.charCodeAt(++at);
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
    const path: FieldPath = levels.flatMap(({ names, name, index }) =>
      names === undefined ? index : (name ?? []),
    );
    const field = formatFieldPath(path);
    throw new SignalboxError(code, `${field === "" ? "The body" : field} ${message}`, {
      violations: [{ field, rule, message }],
    });
  }
}
