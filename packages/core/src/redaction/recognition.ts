import type { Shape } from "./secret-rule.ts";
import type { Swallow } from "./swallow.ts";

/** Characters before an anchor that a shape may look at: those of a name (BASE64URL), and the one before them. */
export const LOOKBEHIND = 64;
/** Characters behind an anchor that a shape may read before it decides. At the bound it decides for a secret. */
export const LOOKAHEAD = 512;

/**
 * A secret from `from`, certain up to `certainTo` and going on from there as `rest` says. What a shape has read of
 * the rest counts as rest, so that secrets inside one another come to share one tail.
 */
export type Recognition = { readonly from: number; readonly certainTo: number; readonly rest?: Swallow };

/** "more": the text ends before it can be decided, and there is more to come. */
export type Verdict = Recognition | undefined | "more";

/** The place at which an anchor was found. */
export type Site = {
  readonly text: string;
  readonly anchorStart: number;
  readonly anchorEnd: number;
  /** Nothing before this is looked at: it is masked, and a second redaction would find a marker there. */
  readonly floor: number;
  /** Whether an unquoted value that goes on here is masked already. */
  readonly inValue: boolean;
  /** Whether the text ends where it ends. */
  readonly final: boolean;
};

export type Recogniser<K extends Shape["kind"]> = (shape: Extract<Shape, { kind: K }>, site: Site) => Verdict;
