import { ANSWER_LIMITS } from "./limits.ts";
import { isMember } from "./repeated-member.ts";

/** JSON that is none: what stands for "there is no value here", which `null` is not. */
const nothing = Symbol("nothing");

const closing: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "“": "”",
  "‘": "’",
  "”": "”",
  "’": "’",
};
const escapes: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
const words: Readonly<Record<string, unknown>> = {
  true: true,
  True: true,
  TRUE: true,
  false: false,
  False: false,
  FALSE: false,
  null: null,
  None: null,
  NULL: null,
  undefined: null,
  NaN: null,
};
const SPACE = /[\s\u00a0\ufeff]*/y;
/** No two parts that can share the same digits: a megabyte of them was looked at a billion times over. */
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?=[\s,\]}:/]|$)/y;
const PLAIN = /[^"'`“”‘’\\]*/y;
const COMMENT = /\s\/\//;
const BARE = /[^,{}[\]\n\r]*/y;
const NAME = /[\p{L}_$][\p{L}\p{N}_$.-]{0,199}/uy;
/** How far a quote is looked for: a name is no longer, and a search to the end a quote would be quadratic. */
const LONGEST_LOOK = 200;
const HEX = /[0-9a-fA-F]{4}/y;

/** A typographic quote is often closed by a plain one. */
const isClose = (mark: string, open: string, close: string): boolean =>
  mark === close || (open === "“" && mark === '"') || (open === "‘" && mark === "'");

/** What repairing one output may cost, over all that is tried, and the member of an answer that it met twice. */
export type Repair = { steps: number; repeated: string | null };

/**
 * The object that a text means which begins with its brace, as models write JSON that is not quite JSON: quotes of
 * every kind or none, quotes and line ends inside texts, commas and colons that are missing or too many, comments, Python's
 * words, closing brackets left out. Undefined for one that breaks off inside a value: half of an answer is none. Where the
 * text ends, only the outermost brace may be missing, behind a value that says itself where it ends: a number could go on.
 *
 * One pass, in which no character is looked at more than a few times: measured beside it, jsonrepair takes quadratic
 * time on hostile text and overflows the stack (ADR 0028).
 */
export function readTolerant(
  text: string,
  repair: Repair,
  /** Which quote ends a text: the first that is not escaped, or the likeliest. */
  ending: "first" | "likeliest" = "likeliest",
): Record<string, unknown> | undefined {
  let at = 0;
  let broken = false;

  /** Whatever a hostile text makes the reader do again and again takes a step each time. */
  const step = (): void => {
    repair.steps -= 1;
    if (repair.steps < 0) broken = true;
  };

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  const after = (from: number): number => {
    SPACE.lastIndex = from;
    SPACE.exec(text);
    return SPACE.lastIndex;
  };

  function skip(): void {
    for (;;) {
      step();
      if (broken) return;
      at = after(at);
      if (text.startsWith("//", at)) at = endOf("\n");
      else if (text.startsWith("/*", at)) at = endOf("*/");
      else if (text.startsWith("...", at)) at += 3;
      else return;
    }
  }

  function endOf(mark: string): number {
    const end = text.indexOf(mark, at + 2);
    return end === -1 ? text.length : end + mark.length;
  }

  function value(depth: number): unknown {
    step();
    const first = text[at];
    if (first === undefined || depth > ANSWER_LIMITS.depth) {
      broken = true;
      return nothing;
    }
    if (first === "{") return object(depth);
    if (first === "[") return list(depth);
    if (first in closing) return joined();
    const number = match(NUMBER);
    if (number !== undefined) {
      at += number.length;
      if (at >= text.length) broken = true;
      return Number(number);
    }
    return bare();
  }

  function object(depth: number): Record<string, unknown> {
    const members: [string, unknown][] = [];
    let promised = false;
    at += 1;
    while (!broken) {
      skip();
      const next = text[at];
      if (next === undefined) {
        broken = depth > 1 || promised;
        break;
      }
      // A comma too many, or the brace twice.
      if (next === "," || (next === "{" && members.length === 0)) {
        promised = true;
        at += 1;
        continue;
      }
      if (next === "}") {
        at += 1;
        break;
      }
      if (next === "]") break;
      const key = name();
      if (key === undefined) {
        broken = true;
        break;
      }
      skip();
      if (text[at] === ":" || text[at] === "=") at += text[at + 1] === ">" ? 2 : 1;
      skip();
      const read = text[at] === "," || text[at] === "}" ? null : value(depth + 1);
      if (depth === 1 && isMember(key) && members.some(([known]) => known === key)) {
        repair.repeated = key;
        broken = true;
      }
      if (read !== nothing) members.push([key, read]);
      promised = false;
    }
    // Made from entries, so that a key such as `__proto__` is a key like others.
    return Object.fromEntries(members);
  }

  function list(depth: number): unknown[] {
    const items: unknown[] = [];
    at += 1;
    while (!broken) {
      skip();
      const next = text[at];
      if (next === undefined) {
        broken = true;
        break;
      }
      if (next === ",") {
        at += 1;
        continue;
      }
      if (next === "]") {
        at += 1;
        break;
      }
      if (next === "}") break;
      if (next === ":") {
        broken = true;
        break;
      }
      const read = value(depth + 1);
      if (read !== nothing) items.push(read);
    }
    return items;
  }

  function name(): string | undefined {
    const first = text[at] ?? "";
    if (first in closing) return quoted(true);
    const found = match(NAME) ?? match(NUMBER);
    if (found === undefined) return undefined;
    at += found.length;
    return found;
  }

  /** "one" + "two" */
  function joined(): string {
    const parts = [quoted(false)];
    while (!broken) {
      const plus = after(at);
      const next = after(plus + 1);
      if (text[plus] !== "+" || !((text[next] ?? "") in closing)) return parts.join("");
      at = next;
      parts.push(quoted(false));
    }
    return "";
  }

  function quoted(isName: boolean): string {
    const open = text[at] ?? "";
    const close = closing[open] ?? open;
    const parts: string[] = [];
    at += 1;
    while (!broken) {
      step();
      const plain = match(PLAIN) ?? "";
      parts.push(plain);
      at += plain.length;
      const mark = text[at];
      if (mark === undefined) {
        broken = true;
        return "";
      }
      if (mark === "\\") parts.push(escaped());
      else if (isClose(mark, open, close) && endsHere(close, isName)) {
        at += 1;
        return parts.join("");
      } else {
        parts.push(mark);
        at += 1;
      }
    }
    return "";
  }

  /** Whether the quote at hand ends its text, or is one that should have been escaped. */
  function endsHere(close: string, isName: boolean): boolean {
    if (ending === "first") return true;
    const next = after(at + 1);
    const follows = text[next];
    if (follows === undefined || follows === "}" || follows === "]") return true;
    if (isName) return ":={[".includes(follows) || follows in closing;
    if (follows === ",") return beginsMember(after(next + 1));
    if (follows === "/" || follows === "+") return true;
    if (follows !== close && !(follows in closing)) return false;
    // Another quote: the comma is missing, unless that quote is the one that ends the text.
    if (/[\n\r]/.test(text.slice(at + 1, Math.min(next, at + LONGEST_LOOK)))) return true;
    return next > at + 1 && beginsMember(next);
  }

  /** What can stand behind a comma: prose seldom looks like it. */
  function beginsMember(from: number): boolean {
    const first = text[from];
    if (first === undefined || "}]{[-".includes(first) || (first >= "0" && first <= "9")) return true;
    if (first in closing) {
      const near = text.slice(from + 1, from + LONGEST_LOOK).indexOf(closing[first] ?? first);
      const then = near === -1 ? undefined : text[after(from + near + 2)];
      return then === undefined || ":=,]}".includes(then);
    }
    NAME.lastIndex = from;
    const found = NAME.exec(text)?.[0];
    if (found === undefined) return first === "/";
    return found in words || ":=".includes(text[after(from + found.length)] ?? " ");
  }

  function escaped(): string {
    const mark = text[at + 1];
    at += 2;
    if (mark === undefined) return "";
    if (mark !== "u") return escapes[mark] ?? mark;
    const code = match(HEX);
    if (code === undefined) return "u";
    at += 4;
    return String.fromCharCode(Number.parseInt(code, 16));
  }

  /** A word of JSON or of Python, or a text that nobody quoted: it ends with its line, comma or bracket. */
  function bare(): unknown {
    const found = match(BARE) ?? "";
    at += found.length;
    const comment = found.search(COMMENT);
    const read = (comment === -1 ? found : found.slice(0, comment)).trim();
    if (read === "") {
      broken = true;
      return nothing;
    }
    if (at >= text.length) broken = true;
    return Object.hasOwn(words, read) ? words[read] : read;
  }

  skip();
  if (text[at] !== "{") return undefined;
  const read = object(1);
  return broken ? undefined : read;
}
