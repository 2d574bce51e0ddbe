export type Completion = { readonly label: string; readonly detail?: string };
/** What may stand at a place, and from where it replaces what is there. */
export type Completions = { readonly from: number; readonly options: readonly Completion[] };

/** The mapping keys that enclose a place, the innermost last, judged by indentation: a text being typed is no YAML yet. */
function keysAround(text: string, offset: number): { keys: string[]; word: string; indent: number } {
  const lines = text.slice(0, offset).split("\n");
  const line = lines.at(-1) ?? "";
  const word = /[^\s,[\]{}"':#]*$/.exec(line)?.[0] ?? "";
  const own = /^(?<indent>(?:\s|-\s)*)(?:(?<key>[\w-]+):\s)?/.exec(line)?.groups;
  const keys = own?.key === undefined ? [] : [own.key];
  const indent = own?.indent?.length ?? 0;
  let least = own?.key === undefined && /^\s*-\s/.test(line) ? line.search(/\S/) + 1 : indent;
  for (const before of lines.slice(0, -1).toReversed()) {
    const found = /^(?<indent>(?:\s|-\s)*)(?<key>[\w-]+):/.exec(before)?.groups;
    if (found?.key === undefined || found.indent === undefined || found.indent.length >= least) continue;
    keys.unshift(found.key);
    least = found.indent.length;
    if (least === 0) break;
  }
  return { keys, word, indent };
}

type Known = {
  /** The keys of a mapping, by the key that it stands under; those of the document by "". */
  readonly keysOf: Readonly<Record<string, readonly string[]>>;
  /** What may stand behind a key; undefined where that is for the writer to say. */
  readonly valuesOf: (key: string) => readonly Completion[] | undefined;
};

/** What may be written at this place of a document. */
export function completeAt(
  text: string,
  offset: number,
  { keysOf, valuesOf }: Known,
): Completions | undefined {
  const { keys, word } = keysAround(text, offset);
  const from = offset - word.length;
  const key = keys.at(-1) ?? "";
  const values = valuesOf(key);
  if (values !== undefined) return { from, options: values };
  if (/^(?:\s|-\s)*[\w-]+:\s/.test(lineAt(text, offset))) return undefined;
  const names = Object.hasOwn(keysOf, key) ? keysOf[key] : undefined;
  return names && { from, options: names.map((label) => ({ label: `${label}:` })) };
}

const lineAt = (text: string, offset: number) => text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
