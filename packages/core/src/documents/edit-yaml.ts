import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  parseDocument,
  Scalar,
  visit,
} from "yaml";

export type YamlPath = readonly (string | number)[];
export type YamlValue =
  | string
  | number
  | boolean
  | null
  | readonly YamlValue[]
  | { [key: string]: YamlValue };

/** Beyond it the server refuses the text; a form over it would only be slow. */
const MOST_CHARACTERS = 256 * 1024;

/** The library's own check of keys takes quadratic time; a second key of one name is the server's to refuse. */
const open = (text: string): Document | undefined => {
  if (text.length > MOST_CHARACTERS) return undefined;
  const document = parseDocument(text, { uniqueKeys: false });
  return document.errors.length === 0 ? document : undefined;
};

/** The text as plain values, for a form to show; undefined while it is no YAML. */
export function readYaml(text: string): { value: unknown } | undefined {
  try {
    const document = open(text);
    return document && { value: document.toJS() };
  } catch {
    // Aliases that would expand without end.
    return undefined;
  }
}

/**
 * Sets one value, or takes it out where `value` is undefined. A value that stands there already is exchanged by itself,
 * to the letter of all around it; what is added or removed leaves comments and order as they are.
 */
export function setInYaml(text: string, path: YamlPath, value: YamlValue | undefined): string {
  const document = open(text);
  if (document === undefined) return text;
  const found = document.getIn(path, true);
  if (value === undefined) {
    if (found === undefined) return text;
    document.deleteIn(path);
    return print(document, text);
  }
  const exchanged = isPlain(value) ? exchangeScalar(text, found, value) : undefined;
  if (exchanged !== undefined) return exchanged;
  if (isNode(found) && isScalar(found) && isPlain(value)) found.value = value;
  else if (clearWay(document, path)) document.setIn(path, nodeLike(document, found, value));
  else return text;
  return print(document, text);
}

/** The text with one value exchanged where it stands, to the letter of all around it; undefined where it does not stand by itself. */
export function exchangeScalar(text: string, found: unknown, value: Plain): string | undefined {
  if (!isScalar(found) || !found.range || found.anchor !== undefined || isBlock(found)) return undefined;
  const [from, to] = found.range;
  return to > from ? text.slice(0, from) + written(value, found) + text.slice(to) : undefined;
}

export function addToYaml(text: string, path: YamlPath, value: YamlValue): string {
  const document = open(text);
  if (document === undefined) return text;
  const list = document.getIn(path, true);
  if (isSeq(list)) {
    const sample = list.items.at(-1);
    const node = document.createNode(value);
    // In braces a text of several lines would be folded, and be another one.
    const hasLines = JSON.stringify(value).includes(String.raw`\n`);
    if (isCollection(node) && isCollection(sample))
      node.flow = sample.flow === true && !(hasLines && list.flow !== true);
    if (isScalar(node) && isScalar(sample) && typeof sample.value === "string" && sample.type !== undefined)
      node.type = sample.type;
    list.add(node);
  } else if (clearWay(document, path)) document.setIn(path, document.createNode([value]));
  else return text;
  return print(document, text);
}

/** A key that says nothing yet makes way for what is to stand below it; anything else that cannot hold it is the writer's own. */
function clearWay(document: Document, path: YamlPath): boolean {
  for (let steps = 1; steps < path.length; steps += 1) {
    const above = path.slice(0, steps);
    const node = document.getIn(above, true);
    if (node === undefined) return true;
    if (isSeq(node) && typeof path[steps] !== "number") return false;
    if (isCollection(node)) continue;
    if (!isScalar(node) || node.value !== null || typeof path[steps] === "number") return false;
    const begun = document.createNode({});
    begun.commentBefore = node.comment ?? null;
    document.setIn(above, begun);
    return true;
  }
  return true;
}

type Plain = string | number | boolean | null;
const isPlain = (value: YamlValue): value is Plain => typeof value !== "object" || value === null;
const isBlock = ({ type }: Scalar): boolean => type === Scalar.BLOCK_FOLDED || type === Scalar.BLOCK_LITERAL;

/** In the quotes that stood there; without, where the value needs none and had none. */
function written(value: Plain, before: Scalar): string {
  const scalar = new Scalar(value);
  if (typeof value === "string" && before.type !== undefined) scalar.type = before.type;
  const document = parseDocument("a: 0");
  document.set("a", scalar);
  // No-break spaces and their like are letters to YAML, and white space to `trimEnd`.
  const line = document.toString({ lineWidth: 0 }).slice("a: ".length).replace(/\n$/, "");
  return line.includes("\n") ? JSON.stringify(value) : line;
}

/** In a text that is JSON, or as good as, every text is written on one line. */
function quoteLines(document: Document): void {
  if (!isCollection(document.contents) || document.contents.flow !== true) return;
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === "string" && node.value.includes("\n")) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
}

function nodeLike(document: Document, before: unknown, value: YamlValue) {
  const node = document.createNode(value);
  if (isCollection(node) && isCollection(before)) {
    node.flow = before.flow === true;
    if (isNode(before)) {
      node.comment = before.comment ?? null;
      node.commentBefore = before.commentBefore ?? null;
    }
  }
  return node;
}

/** As the text is written, as far as one can tell from it. */
function print(document: Document, text: string): string {
  quoteLines(document);
  const indent = /^( +)\S/m.exec(text)?.[1]?.length ?? 2;
  const printed = document.toString({
    lineWidth: 0,
    indent: Math.min(Math.max(indent, 1), 8),
    indentSeq: !hasFlatList(document, text),
    flowCollectionPadding: !/[[{][^\s\]}]/.test(text),
  });
  const aligned = alignedAs(text, printed);
  // Inside a quoted text, white space is more than looks.
  return JSON.stringify(readYaml(aligned)) === JSON.stringify(readYaml(printed)) ? aligned : printed;
}

const withoutAlignment = (line: string): string =>
  line
    .trimEnd()
    .replace(/\s+#/g, " #")
    .replace(/(?<=[[{])\s+/g, "")
    .replace(/(?<=\S)\s+(?=[\]}])/g, "");

/** The library sets each comment one space behind its value, and pads all brackets or none; a line that was there keeps its own. */
function alignedAs(before: string, printed: string): string {
  const old = Map.groupBy(before.split("\n"), withoutAlignment);
  return printed
    .split("\n")
    .map((line) => old.get(withoutAlignment(line))?.shift() ?? line.trimEnd())
    .join("\n");
}

/** Whether the items of a list stand below the first letter of its key, and not farther right. */
function hasFlatList(document: Document, text: string): boolean {
  const columnOf = (offset: number) => offset - (text.lastIndexOf("\n", offset - 1) + 1);
  const pending: unknown[] = [document.contents];
  for (const node of pending) {
    if (isSeq(node)) pending.push(...node.items);
    if (!isMap(node)) continue;
    for (const { key, value } of node.items) {
      if (isSeq(value) && value.flow !== true && isScalar(key) && key.range && value.range)
        return columnOf(key.range[0]) === columnOf(value.range[0]);
      pending.push(value);
    }
  }
  return false;
}
