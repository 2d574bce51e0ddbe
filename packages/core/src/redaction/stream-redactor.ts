import { markerOf } from "./marker.ts";
import { LOOKAHEAD } from "./recognition.ts";
import { builtInRules } from "./redact-text.ts";
import { failingClosed, type Redactor } from "./redactor.ts";
import { redactionFailed } from "./failure.ts";
import { ruleId } from "./rule-set.ts";
import { SCAN_START, scanPiece, type ScanState } from "./scan.ts";
import { applyPatterns, LONGEST_LINE } from "./tenant-patterns.ts";

/** Where a stream stands between two chunks. Plain data that holds raw text: it stays in memory, and is never stored. */
export type StreamState = { readonly scan: ScanState; readonly line: string };

export type StreamStep = {
  readonly state: StreamState;
  /** What may be stored and pushed now. */
  readonly text: string;
  /** Rules that masked something in it. */
  readonly rules: readonly string[];
};

/**
 * Redacts a text that comes in chunks (THOUGHT_STREAM) or lines (SANDBOX_PULSE). Nothing is cut or summarised (D16):
 * all texts given out, joined, are the redaction of all chunks joined, wherever they were split.
 */
export type StreamRedactor = {
  readonly start: StreamState;
  /** Takes the next chunk; with `isFinal` nothing stays held, and the state is a new stream's. */
  push(state: StreamState, chunk: string, isFinal: boolean): StreamStep;
  /** Takes one line without its end, and gives one line out. A block over many lines is masked on each of them. */
  pushLine(state: StreamState, line: string): StreamStep & { readonly masked: boolean };
  /**
   * The state behind all of these lines, where each would be given out as it is; undefined where one would not, or that is not
   * known: then each is for `pushLine`. One look at all of them costs a third of one at each.
   */
  pushPlainLines(state: StreamState, lines: readonly string[]): StreamState | undefined;
};

/**
 * The most that a stream without a tenant's own patterns holds back: a shape decides within LOOKAHEAD characters
 * behind its anchor. Ordinary text is held no longer than it may be the beginning of an anchor. With patterns the
 * line is held until it ends, LONGEST_LINE characters at most.
 */
export const LONGEST_HELD = LOOKAHEAD + builtInRules.index.longest;

export function createStreamRedactor(redactor: Redactor): StreamRedactor {
  const start: StreamState = { scan: SCAN_START, line: "" };
  const push = (state: StreamState, chunk: string, isFinal: boolean): StreamStep =>
    failingClosed(() => {
      if (chunk.length > redactor.limits.maxCharacters)
        throw redactionFailed(
          `A chunk of ${chunk.length} characters is over the limit of ${redactor.limits.maxCharacters}`,
        );
      const scanned = scanPiece(builtInRules, state.scan, chunk, isFinal);
      const rules = scanned.masked.map(({ rule }) => ruleId(builtInRules, rule));
      if (redactor.patterns.length === 0)
        return { state: { scan: scanned.state, line: "" }, text: scanned.text, rules };
      const text = state.line + scanned.text;
      const end = isFinal ? text.length : text.lastIndexOf("\n") + 1;
      if (text.length - end > LONGEST_LINE)
        throw redactionFailed(
          `A line of more than ${LONGEST_LINE} characters is too long for the tenant's patterns`,
        );
      const own = applyPatterns(redactor.patterns, text.slice(0, end));
      return {
        state: { scan: scanned.state, line: text.slice(end) },
        text: own.text,
        rules: [...rules, ...own.rules],
      };
    });
  return {
    start,
    push,
    pushLine(state, line) {
      const step = push(state, `${line}\n`, false);
      const { region } = step.state.scan;
      const complete = step.text.endsWith("\n");
      // Only an armored block goes on over a line's end, so whatever is not given out belongs to it.
      if (!complete && region === undefined) throw redactionFailed("A line was held back beyond its end");
      const rules =
        complete || region === undefined ? step.rules : [...step.rules, ruleId(builtInRules, region.rule)];
      const text = complete ? step.text.slice(0, -1) : step.text + markerOf(rules.at(-1) ?? "");
      return { state: step.state, text, rules, masked: rules.length > 0 };
    },
    pushPlainLines(state, lines) {
      const together = `${lines.join("\n")}\n`;
      const { patterns, limits } = redactor;
      if (patterns.length > 0 || together.length > limits.maxCharacters) return undefined;
      const step = push(state, together, false);
      return step.rules.length === 0 && step.text === together ? step.state : undefined;
    },
  };
}
