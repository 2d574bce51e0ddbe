import { type Document, isMap, isScalar, isSeq, Scalar, type YAMLMap, YAMLSeq } from "yaml";

export const aliased = (what: string) =>
  `${what} cannot be edited here: it is written as an alias, or in a form of its own. Edit it as YAML.`;

export const isNothing = (node: unknown): boolean => isScalar(node) && node.value === null;

/** Undefined where one of them is no mapping of its own. */
export function stageNodes(template: YAMLMap): YAMLMap[] | undefined {
  const list = template.get("stages", true);
  if (!isSeq(list)) return undefined;
  const maps = list.items.filter((item) => isMap(item));
  return maps.length === list.items.length ? maps : undefined;
}

export function edgeNodes(stage: YAMLMap): YAMLMap[] {
  const edges = stage.get("edges", true);
  return isSeq(edges) ? edges.items.filter((item) => isMap(item)) : [];
}

/** The list of a field, made where there is none. */
export function listAt(map: YAMLMap, key: string, document: Document.Parsed): YAMLSeq | undefined {
  const found = map.get(key, true);
  if (isSeq(found)) return found;
  if (found !== undefined && !isNothing(found)) return undefined;
  const made = new YAMLSeq(document.schema);
  map.set(key, made);
  return made;
}

export const scalarAt = (map: unknown, key: string): Scalar | undefined => {
  const found = isMap(map) ? map.get(key, true) : undefined;
  return isScalar(found) ? found : undefined;
};

/** In the quotes that the author uses for such words. */
export function writeLike(scalar: Scalar, like: Scalar | undefined): void {
  if (typeof scalar.value === "string" && like?.type !== undefined) scalar.type = like.type;
}

export function addName(
  map: YAMLMap,
  key: string,
  name: string,
  document: Document.Parsed,
  like: Scalar | undefined,
): void {
  const list = listAt(map, key, document);
  if (list === undefined) return;
  const scalar = new Scalar(name);
  writeLike(scalar, list.items.find((item) => isScalar(item)) ?? like);
  if (list.items.length === 0) list.flow = true;
  list.items.push(scalar);
}

export function removeName(map: YAMLMap, key: string, name: string): void {
  const list = map.get(key, true);
  if (!isSeq(list)) return;
  list.items = list.items.filter((item) => !(isScalar(item) && item.value === name));
  if (list.items.length === 0) map.delete(key);
}

export function removeEdges(stage: YAMLMap, to: string): void {
  const edges = stage.get("edges", true);
  if (!isSeq(edges)) return;
  edges.items = edges.items.filter((item) => !(isMap(item) && item.get("target_stage_id") === to));
  if (edges.items.length === 0) stage.delete("edges");
}

export function setScalar(node: unknown, from: string, to: string): void {
  if (isScalar(node) && node.value === from) node.value = to;
}
