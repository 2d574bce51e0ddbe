export type Change = "same" | "changed" | "added" | "removed";
export type KeyChange = {
  /** Such as `inputs.file` or `unresolvedAssumptions[0]`. */
  readonly path: string;
  readonly change: Change;
  readonly before: unknown;
  readonly after: unknown;
};

/** Deeper than this a value stands whole: nobody compares what is nested so far by its keys. */
const DEEPEST = 8;
const MOST_KEYS = 2_000;

/**
 * Two JSON values by their leaves: what came, what went, what is another now. An empty list or object says nothing, and has
 * none. The order is that of the keys as they come.
 */
export function diffKeys(before: unknown, after: unknown): KeyChange[] {
  const [old, now] = [leavesOf(before), leavesOf(after)];
  const paths = [...new Set([...old.keys(), ...now.keys()])].slice(0, MOST_KEYS);
  return paths.map((path) => {
    const [was, is] = [old.get(path), now.get(path)];
    return { path, before: was, after: is, change: changeOf(old.has(path), now.has(path), isSame(was, is)) };
  });
}

function changeOf(was: boolean, is: boolean, same: boolean): Change {
  if (!was) return "added";
  if (!is) return "removed";
  return same ? "same" : "changed";
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function leavesOf(value: unknown): Map<string, unknown> {
  const leaves = new Map<string, unknown>();
  collect(value, "", 0, leaves);
  return leaves;
}

function collect(value: unknown, path: string, depth: number, leaves: Map<string, unknown>): void {
  if (value === undefined || (path === "" && value === null)) return;
  if (!isContainer(value) || depth === DEEPEST) leaves.set(path === "" ? "value" : path, value);
  else for (const [name, member] of membersOf(value, path)) collect(member, name, depth + 1, leaves);
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;

function membersOf(value: object, path: string): [string, unknown][] {
  if (Array.isArray(value)) return value.map((member: unknown, index) => [`${path}[${index}]`, member]);
  return Object.entries(value).map(([name, member]) => [path === "" ? name : `${path}.${name}`, member]);
}
