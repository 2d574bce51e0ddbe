import type { YAMLMap } from "yaml";
import { type Edited, editTemplate } from "./edit-template.ts";
import { type Template, wayBetween } from "./template-graph.ts";
import {
  addName,
  aliased,
  edgeNodes,
  listAt,
  removeEdges,
  removeName,
  scalarAt,
  stageNodes,
} from "./yaml-nodes.ts";

const MOST_WAYS = 32;

export const connect = (text: string, templateId: string, from: string, to: string): Edited =>
  editTemplate(text, templateId, ({ template, node, document }) => {
    const { stages, lines } = template;
    const target = stages.find(({ id }) => id === to);
    if (target === undefined) return `There is no stage “${to}”.`;
    if (!stages.some(({ id }) => id === from)) return `There is no stage “${from}”.`;
    if (from === to) return "A stage cannot wait for itself.";
    if (lines.some((line) => line.from === from && line.to === to))
      return `“${to}” follows “${from}” already.`;
    const back = wayBetween(lines, to, from);
    if (back !== undefined) {
      return `“${from}” waits for “${to}” itself, so neither could start: ${[from, ...back].join(" → ")}.`;
    }
    if (target.waitsFor.length >= MOST_WAYS) return `A stage waits for at most ${MOST_WAYS} others.`;
    const own = stageNodes(node)?.[target.index];
    if (own === undefined) return aliased(`The stage “${to}”`);
    addName(own, "depends_on_stages", from, document, scalarAt(own, "stage_id"));
    return undefined;
  });

export const disconnect = (text: string, templateId: string, from: string, to: string): Edited =>
  editTemplate(text, templateId, ({ template, node }) => {
    const ends = endNodes(template, node, from, to);
    if (ends === undefined) return aliased("One of these stages");
    removeName(ends.target, "depends_on_stages", from);
    removeEdges(ends.source, to);
    return undefined;
  });

/** `undefined` makes it a plain dependency; text makes it an edge, which the stage before it lists with its condition. */
export const setCondition = (
  text: string,
  templateId: string,
  { from, to, condition }: { from: string; to: string; condition: string | undefined },
): Edited =>
  editTemplate(text, templateId, ({ template, node, document }) => {
    const line = template.lines.find((known) => known.from === from && known.to === to);
    const ends = endNodes(template, node, from, to);
    if (line === undefined) return `“${to}” does not follow “${from}”.`;
    if (ends === undefined) return aliased("One of these stages");
    const { source, target } = ends;
    const [first, ...others] = edgeNodes(source).filter((edge) => edge.get("target_stage_id") === to);
    if (condition === undefined) {
      removeEdges(source, to);
      if (!line.plain) addName(target, "depends_on_stages", from, document, scalarAt(target, "stage_id"));
      return undefined;
    }
    removeName(target, "depends_on_stages", from);
    const edges = listAt(source, "edges", document);
    if (edges === undefined) return aliased("The edges");
    edges.items = edges.items.filter((item) => !others.some((other) => other === item));
    const edge = first ?? document.createNode({ target_stage_id: to });
    if (first === undefined) {
      if (edges.items.length >= MOST_WAYS) return `A stage leads to at most ${MOST_WAYS} others.`;
      edges.items.push(edge);
    }
    if (condition.trim() === "") edge.delete("condition");
    else edge.set("condition", condition.trim());
    return undefined;
  });

function endNodes(template: Template, node: YAMLMap, from: string, to: string) {
  const nodes = stageNodes(node);
  const source = nodes?.[template.stages.findIndex(({ id }) => id === from)];
  const target = nodes?.[template.stages.findIndex(({ id }) => id === to)];
  return source === undefined || target === undefined ? undefined : { source, target };
}
