import { canonicalJson } from "../canonical-json.ts";

/** A payload's members by their path, each as a digest. */
export type Members = Readonly<Record<string, string>>;

const MOST_MEMBERS = 40;
const DEEPEST = 3;
const LONGEST_PATH = 200;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The members that an essence rule could name; null where the payload has too many, or names that such a rule cannot
 * write, so that nothing is ever concluded from a part of it.
 */
export function membersOf(
  payload: Readonly<Record<string, unknown>>,
  digestOf: (text: string) => string,
): Members | null {
  const members = [...walk(payload, "", 1)];
  if (members.length > MOST_MEMBERS) return null;
  if (members.some(({ path }) => path === undefined || path.length > LONGEST_PATH)) return null;
  return Object.fromEntries(members.map(({ path = "", value }) => [path, digestOf(canonicalJson(value))]));
}

type Member = { readonly path: string | undefined; readonly value: unknown };

function* walk(value: Readonly<Record<string, unknown>>, above: string, depth: number): Generator<Member> {
  for (const [name, member] of Object.entries(value).slice(0, MOST_MEMBERS + 1)) {
    const path = name === "" || name.includes(".") || name === "__proto__" ? undefined : `${above}${name}`;
    if (path !== undefined && depth < DEEPEST && isObject(member) && Object.keys(member).length > 0)
      yield* walk(member, `${path}.`, depth + 1);
    else yield { path, value: member };
  }
}
