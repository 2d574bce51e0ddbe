import { type AnchorIndex, indexAnchors, slide, standsAt, WINDOW } from "./anchor-index.ts";
import { MARKER_OPENING, markerEnd } from "./marker.ts";
import {
  recogniseAssignment,
  recogniseAuthorization,
  recogniseRandomVariable,
} from "./recognise-assignment.ts";
import { recogniseArmor, recogniseCookie, recogniseJwt, recogniseUrl } from "./recognise-structure.ts";
import { recogniseToken } from "./recognise-token.ts";
import type { Site, Verdict } from "./recognition.ts";
import type { SecretRule } from "./secret-rule.ts";

/** An anchor and the rule it belongs to. One that counts in either case stands here in lower case. */
export type Anchor = { readonly text: string; readonly rule: number; readonly anyCase: boolean };

/** The opening of a marker is an anchor too, of no rule. */
export const MARKER_RULE = -1;

/** Rules made ready for scanning: once for a process, used for every text. */
export type RuleSet = {
  readonly rules: readonly SecretRule[];
  readonly anchors: readonly Anchor[];
  readonly index: AnchorIndex;
};

export function compileRules(rules: readonly SecretRule[]): RuleSet {
  const anchors: Anchor[] = [{ text: MARKER_OPENING, rule: MARKER_RULE, anyCase: false }];
  for (const [rule, { anchors: texts, shape }] of rules.entries())
    for (const text of texts) {
      const anyCase = isAnyCase(shape);
      anchors.push({ text: anyCase ? text.toLowerCase() : text, rule, anyCase });
    }
  return { rules, anchors, index: indexAnchors(anchors.map(({ text }) => text)) };
}

/** Names of things are written in either case; a token's prefix is exact, unless its rule says otherwise. */
function isAnyCase(shape: SecretRule["shape"]): boolean {
  if (shape.kind === "token") return shape.anyCase === true;
  return shape.kind !== "armor" && shape.kind !== "jwt";
}

/** The first position from `start` to `end` at which an anchor stands; `end` where there is none. */
export function findAnchor(set: RuleSet, text: string, start: number, end: number): number {
  const { bucketOf } = set.index;
  const lastWindow = Math.min(end, text.length - WINDOW + 1);
  let position = start;
  if (position < lastWindow) {
    let window = slide(text.charCodeAt(position), text.charCodeAt(position + 1));
    for (; position < lastWindow; position++) {
      window = slide(window, text.charCodeAt(position + WINDOW - 1));
      const bucket = bucketOf[window] ?? 0;
      if (bucket !== 0 && anyStandsAt(set, bucket, text, position)) return position;
    }
  }
  while (position < end && !anyStandsAt(set, bucketAt(set, text, position), text, position)) position++;
  return Math.max(start, Math.min(position, end));
}

function anyStandsAt(set: RuleSet, bucket: number, text: string, position: number): boolean {
  const candidates = set.index.buckets[bucket] ?? [];
  for (let index = 0; index < candidates.length; index++) {
    const anchor = set.anchors[candidates[index] ?? -1];
    if (anchor !== undefined && isAt(anchor, text, position)) return true;
  }
  return false;
}

export const isAt = (anchor: Anchor, text: string, position: number): boolean =>
  anchor.anyCase ? standsAt(text, position, anchor.text) : text.startsWith(anchor.text, position);

/** At the end of a text fewer characters than a window are left; an anchor that short begins in any window. */
export function bucketAt(set: RuleSet, text: string, position: number): number {
  let window = 0;
  for (let index = position; index < position + WINDOW; index++)
    window = slide(window, index < text.length ? text.charCodeAt(index) : 0);
  return set.index.bucketOf[window] ?? 0;
}

export function recognise(rule: SecretRule, site: Site): Verdict {
  const { shape } = rule;
  switch (shape.kind) {
    case "token":
      return recogniseToken(shape, site);
    case "assignment":
      return recogniseAssignment(shape, site);
    case "random-variable":
      return recogniseRandomVariable(shape, site);
    case "authorization":
      return recogniseAuthorization(shape, site);
    case "cookie":
      return recogniseCookie(shape, site);
    case "url":
      return recogniseUrl(shape, site);
    case "jwt":
      return recogniseJwt(shape, site);
    case "armor":
      return recogniseArmor(shape, site);
  }
}

/** The end of a marker whose opening is at the site: what an earlier redaction masked is passed over whole. */
export const recogniseMarker = (site: Site): number | "more" =>
  markerEnd(site.text, site.anchorStart, site.final);

export function ruleId(set: RuleSet, rule: number): string {
  const known = set.rules[rule];
  if (known === undefined) throw new RangeError(`no rule ${rule} in the set`);
  return known.id;
}
