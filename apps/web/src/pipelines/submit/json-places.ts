/** Where in a text of JSON each value stands, so that a fault that is named by its path is shown at its line. */
export type JsonPlaces = {
  /** The line of each value by its path, such as `contract.refs[0].uri`; the text's own value has the empty path. */
  readonly lines: ReadonlyMap<string, number>;
  /** Where it stops being JSON. */
  readonly fault: { readonly line: number; readonly column: number } | undefined;
};

const token =
  /[ \t\r\n]*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;
const plainName = /^[A-Za-z_]\w*$/;
const mostDeep = 100;

class NoJson extends Error {
  override readonly name = "NoJson";
  readonly at: number;
  constructor(at: number) {
    super("no JSON");
    this.at = at;
  }
}

export function jsonPlaces(text: string): JsonPlaces {
  const lines = new Map<string, number>();
  const placeOf = lineCounter(text);
  let at = 0;
  const peekStart = (): number => at + (/^[ \t\r\n]*/.exec(text.slice(at, at + 10_000))?.[0].length ?? 0);
  const next = (): { text: string; start: number } => {
    token.lastIndex = at;
    const found = token.exec(text);
    const said = found?.[1] ?? found?.[2] ?? found?.[3];
    if (said === undefined) throw new NoJson(peekStart());
    at = token.lastIndex;
    if (said.startsWith('"') && textOf(said) === undefined) throw new NoJson(at - said.length);
    return { text: said, start: at - said.length };
  };

  function value(path: string, depth: number, given = next()): void {
    if (depth > mostDeep) throw new NoJson(given.start);
    lines.set(path, placeOf(given.start).line);
    if (given.text === "{") members(path, depth);
    else if (given.text === "[") items(path, depth);
    else if (/^[}\],:]/.test(given.text)) throw new NoJson(given.start);
  }

  function members(path: string, depth: number): void {
    for (let name = next(), first = true; ; name = next(), first = false) {
      if (name.text === "}" && first) return;
      if (!name.text.startsWith('"')) throw new NoJson(name.start);
      expect(":");
      value(joined(path, textOf(name.text) ?? ""), depth + 1);
      const after = next();
      if (after.text === "}") return;
      if (after.text !== ",") throw new NoJson(after.start);
    }
  }

  function items(path: string, depth: number): void {
    for (let index = 0; ; index += 1) {
      const item = next();
      if (item.text === "]" && index === 0) return;
      value(`${path}[${index}]`, depth + 1, item);
      const after = next();
      if (after.text === "]") return;
      if (after.text !== ",") throw new NoJson(after.start);
    }
  }

  function expect(mark: string): void {
    const found = next();
    if (found.text !== mark) throw new NoJson(found.start);
  }

  try {
    value("", 0);
    if (peekStart() < text.length) throw new NoJson(peekStart());
    return { lines, fault: undefined };
  } catch (thrown) {
    if (!(thrown instanceof NoJson)) throw thrown;
    return { lines, fault: placeOf(thrown.at) };
  }
}

/** An escape that is none and a bare line break end a text of JSON as well. */
function textOf(quoted: string): string | undefined {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}

const joined = (path: string, name: string): string => {
  if (!plainName.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === "" ? name : `${path}.${name}`;
};

function lineCounter(text: string): (at: number) => { line: number; column: number } {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (at) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: at - (starts[low] ?? 0) + 1 };
  };
}

/** The line of the value, or of the nearest one around it that is written: what is missing has no line of its own. */
export function lineOf({ lines }: JsonPlaces, path: string): number {
  for (
    let rest = path;
    rest !== "";
    rest = rest.slice(0, Math.max(rest.lastIndexOf("."), rest.lastIndexOf("["), 0))
  ) {
    const line = lines.get(rest);
    if (line !== undefined) return line;
  }
  return lines.get("") ?? 1;
}
