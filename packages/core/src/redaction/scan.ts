import { firstBegun } from "./anchor-index.ts";
import { markerOf } from "./marker.ts";
import { LOOKBEHIND, type Recognition } from "./recognition.ts";
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
import { ENDED_ONE_EARLIER, stepSwallow, type Swallow } from "./swallow.ts";

/** A secret's open end: it starts to be followed `in` characters from here. */
type Tail = { readonly swallow: Swallow; state: number; startsAt: number };

/**
 * A stretch of text that is masked: certain up to `until`, and on while a tail goes on. `value` is the tail that ended
 * last of those that run to a quote or a blank: where another secret reached further, it runs on from there.
 */
type Region = {
  rule: number;
  until: number;
  tails: Tail[];
  value: { readonly swallow: Swallow; readonly end: number } | undefined;
};

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
};

export const SCAN_START: ScanState = { context: "", held: "", blindUntil: 0, region: undefined };

export type ScanResult = {
  readonly state: ScanState;
  readonly text: string;
  /** Every stretch that was masked, in the order of the text. */
  readonly masked: readonly Masked[];
};

/** A marker that was set: for which rule of the set, and where in the text given out. */
export type Masked = { readonly rule: number; readonly at: number };

type Scan = {
  readonly set: RuleSet;
  readonly text: string;
  readonly final: boolean;
  /** The next character to be taken: anchors that begin before it are judged. */
  position: number;
  blindUntil: number;
  region: Region | undefined;
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
    given: base,
    floor: 0,
    output: [],
    outputLength: 0,
    masked: [],
  };
  const end = final ? text.length : firstBegun(set.index, text, base);
  while (scan.position < end) {
    if (scan.region === undefined)
      scan.position = findAnchor(set, text, Math.min(end, Math.max(scan.position, scan.blindUntil)), end);
    if (scan.position < end && !takeCharacter(scan)) break;
  }
  return final ? finish(scan) : pause(scan);
}

/** Judges the anchors that begin at a character and takes it; false when one of them cannot be decided yet. */
function takeCharacter(scan: Scan): boolean {
  const { position } = scan;
  followTails(scan, scan.text.charCodeAt(position));
  const found = position < scan.blindUntil ? NOTHING : judge(scan);
  if (found === "more") return false;
  for (const { rule, recognition } of found.recognitions) open(scan, rule, recognition);
  scan.blindUntil = Math.max(scan.blindUntil, found.blindUntil);
  scan.position = position + 1;
  return true;
}

type Found = {
  readonly recognitions: readonly { readonly rule: number; readonly recognition: Recognition }[];
  readonly blindUntil: number;
};
const NOTHING: Found = { recognitions: [], blindUntil: 0 };

function judge({ text, set, final, position, floor, region }: Scan): Found | "more" {
  const bucket = bucketAt(set, text, position);
  if (bucket === 0) return NOTHING;
  const inValue =
    region?.tails.some(({ swallow, startsAt }) => swallow.kind === "until" && startsAt <= position + 1) ===
    true;
  const recognitions: { rule: number; recognition: Recognition }[] = [];
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
    if (verdict !== undefined) recognitions.push({ rule: anchor.rule, recognition: verdict });
  }
  return { recognitions, blindUntil: 0 };
}

/** Opens a region, or widens the one that is open: a secret inside another one may reach further than it. */
function open(scan: Scan, rule: number, { from, certainTo, rest }: Recognition): void {
  if (scan.region === undefined) {
    const start = Math.max(from, scan.given);
    if (certainTo <= start && rest === undefined) return;
    give(scan, scan.text.slice(scan.given, start));
    scan.given = start;
    scan.region = { rule, until: start, tails: [], value: undefined };
  }
  const { region } = scan;
  region.rule = Math.min(region.rule, rule);
  region.until = Math.max(region.until, certainTo);
  if (rest === undefined) return;
  const tail = { swallow: rest, state: 0, startsAt: certainTo };
  if (!isKnown(region.tails, region.tails.length, tail)) region.tails.push(tail);
}

const isValue = ({ kind }: Swallow): boolean => kind !== "run" && kind !== "armor";

/** Two tails in the same state end at the same place: one is enough, and their number stays bounded. */
function isKnown(tails: readonly Tail[], count: number, tail: Tail): boolean {
  for (let index = 0; index < count; index++) {
    const other = tails[index];
    if (other === undefined || other.startsAt !== tail.startsAt || other.state !== tail.state) continue;
    if (isSameSwallow(other.swallow, tail.swallow)) return true;
  }
  return false;
}

function isSameSwallow(one: Swallow, other: Swallow): boolean {
  switch (one.kind) {
    case "run":
      return other.kind === "run" && one.of === other.of;
    case "until":
      return other.kind === "until" && one.end === other.end;
    case "quoted":
    case "escaped":
      return other.kind === one.kind && one.quote === other.quote;
    case "armor":
      return other.kind === "armor";
  }
}

/** Before anchors are judged, so that one at the very end of a secret is judged as standing behind it. */
function followTails(scan: Scan, code: number): void {
  const { region, position } = scan;
  if (region === undefined) return;
  const { tails } = region;
  let kept = 0;
  for (const tail of tails) {
    if (tail.startsAt <= position) {
      const next = stepSwallow(tail.swallow, tail.state, code);
      if (next < 0) {
        const end = next === ENDED_ONE_EARLIER ? position - 1 : position;
        region.until = Math.max(region.until, end);
        if (isValue(tail.swallow)) region.value = { swallow: tail.swallow, end };
        continue;
      }
      tail.state = next;
      tail.startsAt = position + 1;
    }
    if (!isKnown(tails, kept, tail)) tails[kept++] = tail;
  }
  tails.length = kept;
  if (tails.length > 0 || region.until > position) return;
  const { value } = region;
  if (value === undefined || value.end >= region.until) close(scan, region, region.until);
  else {
    region.value = undefined;
    region.tails = [{ swallow: value.swallow, state: 0, startsAt: region.until }];
    followTails(scan, code);
  }
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
      context: text.slice(Math.max(scan.floor, heldFrom - LOOKBEHIND), heldFrom),
      held: text.slice(heldFrom),
      blindUntil: Math.max(0, scan.blindUntil - heldFrom),
      region: region === undefined ? undefined : moveRegion(region, -heldFrom),
    },
    text: scan.output.join(""),
    masked: scan.masked,
  };
}

const moveRegion = (region: Readonly<Region>, by: number): Region => ({
  rule: region.rule,
  until: region.until + by,
  tails: region.tails.map(({ swallow, state, startsAt }) => ({ swallow, state, startsAt: startsAt + by })),
  value:
    region.value === undefined ? undefined : { swallow: region.value.swallow, end: region.value.end + by },
});
