import { fencedTexts, bracedText, separateTexts } from "./answer-texts.ts";
import { ANSWER_LIMITS } from "./limits.ts";
import { repeatedMember } from "./repeated-member.ts";
import { fallbackResponse, type SacpResponse } from "./response.ts";
import { settleAnswer } from "./settle-answer.ts";
import { readTolerant, type Repair } from "./tolerant-json.ts";

/** How an answer was found in a model's output; `fallback` when none was (§7.2). */
export type AnswerSource = "json" | "fenced" | "braces" | "repaired" | "fallback";

export type ReadAnswer = {
  readonly response: SacpResponse;
  readonly source: AnswerSource;
  /** What was wrong with the output, in words that the model can be told; null where an answer was found. */
  readonly fault: string | null;
};

/**
 * The SACP answer in a model's output (§7). Total and bounded: whatever the text, there is an answer, in time that grows
 * with its length alone. The whole text comes first, then what fences and braces mark, then the same as models write JSON that
 * is not quite JSON, and last the fallback.
 */
export function readAnswer(output: string): ReadAnswer {
  const text = output.trim();
  if (text.length > ANSWER_LIMITS.characters) {
    const fault = `the output has ${text.length} characters; at most ${ANSWER_LIMITS.characters} are read`;
    return fallback(output, fault);
  }
  const faults: string[] = [];
  const repair: Repair = { steps: ANSWER_LIMITS.repairSteps, repeated: null };
  for (const { source, candidate, read } of readings(text, repair)) {
    const value = read(candidate);
    // Which of the two is meant, nobody can tell; no other reading of the text may either.
    if (repair.repeated !== null) return fallback(output, toldTwice(repair.repeated));
    if (value === undefined) continue;
    if (value === tooMany) {
      faults.push(`the answer holds more than ${ANSWER_LIMITS.values} values`);
      // Of a text that is one object no part is a smaller answer; between others one may stand.
      if (source === "json") break;
      continue;
    }
    const settled = settleAnswer(value);
    // Only what is small enough to be an answer is looked through once more.
    const repeated = read === strict && settled.kind !== "too-large" ? repeatedMember(candidate) : null;
    if (repeated !== null) return fallback(output, toldTwice(repeated));
    if (settled.kind === "answer") return { response: settled.response, source, fault: null };
    faults.push(settled.fault);
    // No other part of the same text can be a smaller answer.
    if (settled.kind === "too-large") break;
  }
  return fallback(
    output,
    faults[0] ?? (text === "" ? "the output is empty" : "the output holds no JSON object"),
  );
}

const toldTwice = (member: string): string => `"${member}" is there twice; give each member once`;

/** Deeper than any answer may be; settling it says so in words. */
const DEEPEST_PARSED = 4 * ANSWER_LIMITS.depth;

type Reading = {
  readonly source: AnswerSource;
  readonly candidate: string;
  readonly read: (candidate: string) => unknown;
};

/** What to try, in order, and made only when it is its turn. */
function* readings(text: string, repair: Repair): Generator<Reading> {
  const whole = unquoted(text);
  const tolerant = (candidate: string) => readTolerant(candidate, repair);
  if (whole.startsWith("{")) yield { source: "json", candidate: whole, read: strict };
  const fenced = fencedTexts(whole);
  for (const candidate of fenced) yield { source: "fenced", candidate, read: strict };
  const braced = bracedText(whole);
  if (braced !== undefined && braced !== whole) yield { source: "braces", candidate: braced, read: strict };
  if (braced !== undefined) {
    for (const candidate of separateTexts(whole)) {
      if (candidate !== braced) yield { source: "braces", candidate, read: strict };
    }
  }
  const begun = whole.indexOf("{");
  if (begun === -1) return;
  const unclosed = whole.slice(begun);
  if (/["}]$/.test(unclosed)) yield { source: "repaired", candidate: `${unclosed}}`, read: strict };
  const starts = new Set([...fenced.slice(0, 1), unclosed]);
  for (const candidate of starts) yield { source: "repaired", candidate, read: tolerant };
  // An object that was escaped as if it stood in a string.
  if (whole.length <= ANSWER_LIMITS.rawOutput && /^\{\s*\\"/.test(whole.slice(begun, begun + 100))) {
    const candidate = whole
      .slice(begun)
      .replaceAll(/\\(["\\/])/g, "$1")
      .replaceAll("\\n", "\n");
    yield { source: "repaired", candidate, read: tolerant };
  }
}

/** More values than an answer may hold: to parse them, to no end, is what a hostile text costs most by. */
const tooMany = Symbol("too many values");

/** What neither begins nor ends as an object or a text of JSON needs no look at all the rest. */
const BEGINNING = /^\{[ \t\n\r]*["}]/;
const mayBeJson = (text: string): boolean =>
  text.startsWith('"') ? text.length > 1 && text.endsWith('"') : text.endsWith("}") && BEGINNING.test(text);

function strict(text: string): unknown {
  if (!mayBeJson(text)) return undefined;
  const fit = fitOf(text);
  if (fit !== "fits") return fit === "too-many" ? tooMany : undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;

/** JSON.parse takes a sixth of a second for a megabyte of open brackets; to count them takes a few milliseconds. */
function fitOf(text: string): "fits" | "too-deep" | "too-many" {
  let commas = 0;
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (quoted) {
      if (unit === BACKSLASH) at += 1;
      else if (unit === QUOTE) quoted = false;
    } else if (unit === QUOTE) quoted = true;
    else if (unit === OPEN_LIST || unit === OPEN_OBJECT) {
      depth += 1;
      if (depth > DEEPEST_PARSED) return "too-deep";
    } else if (unit === CLOSE_LIST || unit === CLOSE_OBJECT) depth -= 1;
    else if (unit === COMMA) {
      // Each stands between two values.
      commas += 1;
      if (commas >= ANSWER_LIMITS.values) return "too-many";
    }
  }
  return "fits";
}

/** A model may write its whole object as one JSON string. */
function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  const inner = strict(text);
  return typeof inner === "string" ? inner.trim() : text;
}

const fallback = (output: string, fault: string): ReadAnswer => ({
  response: fallbackResponse(storable(output)),
  source: "fallback",
  fault,
});

/** As much of the output as a report can carry: neither U+0000 nor half a character can be stored. */
const storable = (output: string): string =>
  output.slice(0, ANSWER_LIMITS.rawOutput).toWellFormed().replaceAll("\u0000", "\ufffd");
