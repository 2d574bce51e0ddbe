import { formatFieldPath } from "@signalbox/contracts";
import { looksGenerated } from "./credential-name.ts";
import { redactionFailed } from "./failure.ts";
import { isMarkersOnly, markerEnd, markerOf } from "./marker.ts";
import type { PathMatcher, Place } from "./path-matcher.ts";
import { redactPersonalData } from "./personal-data.ts";
import type { FieldTreatment } from "./policy.ts";
import { redactSecrets, type RedactedText, stripSecretLines } from "./redact-text.ts";
import { applyPatterns, type TenantPattern } from "./tenant-patterns.ts";

/** That something was masked: where, by which rule, and how often. The path shows masked keys masked. */
export type Mark = { readonly path: string; readonly rule: string; readonly count: number };

export type RedactionLimits = {
  readonly maxDepth: number;
  readonly maxValues: number;
  /** Characters of all keys and texts together. */
  readonly maxCharacters: number;
};

/** Above what a body from outside may hold, so that all that was let in can be written. */
export const DEFAULT_REDACTION_LIMITS: RedactionLimits = {
  maxDepth: 100,
  maxValues: 500_000,
  maxCharacters: 16 * 1024 * 1024,
};

export type Walk = {
  readonly paths: PathMatcher;
  readonly patterns: readonly TenantPattern[];
  readonly limits: RedactionLimits;
  readonly path: (string | number)[];
  /** None until something is masked. */
  marks: Map<string, Mark> | undefined;
  values: number;
  characters: number;
};

export const startWalk = (redactor: Pick<Walk, "paths" | "patterns" | "limits">): Walk => ({
  paths: redactor.paths,
  patterns: redactor.patterns,
  limits: redactor.limits,
  path: [],
  marks: undefined,
  values: 0,
  characters: 0,
});

export const FIELD_RULE = "credential-field";
export const POLICY_RULE = "policy-path";
export const LENGTH_RULE = "max-length";

/** Recursion is as deep as the limit lets it be, and no deeper. */
export function redactNode(walk: Walk, value: unknown, place: Place, depth: number): unknown {
  if (++walk.values > walk.limits.maxValues) throw overLimit("values", walk.limits.maxValues);
  if (value === null || typeof value === "boolean" || value === undefined) return value;
  const treatment = place.treatments.find(({ kind }) => kind === "mask");
  if (treatment !== undefined) return maskWhole(walk, value, POLICY_RULE);
  if (place.credential === "whole") return maskWhole(walk, value, FIELD_RULE);
  if (typeof value === "string") return redactString(walk, value, place);
  if (typeof value === "number") return value;
  if (typeof value !== "object") throw redactionFailed(`A ${typeof value} is no JSON value`);
  if (depth >= walk.limits.maxDepth) throw overLimit("levels", walk.limits.maxDepth);
  return Array.isArray(value)
    ? redactList(walk, value, place, depth)
    : redactObject(walk, value, place, depth);
}

const overLimit = (what: string, limit: number): Error =>
  redactionFailed(`The value has more than ${limit} ${what}`);

function redactList(walk: Walk, list: readonly unknown[], place: Place, depth: number): unknown {
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const element = list[index];
    walk.path.push(index);
    const redacted = redactNode(walk, element, place, depth + 1);
    walk.path.pop();
    if (redacted !== element) copy ??= list.slice();
    if (copy !== undefined) copy[index] = redacted;
  }
  return copy ?? list;
}

function redactObject(walk: Walk, object: object, place: Place, depth: number): unknown {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null)
    throw redactionFailed("An object that is not plain is no JSON value; give a message in its JSON form");
  let changed: [string, unknown][] | undefined;
  let index = -1;
  for (const key of Object.keys(object)) {
    index += 1;
    count(walk, key);
    const value: unknown = Reflect.get(object, key);
    const inner = walk.paths.step(place, key);
    walk.path.push(inner.key.text);
    if (inner.key.rules.length > 0) mark(walk, inner.key.rules);
    const redacted = redactNode(walk, value, inherit(place, inner), depth + 1);
    walk.path.pop();
    if (redacted === value && inner.key.text === key) continue;
    changed ??= Object.entries(object);
    changed[index] = [inner.key.text, redacted];
  }
  return changed === undefined ? object : Object.fromEntries(apart(changed));
}

/** What is in `tokens` is the tokens, whatever its own name; and what a policy says of a field, it says of all that is in it. */
function inherit(outer: Place, inner: Place): Place {
  const isTokens = outer.credential === "texts" && inner.credential === undefined;
  if (!isTokens && outer.treatments.length === 0) return inner;
  const credential = isTokens ? "texts" : inner.credential;
  return { ...inner, credential, treatments: [...new Set([...inner.treatments, ...outer.treatments])] };
}

/** Two keys that are masked alike stay two. */
function apart(entries: [string, unknown][]): [string, unknown][] {
  const taken = new Set<string>();
  for (const entry of entries) {
    const [name] = entry;
    for (let number = 2; taken.has(entry[0]); number++) entry[0] = `${name}#${number}`;
    taken.add(entry[0]);
  }
  return entries;
}

function maskWhole(walk: Walk, value: unknown, rule: string): unknown {
  if (value === "" || (typeof value === "string" && isMarkersOnly(value))) return value;
  mark(walk, [rule]);
  return markerOf(rule);
}

function redactString(walk: Walk, text: string, place: Place): string {
  count(walk, text);
  if (place.credential === "texts" || (place.credential === "generated" && looksGenerated(text)))
    return String(maskWhole(walk, text, FIELD_RULE));
  let result: RedactedText | undefined;
  for (const treatment of place.treatments) result = join(result, treat(treatment, result?.text ?? text));
  // Both treatments of texts begin with the masking of secrets, which a second pass would only repeat.
  if (!place.treatments.some(isThorough)) result = join(result, redactSecrets(result?.text ?? text));
  if (result === undefined) return text;
  if (walk.patterns.length > 0) result = join(result, applyPatterns(walk.patterns, result.text));
  for (const treatment of place.treatments)
    if (treatment.kind === "text" && result.text.length > treatment.maxLength)
      result = join(result, cut(result.text, treatment.maxLength));
  if (result.rules.length > 0) mark(walk, result.rules);
  return result.text;
}

const isThorough = (treatment: FieldTreatment): boolean =>
  treatment.kind === "text" && treatment.rule !== "secrets";

const join = (before: RedactedText | undefined, after: RedactedText): RedactedText =>
  before === undefined || before.rules.length === 0
    ? after
    : { text: after.text, rules: [...before.rules, ...after.rules] };

function treat(treatment: FieldTreatment, text: string): RedactedText {
  if (treatment.kind === "scope_names")
    return isScopeName(text) ? { text, rules: [] } : { text: markerOf(POLICY_RULE), rules: [POLICY_RULE] };
  if (treatment.kind === "mask" || treatment.rule === "secrets") return { text, rules: [] };
  if (treatment.rule === "strip_lines") return stripSecretLines(text);
  const secrets = redactSecrets(text); // before the addresses, since a URL's password ends at an @
  return join(secrets, redactPersonalData(secrets.text));
}

/** `repo:read`, `https://example.org/auth/files`: a name, and no generated text. */
const isScopeName = (text: string): boolean =>
  isMarkersOnly(text) ||
  (/^[A-Za-z][A-Za-z0-9_.:/*-]{0,127}$/.test(text) &&
    !looksGenerated(text) &&
    redactSecrets(text).rules.length === 0);

/** Cuts a text that is over its field's length, never through a marker, and says so inside the length. */
function cut(text: string, maxLength: number): RedactedText {
  let end = maxLength - markerOf(LENGTH_RULE).length;
  const opening = text.lastIndexOf("[", end);
  const closing = opening === -1 ? -1 : markerEnd(text, opening, true);
  if (typeof closing === "number" && closing > end) end = opening;
  return { text: text.slice(0, end).toWellFormed() + markerOf(LENGTH_RULE), rules: [LENGTH_RULE] };
}

function count(walk: Walk, text: string): void {
  walk.characters += text.length;
  if (walk.characters > walk.limits.maxCharacters) throw overLimit("characters", walk.limits.maxCharacters);
}

function mark(walk: Walk, rules: readonly string[]): void {
  const path = formatFieldPath(walk.path);
  for (const rule of rules) {
    const id = `${rule} ${path}`;
    walk.marks ??= new Map();
    const known = walk.marks.get(id);
    walk.marks.set(id, { path, rule, count: (known?.count ?? 0) + 1 });
  }
}
