import { afterThinking, fencedTexts, bracedText, separateTexts } from "./answer-texts.ts";
import { ANSWER_LIMITS } from "./limits.ts";
import { storableText } from "../parse/storable-text.ts";
import { breaksOffBehind, fitOf } from "./json-fit.ts";
import { repeatedMember } from "./repeated-member.ts";
import { fallbackResponse, type SacpResponse } from "./response.ts";
import { roundedInteger } from "./rounded-integer.ts";
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
  const strict = strictReader({ characters: ANSWER_LIMITS.looks });
  for (const { source, candidate, read } of readings(text, strict, repair)) {
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
    if (settled.kind === "answer") {
      // The last one counts, and half of it is none.
      if (breaksOffBehind(text, candidate)) return fallback(output, toldBrokenOff);
      const rounded = roundedInteger(settled.response.data, candidate);
      // No other reading of it keeps the digits.
      if (rounded !== null) return fallback(output, toldRounded(rounded));
      return { response: settled.response, source, fault: null };
    }
    faults.push(settled.fault);
    // No other part of the same text can be a smaller answer.
    if (settled.kind === "too-large") break;
  }
  return fallback(
    output,
    faults[0] ?? (text === "" ? "the output is empty" : "the output holds no JSON object"),
  );
}

const toldBrokenOff = "the output breaks off inside an answer that stands behind another one";

const toldTwice = (member: string): string => `"${member}" is there twice; give each member once`;

const toldRounded = (integer: string): string =>
  `"data" holds the integer ${integer.slice(0, 40)}, which would be rounded; write it as a text`;

type Reading = {
  readonly source: AnswerSource;
  readonly candidate: string;
  readonly read: (candidate: string) => unknown;
};

const BEGINS_THINKING = /^<think(?:ing)?>/i;

/** What to try, in order, and made only when it is its turn. */
function* readings(text: string, strict: Reading["read"], repair: Repair): Generator<Reading> {
  const whole = unquoted(text, strict);
  // What is JSON as far as it goes is read as JSON: a guess at where its texts end could make other data of it.
  const tolerant = (candidate: string) =>
    readTolerant(candidate, repair, fitOf(candidate).fit === "cut-off" ? "first" : "likeliest");
  if (whole.startsWith("{")) yield { source: "json", candidate: whole, read: strict };
  const said = afterThinking(whole);
  if (said !== undefined) {
    if (said.startsWith("{")) yield { source: "braces", candidate: said, read: strict };
    yield* readingsOf(said, strict, tolerant);
    // What breaks off behind the thinking is not made up for by a draft in it.
    if (BEGINS_THINKING.test(whole)) return;
  }
  yield* readingsOf(whole, strict, tolerant);
}

/** Of a text with other text around what is meant. */
function* readingsOf(whole: string, strict: Reading["read"], tolerant: Reading["read"]): Generator<Reading> {
  const fenced = fencedTexts(whole);
  yield* lastFirst("fenced", fenced, strict, tolerant);
  const braced = bracedText(whole);
  if (braced !== undefined && braced !== whole) yield { source: "braces", candidate: braced, read: strict };
  if (braced !== undefined) {
    const separate = separateTexts(whole).filter((candidate) => candidate !== braced);
    yield* lastFirst("braces", separate, strict, tolerant);
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

/** One that is not quite JSON comes before those that stand before it: a draft that succeeds is not what its correction says. */
function* lastFirst(
  source: AnswerSource,
  candidates: readonly string[],
  strict: Reading["read"],
  tolerant: Reading["read"],
): Generator<Reading> {
  for (const [place, candidate] of candidates.entries()) {
    yield { source, candidate, read: strict };
    if (place < candidates.length - 1) yield { source: "repaired", candidate, read: tolerant };
  }
}

/** More values than an answer may hold: to parse them, to no end, is what a hostile text costs most by. */
const tooMany = Symbol("too many values");

/** What does not end as an object or a text of JSON needs no look at all the rest. */
const mayBeJson = (text: string): boolean =>
  text.startsWith('"') ? text.length > 1 && text.endsWith('"') : text.startsWith("{") && text.endsWith("}");

/** JSON as it is written, while the looks last: what could be one from many beginnings is not looked through from each. */
function strictReader(looks: { characters: number }): (text: string) => unknown {
  return (text) => {
    if (text.length > looks.characters || !mayBeJson(text)) return undefined;
    const { fit, looked } = fitOf(text);
    looks.characters -= looked;
    if (fit !== "fits") return fit === "too-many" ? tooMany : undefined;
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  };
}

/** A model may write its whole object as one JSON string. */
function unquoted(text: string, strict: Reading["read"]): string {
  if (!text.startsWith('"')) return text;
  const inner = strict(text);
  return typeof inner === "string" ? inner.trim() : text;
}

const fallback = (output: string, fault: string): ReadAnswer => ({
  response: fallbackResponse(storableText(output.slice(0, ANSWER_LIMITS.rawOutput))),
  source: "fallback",
  fault,
});
