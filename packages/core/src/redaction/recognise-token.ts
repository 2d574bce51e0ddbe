import { ALNUM, type CharacterClass, isIn } from "./character-class.ts";
import { isMixed } from "./randomness.ts";
import type { Recogniser, Site } from "./recognition.ts";
import type { Shape } from "./secret-rule.ts";

/** Where the run of a class that starts at `start` ends, looked for up to `limit`. */
export function runEnd(text: string, start: number, set: CharacterClass, limit: number): number {
  const stop = Math.min(text.length, limit);
  let index = start;
  while (index < stop && isIn(text.charCodeAt(index), set)) index++;
  return index;
}

function fitsBefore(shape: Extract<Shape, { kind: "token" }>, site: Site): boolean {
  const before = site.anchorStart === site.floor ? Number.NaN : site.text.charCodeAt(site.anchorStart - 1);
  if (shape.after !== undefined && !isIn(before, shape.after)) return false;
  return shape.apart !== true || !isIn(before, ALNUM);
}

const LONGEST_JUDGED = 64;

export const recogniseToken: Recogniser<"token"> = (shape, site) => {
  if (!fitsBefore(shape, site)) return undefined;
  const need = site.anchorEnd + shape.min;
  const end = runEnd(site.text, site.anchorEnd, shape.of, need);
  if (end < need) return end === site.text.length && !site.final ? "more" : undefined;
  if (shape.mixed === true) {
    const judged = runEnd(site.text, site.anchorEnd, shape.of, site.anchorEnd + LONGEST_JUDGED);
    if (!isMixed(site.text.slice(site.anchorEnd, judged))) {
      const undecided =
        judged === site.text.length && judged < site.anchorEnd + LONGEST_JUDGED && !site.final;
      return undecided ? "more" : undefined;
    }
  }
  return {
    from: shape.keepAnchor === true ? site.anchorEnd : site.anchorStart,
    certainTo: site.anchorEnd,
    rest: { kind: "run", of: shape.of },
  };
};
