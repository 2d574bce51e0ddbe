import { compileRules, findAnchor, ruleId, type RuleSet } from "./rule-set.ts";
import { type ScanResult, SCAN_START, scanPiece } from "./scan.ts";
import { secretRules } from "./secret-rules.ts";
import { markerOf } from "./marker.ts";

export type RedactedText = {
  readonly text: string;
  /** Ids of the rules that masked something, one for every stretch or line. */
  readonly rules: readonly string[];
};

export const builtInRules: RuleSet = compileRules(secretRules);

/** `pwd=x` is the shortest text that any rule masks. */
const SHORTEST_SECRET = 5;

const scanWhole = (text: string, set: RuleSet): ScanResult | undefined => {
  if (text.length < SHORTEST_SECRET || findAnchor(set, text, 0, text.length) === text.length)
    return undefined;
  const result = scanPiece(set, SCAN_START, text, true);
  return result.masked.length === 0 ? undefined : result;
};

const none: readonly string[] = [];

/** `text` with every secret masked that the rules know; the same string where there is none. */
export function redactSecrets(text: string, set: RuleSet = builtInRules): RedactedText {
  const result = scanWhole(text, set);
  if (result === undefined) return { text, rules: none };
  return { text: result.text, rules: result.masked.map(({ rule }) => ruleId(set, rule)) };
}

/** `text` without the lines that hold a secret: a marker stands for each, so that the other lines keep their sense. */
export function stripSecretLines(text: string, set: RuleSet = builtInRules): RedactedText {
  const result = scanWhole(text, set);
  if (result === undefined) return { text, rules: [] };
  const pieces: string[] = [];
  const rules: string[] = [];
  let given = 0;
  for (const { rule, at } of result.masked) {
    if (at < given) continue; // an earlier secret took this line already
    const start = result.text.lastIndexOf("\n", at) + 1;
    const end = result.text.indexOf("\n", at);
    const id = ruleId(set, rule);
    pieces.push(result.text.slice(given, start), markerOf(id));
    rules.push(id);
    given = end === -1 ? result.text.length : end;
  }
  pieces.push(result.text.slice(given));
  return { text: pieces.join(""), rules };
}
