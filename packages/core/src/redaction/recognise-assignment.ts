import {
  ANY_BASE64,
  BASE64URL,
  BLANK,
  type CharacterClass,
  EQUALS,
  HEADER_END,
  isIn,
  LINE_END,
  LOWER,
  QUOTE,
  UNDERSCORE,
  UPPER,
  UPPER_ALNUM,
  VALUE_END,
} from "./character-class.ts";
import { beforeMarker, isMarkersOnly, withoutMarkers } from "./marker.ts";
import { isPlaceholder, isReference, namesNoSecret, namesPublicValue, opensCode } from "./plain-words.ts";
import { isIdentifierLike, isMadeOfNames, isUnlikeProse, looksRandom } from "./randomness.ts";
import type { Recogniser, Site, Verdict } from "./recognition.ts";
import { runEnd } from "./recognise-token.ts";
import type { Swallow } from "./swallow.ts";

const MOST_BLANKS = 8;
const LONGEST_PEEK = 64;
const BACKSLASH = 92;

type Opening = {
  readonly separator: "=" | ":" | "blank";
  readonly valueStart: number;
  readonly quoted: boolean;
  readonly rest: Swallow;
};

/** Between a name and its value: what closes the name, a separator, what opens the value. */
function readOpening(site: Site, allowBlank: boolean): Opening | undefined | "more" {
  const { text, anchorEnd, final } = site;
  const closers = nameCloserEnd(text, anchorEnd);
  let at = runEnd(text, closers, BLANK, closers + MOST_BLANKS);
  if (at >= text.length) return final ? undefined : "more";
  let separator: Opening["separator"] = "blank";
  const sign = text.charAt(at);
  if (sign === "=" || sign === ":") {
    separator = sign;
    at++;
    if (sign === ":" && text.charAt(at) === ":") return undefined; // a path such as Token::new
    while (at < text.length && at - closers < MOST_BLANKS + 4 && "=>".includes(text.charAt(at))) at++;
    at = runEnd(text, at, BLANK, at + MOST_BLANKS);
  } else if (!allowBlank || at === closers || closers > anchorEnd) return undefined;
  if (at >= text.length || (at === text.length - 1 && text.charCodeAt(at) === BACKSLASH && !final))
    return final ? undefined : "more";
  return { separator, ...readQuote(text, at) };
}

function nameCloserEnd(text: string, start: number): number {
  let at = start;
  while (at < start + 4 && (isIn(text.charCodeAt(at), QUOTE) || "])\\".includes(text.charAt(at) || " ")))
    at++;
  return at;
}

function readQuote(text: string, at: number): Omit<Opening, "separator"> {
  const code = text.charCodeAt(at);
  if (isIn(code, QUOTE)) return { valueStart: at + 1, quoted: true, rest: { kind: "quoted", quote: code } };
  const next = text.charCodeAt(at + 1);
  if (code === BACKSLASH && isIn(next, QUOTE))
    return { valueStart: at + 2, quoted: true, rest: { kind: "escaped", quote: next } };
  return { valueStart: at, quoted: false, rest: { kind: "until", end: VALUE_END } };
}

type Peek = {
  readonly value: string;
  /** Whether the value ended, goes on beyond what is read, or is all that there is of the text. */
  readonly end: "seen" | "beyond" | "open";
};

function peekValue(text: string, { valueStart, rest }: Pick<Opening, "valueStart" | "rest">): Peek {
  const quote = rest.kind === "quoted" || rest.kind === "escaped" ? rest.quote : -1;
  const end: CharacterClass = quote === -1 ? VALUE_END : LINE_END;
  const limit = valueStart + LONGEST_PEEK;
  let at = valueStart;
  while (
    at < Math.min(text.length, limit) &&
    text.charCodeAt(at) !== quote &&
    !isIn(text.charCodeAt(at), end)
  )
    at++;
  const value = text.slice(valueStart, at);
  if (at === limit) return { value, end: "beyond" };
  const escaped = rest.kind === "escaped" && value.endsWith("\\");
  return { value: escaped ? value.slice(0, -1) : value, end: at < text.length ? "seen" : "open" };
}

/** `--password value`: only a flag's name is followed by its value with nothing but a blank between. */
function isFlag(site: Site): boolean {
  let at = site.anchorStart;
  while (at > site.floor && site.anchorStart - at < 40 && isIn(site.text.charCodeAt(at - 1), BASE64URL)) at--;
  return site.text.startsWith("--", at) && site.anchorStart >= at + 2;
}

function wordsBefore(site: Site): string {
  let at = site.anchorStart;
  while (at > site.floor && site.anchorStart - at < 60 && isIn(site.text.charCodeAt(at - 1), BASE64URL)) at--;
  return site.text.slice(at, site.anchorStart);
}

export const recogniseAssignment: Recogniser<"assignment"> = (shape, site) => {
  const next = site.text.charCodeAt(site.anchorEnd);
  if (isIn(next, LOWER | UPPER_ALNUM | UNDERSCORE)) return undefined; // the name goes on: tokens, secretary, key_id
  const opening = readOpening(site, shape.strength === "credential" && isFlag(site));
  if (opening === undefined || opening === "more") return opening;
  const { text, final } = site;
  const { valueStart, quoted, rest } = opening;
  if (site.inValue && !quoted && !hasAny(text, site.anchorEnd, valueStart, VALUE_END)) return undefined;
  const { value, end } = peekValue(text, opening);
  if (end === "open" && !final) return "more";
  if (value === "" || (end !== "beyond" && (isPlaceholder(value) || isMarkersOnly(value)))) return undefined;
  const found: Verdict = { from: valueStart, certainTo: valueStart, rest };
  if (shape.strength === "random") return isRandomSecret(site, value) ? found : undefined;
  if (quoted || opening.separator === "blank") return found;
  return isPlainValue(opening, site, withoutMarkers(value), value.length) ? found : undefined;
};

/** Whether an unquoted value is one, and no prose behind a colon, no code behind an equals sign. */
function isPlainValue(
  { separator, valueStart }: Opening,
  { text }: Site,
  value: string,
  length: number,
): boolean {
  if (isReference(value)) return false;
  const isTight = !isIn(text.charCodeAt(valueStart - 1), BLANK);
  if (isTight) return true;
  const isStatement = text.charAt(valueStart + length) === ";";
  if (separator === "=" && !isStatement) return !opensCode(value);
  return isUnlikeProse(value) && !opensCode(value);
}

const PATH_OR_OPTION = /^(?:\.{0,2}\/[a-z]{3,40}\/|--[a-z]{2})/;

/** `/opt/tools`, `./bin`, `--max-old-space-size`; not a generated value that happens to begin like one. */
const isPathOrOption = (value: string): boolean => PATH_OR_OPTION.test(value) && isMadeOfNames(value);

/** `key`, `auth`, `pass` name many things that are no secret: only a value that looks generated counts. */
function isRandomSecret(site: Site, value: string): boolean {
  const whole = beforeMarker(value);
  // What stands before a reference may itself be generated: `key=…${SUFFIX}`.
  const plain = whole.split("${", 1)[0] ?? whole;
  if (!looksRandom(plain, 16, 3) || isPathOrOption(plain) || isReference(whole)) return false;
  const before = wordsBefore(site);
  if (namesNoSecret(before)) return false;
  const allCaps = before !== "" && !/[a-z]/.test(before);
  return !isIdentifierLike(value) || (allCaps && !value.includes("-"));
}

/** Without padding, so that an assignment inside the value ends it. */
const GENERATED = ANY_BASE64 & ~EQUALS;
const SHORTEST_RANDOM_VALUE = 20;
const RANDOM_BITS = 3.6;

export const recogniseRandomVariable: Recogniser<"random-variable"> = (_shape, site) => {
  const { text, anchorStart, anchorEnd, floor, final } = site;
  let nameStart = anchorStart;
  while (
    nameStart > floor &&
    anchorStart - nameStart < 60 &&
    isIn(text.charCodeAt(nameStart - 1), UPPER_ALNUM | UNDERSCORE)
  )
    nameStart--;
  const name = text.slice(nameStart, anchorStart);
  if (name.length < 2 || !isIn(name.charCodeAt(0), UPPER) || namesPublicValue(name)) return undefined;
  const valueStart = anchorEnd + (isIn(text.charCodeAt(anchorEnd), QUOTE) ? 1 : 0);
  const end = runEnd(text, valueStart, GENERATED, valueStart + LONGEST_PEEK);
  if (end === text.length && end < valueStart + LONGEST_PEEK && !final) return "more";
  const value = text.slice(valueStart, end);
  if (isPathOrOption(value) || isIdentifierLike(value)) return undefined;
  if (!looksRandom(value, SHORTEST_RANDOM_VALUE, RANDOM_BITS)) return undefined;
  return { from: valueStart, certainTo: valueStart, rest: { kind: "run", of: ANY_BASE64 } };
};

const SCHEME = /^(?:bearer|basic|token|digest|apikey|negotiate|hmac|aws4-hmac-sha256|key) +/i;
const LONGEST_SCHEME = 32;

export const recogniseAuthorization: Recogniser<"authorization"> = (_shape, site) => {
  const opening = readOpening(site, false);
  if (opening === undefined || opening === "more") return opening;
  const { text, final } = site;
  const { valueStart } = opening;
  const head = text.slice(valueStart, valueStart + LONGEST_SCHEME);
  if (!final && valueStart + LONGEST_SCHEME > text.length && !hasAny(head, 0, head.length, LINE_END))
    return "more";
  const scheme = SCHEME.exec(head)?.[0].length ?? 0;
  const from = valueStart + scheme;
  const { value, end } = peekValue(text, { valueStart: from, rest: { kind: "until", end: VALUE_END } });
  if (end === "open" && !final) return "more";
  if (end !== "beyond" && (isPlaceholder(value) || isMarkersOnly(value))) return undefined;
  if (!isUnlikeProse(withoutMarkers(value))) return undefined;
  return { from, certainTo: from, rest: { kind: "until", end: scheme > 0 ? HEADER_END : VALUE_END } };
};

function hasAny(text: string, start: number, end: number, set: CharacterClass): boolean {
  for (let at = start; at < end; at++) if (isIn(text.charCodeAt(at), set)) return true;
  return false;
}
