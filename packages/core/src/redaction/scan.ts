import { firstBegun } from "./anchor-index.ts";
import { BASE64URL, isIn } from "./character-class.ts";
import { markerOf } from "./marker.ts";
import { LOOKBEHIND, type Recognition } from "./recognition.ts";
import { followRegion, moveRegion, newRegion, type Region, widenRegion } from "./region.ts";
import {
  bucketAt,
  findAnchor,
  isAt,
  MARKER_RULE,
  recognise,
  recogniseMarker,
  ruleId,
  type RuleSet,
} from "./rule-set.ts";

/** A secret that was recognised before the scan came to it, as a value is behind its name. */
type Expected = Recognition & { readonly rule: number };

/**
 * Where a scan stands between two pieces of a text. It is plain data and is never changed; it holds raw text, so it stays
 * in memory and is never stored. Positions count from the beginning of `held`.
 */
export type ScanState = {
  /** Raw text before `held`, for shapes that look back. */
  readonly context: string;
  /** Raw text that was taken in and not given out yet, because it may turn out to be part of a secret. */
  readonly held: string;
  /** Up to here anchors do not count: an earlier marker is being passed over. */
  readonly blindUntil: number;
  readonly region: Readonly<Region> | undefined;
  readonly expected: readonly Expected[];
};

export const SCAN_START: ScanState = {
  context: "",
  held: "",
  blindUntil: 0,
  region: undefined,
  expected: [],
};

export type ScanResult = {
  readonly state: ScanState;
  readonly text: string;
  /** Every stretch that was masked, in the order of the text. */
  readonly masked: readonly Masked[];
};

/** A marker that was set: for which rule of the set, and where in the text given out. */
type Masked = { readonly rule: number; readonly at: number };

type Scan = {
  readonly set: RuleSet;
  readonly text: string;
  readonly final: boolean;
  /** The next character to be taken: anchors that begin before it are judged. */
  position: number;
  blindUntil: number;
  region: Region | undefined;
  /** Not begun: what stands before it is given out, or masked by another rule. */
  expected: Expected[];
  /** Up to here the text was given out, or masked. */
  given: number;
  /** The end of what was masked last. */
  floor: number;
  readonly output: string[];
  outputLength: number;
  readonly masked: Masked[];
};

/**
 * Masks every secret of a text that comes in pieces. The concatenated output does not depend on where the pieces were
 * cut: a decision waits until what it may read is there, and a whole text is one piece that is final.
 */
export function scanPiece(set: RuleSet, state: ScanState, piece: string, final: boolean): ScanResult {
  const base = state.context.length;
  const text = base === 0 && state.held === "" ? piece : state.context + state.held + piece;
  const scan: Scan = {
    set,
    text,
    final,
    position: base,
    blindUntil: base + state.blindUntil,
    region: state.region === undefined ? undefined : moveRegion(state.region, base),
    expected: state.expected.map((expected) => moveExpected(expected, base)),
    given: base,
    floor: 0,
    output: [],
    outputLength: 0,
    masked: [],
  };
  const end = final ? text.length : firstBegun(set.index, text, base);
  while (scan.position < end) {
    if (scan.region === undefined) {
      const next = scan.expected.reduce((least, { from }) => Math.min(least, from), end);
      scan.position = findAnchor(set, text, Math.min(next, Math.max(scan.position, scan.blindUntil)), next);
    }
    if (scan.position < end && !takeCharacter(scan)) break;
  }
  return final ? finish(scan) : pause(scan);
}

/** Judges the anchors that begin at a character and takes it; false when one of them cannot be decided yet. */
function takeCharacter(scan: Scan): boolean {
  const { position } = scan;
  if (scan.expected.length > 0) openExpected(scan);
  followOpen(scan);
  const found = position < scan.blindUntil ? NOTHING : judge(scan);
  if (found === "more") return false;
  for (const recognition of found.recognitions)
    if (recognition.from > position) scan.expected.push(recognition);
    else open(scan, recognition);
  scan.blindUntil = Math.max(scan.blindUntil, found.blindUntil);
  scan.position = position + 1;
  return true;
}

type Found = {
  readonly recognitions: readonly Expected[];
  readonly blindUntil: number;
};
const NOTHING: Found = { recognitions: [], blindUntil: 0 };

function judge({ text, set, final, position, floor, region }: Scan): Found | "more" {
  const bucket = bucketAt(set, text, position);
  if (bucket === 0) return NOTHING;
  const inValue =
    region?.tails.some(({ swallow, startsAt }) => swallow.kind === "until" && startsAt <= position + 1) ===
    true;
  const recognitions: Expected[] = [];
  for (const index of set.index.buckets[bucket] ?? []) {
    const anchor = set.anchors[index];
    if (anchor === undefined || !isAt(anchor, text, position)) continue;
    const site = {
      text,
      anchorStart: position,
      anchorEnd: position + anchor.text.length,
      floor,
      inValue,
      final,
    };
    if (anchor.rule === MARKER_RULE) {
      const end = recogniseMarker(site);
      if (end === "more") return "more";
      if (end !== -1) return { recognitions: [], blindUntil: end };
      continue;
    }
    const rule = set.rules[anchor.rule];
    const verdict = rule === undefined ? undefined : recognise(rule, site);
    if (verdict === "more") return "more";
    if (verdict !== undefined) recognitions.push({ rule: anchor.rule, ...verdict });
  }
  return { recognitions, blindUntil: 0 };
}

function openExpected(scan: Scan): void {
  const due = scan.expected.filter(({ from }) => from <= scan.position);
  if (due.length === 0) return;
  scan.expected = scan.expected.filter(({ from }) => from > scan.position);
  for (const expected of due) open(scan, expected);
}

/** Opens a region, or widens the one that is open: a secret inside another one may reach further than it. */
function open(scan: Scan, { rule, from, certainTo, rest }: Expected): void {
  if (scan.region === undefined) {
    const start = Math.max(from, scan.given);
    if (certainTo <= start && rest === undefined) return;
    give(scan, scan.text.slice(scan.given, start));
    scan.given = start;
    scan.region = newRegion(rule, start);
  }
  widenRegion(scan.region, { rule, certainTo, rest });
}

/** Before anchors are judged, so that one at the very end of a secret is judged as standing behind it. */
function followOpen(scan: Scan): void {
  const { region, position, text } = scan;
  if (region === undefined || !followRegion(region, position, text.charCodeAt(position))) return;
  close(scan, region, region.until);
}

function close(scan: Scan, region: Region, end: number): void {
  scan.masked.push({ rule: region.rule, at: scan.outputLength });
  give(scan, markerOf(ruleId(scan.set, region.rule)));
  scan.given = end;
  scan.floor = end;
  scan.region = undefined;
}

function give(scan: Scan, text: string): void {
  scan.output.push(text);
  scan.outputLength += text.length;
}

function finish(scan: Scan): ScanResult {
  const { text } = scan;
  const { region } = scan;
  if (region !== undefined)
    close(scan, region, region.tails.length > 0 ? text.length : Math.min(region.until, text.length));
  const rest = scan.given === 0 ? text : text.slice(scan.given);
  const output = scan.output.length === 0 ? rest : scan.output.join("") + rest;
  return { state: SCAN_START, text: output, masked: scan.masked };
}

/** Gives out what was taken. The rest may begin an anchor, or stands behind one that is not decided. */
function pause(scan: Scan): ScanResult {
  const { text, region } = scan;
  const heldFrom = Math.max(scan.position, scan.given);
  if (region === undefined) give(scan, text.slice(scan.given, heldFrom));
  return {
    state: {
      context: contextBefore(text, heldFrom, scan.floor),
      held: text.slice(heldFrom),
      blindUntil: Math.max(0, scan.blindUntil - heldFrom),
      region: region === undefined ? undefined : moveRegion(region, -heldFrom),
      expected: scan.expected.map((expected) => moveExpected(expected, -heldFrom)),
    },
    text: scan.output.join(""),
    masked: scan.masked,
  };
}

/** What a shape may look back at: a name's letters, and the one before them. Of a line that has ended, its end. */
function contextBefore(text: string, end: number, floor: number): string {
  const least = Math.max(floor, end - LOOKBEHIND);
  let start = end;
  while (start > least && isIn(text.charCodeAt(start - 1), BASE64URL)) start -= 1;
  return text.slice(Math.max(least, start - 1), end);
}

const moveExpected = (expected: Expected, by: number): Expected => ({
  ...expected,
  from: expected.from + by,
  certainTo: expected.certainTo + by,
});
