import { type CharacterClass, isIn, LINE_END, VALUE_END } from "./character-class.ts";

/**
 * How far a secret goes once it is certain that there is one. Each kind is a small automaton, so that a secret
 * of any length and in any number of pieces is masked without being held.
 */
export type Swallow =
  | { readonly kind: "run"; readonly of: CharacterClass }
  | { readonly kind: "until"; readonly end: CharacterClass }
  | { readonly kind: "quoted"; readonly quote: number }
  | { readonly kind: "escaped"; readonly quote: number }
  | { readonly kind: "armor" };

/** Not a state: the secret ended before this character, or one character before it. */
const ENDED_BEFORE = -1;
export const ENDED_ONE_EARLIER = -2;

const BACKSLASH = 92;
const DASH = 45;

/** The next state on a character, or one of the ends. Every kind starts in state 0. */
export function stepSwallow(swallow: Swallow, state: number, code: number): number {
  switch (swallow.kind) {
    case "run":
      return isIn(code, swallow.of) ? 0 : ENDED_BEFORE;
    case "until":
      return isIn(code, swallow.end) ? ENDED_BEFORE : 0;
    case "quoted":
      return stepQuoted(swallow.quote, state, code);
    case "escaped":
      return stepEscaped(swallow.quote, state, code);
    case "armor":
      return stepArmor(state, code);
  }
}

/** State 1 follows a backslash: the next character is the value's, whatever it is. */
function stepQuoted(quote: number, state: number, code: number): number {
  if (isIn(code, LINE_END)) return ENDED_BEFORE;
  if (state === 1) return 0;
  if (code === BACKSLASH) return 1;
  return code === quote ? ENDED_BEFORE : 0;
}

/**
 * A value between `\"` and `\"`, as JSON inside a JSON string has it. The state counts backslashes in a row: one
 * before a quote ends the value, three are a quote of the value's own, none is the end of the outer string.
 */
function stepEscaped(quote: number, state: number, code: number): number {
  if (isIn(code, LINE_END)) return ENDED_BEFORE;
  if (code === BACKSLASH) return state === 4 ? 3 : state + 1;
  if (code !== quote || state >= 3) return 0;
  return state === 1 ? ENDED_ONE_EARLIER : ENDED_BEFORE;
}

const ARMOR_END = "-----END";
const CLOSING_DASHES = 5;

/**
 * Until the dashes that close `-----END …-----` (RFC 7468) and what hangs on to them. From state 8 on the end was
 * seen and dashes are counted; behind the last dash the block ends where a value would.
 */
function stepArmor(state: number, code: number): number {
  if (state === ARMOR_END.length + CLOSING_DASHES) return isIn(code, VALUE_END) ? ENDED_BEFORE : state;
  if (state >= ARMOR_END.length) {
    if (isIn(code, LINE_END)) return ENDED_BEFORE;
    return code === DASH ? state + 1 : ARMOR_END.length;
  }
  if (code === ARMOR_END.charCodeAt(state)) return state + 1;
  if (code === DASH) return state === 5 ? 5 : 1;
  return 0;
}
