import { type NamedCredential, namedCredential } from "./credential-name.ts";
import { normalName, type PathSegment } from "./path-pattern.ts";
import { withoutMarkers } from "./marker.ts";
import { redactSecrets, type RedactedText } from "./redact-text.ts";
import type { FieldTreatment, PathRule } from "./policy.ts";

/** What a field is, told by the way that leads to it. */
export type Place = {
  readonly treatments: readonly FieldTreatment[];
  readonly credential: NamedCredential | undefined;
  /** The field's name as it may be shown; the name itself where it holds no secret. */
  readonly key: RedactedText;
  readonly state: PathState;
};

/** How far each path of the policy has come; states are shared, and remember the fields that were asked for. */
type PathState = {
  readonly reached: readonly (readonly [rule: number, segment: number])[];
  readonly places: Map<string, Place>;
};

export type PathMatcher = {
  readonly root: Place;
  /** What a value is by its own name, which makes no credential of it. */
  named(name: string): Place;
  step(place: Place, key: string): Place;
};

const MOST_PLACES_KEPT = 4096;
const LONGEST_KEY_KEPT = 64;

/** All paths at once: a step costs one look-up for a field that was seen before. */
export function compilePaths(rules: readonly PathRule[]): PathMatcher {
  const states = new Map<string, PathState>();
  let kept = 0;

  const stateOf = (reached: PathState["reached"]): PathState => {
    const id = reached.map((pair) => pair.join(":")).join(",");
    const known = states.get(id);
    if (known !== undefined) return known;
    const state: PathState = { reached, places: new Map() };
    if (states.size < MOST_PLACES_KEPT) states.set(id, state);
    return state;
  };

  const compute = (state: PathState, key: string): Place => {
    const shown = redactSecrets(key);
    const plain = withoutMarkers(shown.text);
    const name = normalName(plain);
    const reached = new Map<string, readonly [number, number]>();
    const treatments: FieldTreatment[] = [];
    for (const [rule, segment] of state.reached)
      for (const next of stepSegment(rules[rule]?.path ?? [], segment, name)) {
        if (next === rules[rule]?.path.length) treatments.push(rules[rule].treatment);
        else reached.set(`${rule}:${next}`, [rule, next]);
      }
    const ordered = [...reached.values()].toSorted(([a, b], [c, d]) => a - c || b - d);
    return { treatments, credential: namedCredential(plain), key: shown, state: stateOf(ordered) };
  };

  const start = stateOf(
    rules.flatMap(({ path }, rule) => openPositions(path, 0).map((segment) => [rule, segment] as const)),
  );
  const root: Place = { treatments: [], credential: undefined, key: { text: "", rules: [] }, state: start };
  const names = new Map<string, Place>();

  function step({ state }: Place, key: string): Place {
    const known = state.places.get(key);
    if (known !== undefined) return known;
    const place = compute(state, key);
    if (kept < MOST_PLACES_KEPT && key.length <= LONGEST_KEY_KEPT && place.key.rules.length === 0) {
      kept++;
      state.places.set(key, place);
    }
    return place;
  }

  return {
    root,
    named(name) {
      const place = names.get(name) ?? { ...step(root, name), credential: undefined };
      if (names.size < MOST_PLACES_KEPT) names.set(name, place);
      return place;
    },
    step,
  };
}

/** A position at `**` is a position behind it as well. */
function openPositions(path: readonly PathSegment[], segment: number): number[] {
  return path[segment]?.kind === "any" ? [segment, ...openPositions(path, segment + 1)] : [segment];
}

/** Where a path stands after a field. Every path may begin anew at any depth, so position 0 is never left. */
function stepSegment(path: readonly PathSegment[], segment: number, name: string): number[] {
  const current = path[segment];
  const again = segment === 0 || current?.kind === "any" ? openPositions(path, segment) : [];
  const advances =
    current !== undefined && (current.kind === "one" || (current.kind === "name" && current.names.has(name)));
  return [...again, ...(advances ? openPositions(path, segment + 1) : [])];
}
