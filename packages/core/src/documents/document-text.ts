import type { FieldPath } from "@signalbox/contracts";
import {
  Composer,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type ParsedNode,
  Parser,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { type Fault, faultAt, type Finding, inOrder, type Place, readAs } from "./fault.ts";

/** What one document may cost, whatever it says: an alias counts as often as it is used. */
export const DOCUMENT_LIMITS = {
  characters: 256 * 1024,
  lexemes: 80_000,
  values: 10_000,
  depth: 32,
} as const;

/** A document as plain JSON values, and where each of them stands in the text. */
export type DocumentText = { value: unknown; place: (path: FieldPath, at: Finding["at"]) => Place };

type Container = Record<string, unknown> | unknown[];
type Offsets = Map<string | number, { key: number; value: number }>;

/** Reads YAML 1.2, and with it JSON. Nothing of the text is read as code, and no part of it costs more than linear time. */
export function readDocumentText(
  text: string,
): { kind: "read"; document: DocumentText } | { kind: "refused"; faults: Fault[] } {
  if (text.length > DOCUMENT_LIMITS.characters) {
    const message = `the document has ${text.length} characters; at most ${DOCUMENT_LIMITS.characters} are allowed`;
    return {
      kind: "refused",
      faults: [faultAt({ line: 1, column: 1 }, { path: [], rule: "size", message })],
    };
  }
  const lines = new LineCounter();
  const placeOf = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const faults: Fault[] = [];
  const report = (offset: number, finding: Omit<Finding, "at">) =>
    faults.push(faultAt(placeOf(offset), finding));

  const root = compose(text, lines, report);
  if (faults.length > 0) return { kind: "refused", faults: inOrder(faults) };

  const offsets = new WeakMap<object, Offsets>();
  const value = toPlain(root, offsets, report);
  if (faults.length > 0) return { kind: "refused", faults: inOrder(faults) };
  const place = (path: FieldPath, at: Finding["at"]) => placeOf(offsetOf(value, path, at, offsets));
  return { kind: "read", document: { value, place } };
}

type Report = (offset: number, finding: Omit<Finding, "at">) => void;

const syntax = (message: string): Omit<Finding, "at"> => ({ path: [], rule: "syntax", message });
const tooLarge: Omit<Finding, "at"> = {
  path: [],
  rule: "size",
  message: `the document holds too much; at most ${DOCUMENT_LIMITS.values} values are allowed, an alias counted as often as it is used`,
};
const tooDeep = (path: FieldPath): Omit<Finding, "at"> => ({
  path,
  rule: "depth",
  message: `values lie more than ${DOCUMENT_LIMITS.depth} levels deep`,
});

function compose(text: string, lines: LineCounter, report: Report): ParsedNode | null {
  const parser = new Parser(lines.addNewLine);
  const tokens = [];
  lines.addNewLine(0);
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    lexemes += 1;
    if (lexemes > DOCUMENT_LIMITS.lexemes) {
      report(parser.offset, tooLarge);
      return null;
    }
    // The composer recurses: what is too deep must not reach it. A level takes at most two places on this stack.
    if (parser.stack.length > 2 * DOCUMENT_LIMITS.depth + 4) {
      report(parser.offset, tooDeep([]));
      return null;
    }
  }
  tokens.push(...parser.end());

  // Keys are compared in toPlain: the library compares each pair, in quadratic time.
  const composer = new Composer({
    version: "1.2",
    schema: "core",
    uniqueKeys: false,
    resolveKnownTags: false,
  });
  const [document, second] = composer.compose(tokens, true, text.length);
  if (document === undefined) return null;
  for (const error of [...document.errors, ...document.warnings]) report(error.pos[0], syntax(error.message));
  const version = document.directives.yaml.explicit ? document.directives.yaml.version : "1.2";
  if (version !== "1.2") report(0, syntax(`the document says YAML ${version}; YAML 1.2 is read here`));
  if (second !== undefined) report(second.range[0], syntax("a second document begins here; one is read"));
  return document.contents;
}

function toPlain(root: ParsedNode | null, offsets: WeakMap<object, Offsets>, report: Report): unknown {
  const anchors = new Map<string, Node>();
  let values = 0;
  let exhausted = false;

  return plain(root, [], false);

  function plain(node: Node | null, path: FieldPath, expanding: boolean): unknown {
    if (node === null || exhausted) return null;
    const offset = node.range?.[0] ?? 0;
    values += 1;
    if (values > DOCUMENT_LIMITS.values || path.length > DOCUMENT_LIMITS.depth) {
      exhausted = true;
      report(offset, path.length > DOCUMENT_LIMITS.depth ? tooDeep(path) : tooLarge);
      return null;
    }
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target !== undefined) return plain(target, path, true);
      report(offset, syntax(`no anchor ${readAs(node.source)} stands before this alias`));
      return null;
    }
    if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor !== undefined && !expanding)
      anchors.set(node.anchor, node);
    if (isMap(node)) return plainMap(node, path, expanding);
    if (isSeq(node)) return plainList(node, path, expanding);
    return isScalar(node) ? plainScalar(node) : null;
  }

  function plainMap(map: YAMLMap, path: FieldPath, expanding: boolean): Record<string, unknown> {
    const places: Offsets = new Map();
    const entries: [string, unknown][] = [];
    for (const pair of map.items) {
      const keyNode = isScalar(pair.key) ? pair.key : undefined;
      const at = keyNode?.range?.[0] ?? map.range?.[0] ?? 0;
      const key = keyNode?.value;
      if (typeof key !== "string" || key === "__proto__" || key === "<<") {
        report(at, { path, rule: "key", message: `${readAs(key)} cannot be a key here; keys are names` });
        continue;
      }
      if (places.has(key)) {
        report(at, {
          path: [...path, key],
          rule: "duplicate_key",
          message: `the key "${key}" stands here a second time`,
        });
        continue;
      }
      const valueNode = isNode(pair.value) ? pair.value : null;
      places.set(key, { key: at, value: valueNode?.range?.[0] ?? at });
      entries.push([key, plain(valueNode, [...path, key], expanding)]);
    }
    return placed(Object.fromEntries(entries), places);
  }

  function plainList(list: YAMLSeq, path: FieldPath, expanding: boolean): unknown[] {
    const places: Offsets = new Map();
    const items = list.items.map((item, index) => {
      const node = isNode(item) ? item : null;
      const at = node?.range?.[0] ?? list.range?.[0] ?? 0;
      places.set(index, { key: at, value: at });
      return plain(node, [...path, index], expanding);
    });
    return placed(items, places);
  }

  function placed<C extends Container>(container: C, places: Offsets): C {
    offsets.set(container, places);
    return container;
  }
}

const plainScalar = (node: Scalar): unknown => node.value ?? null;

/** The place of a value, or of the nearest thing around it that is there. */
function offsetOf(
  root: unknown,
  path: FieldPath,
  at: Finding["at"],
  offsets: WeakMap<object, Offsets>,
): number {
  let offset = 0;
  let value = root;
  for (const [depth, step] of path.entries()) {
    if (typeof value !== "object" || value === null) break;
    const found = offsets.get(value)?.get(step);
    if (found === undefined) break;
    const last = depth === path.length - 1;
    offset = last && at === "key" ? found.key : found.value;
    value = Reflect.get(value, step);
  }
  return offset;
}
