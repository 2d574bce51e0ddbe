import { isScalar, isSeq } from "yaml";
import { type Edited, editTemplate } from "./edit-template.ts";
import { renameInPlaceholders } from "./placeholders.ts";
import type { Template } from "./template-graph.ts";
import {
  addName,
  aliased,
  edgeNodes,
  listAt,
  removeEdges,
  removeName,
  scalarAt,
  setScalar,
  stageNodes,
  writeLike,
} from "./yaml-nodes.ts";

const MOST_STAGES = 200;

export const addStage = (
  text: string,
  templateId: string,
  stage: { id: string; taskType: string; after?: string | undefined },
): Edited =>
  editTemplate(text, templateId, ({ template, node, document }) => {
    const { stages } = template;
    const fault = idFault(stage.id, template);
    if (fault !== undefined) return fault;
    if (stages.length >= MOST_STAGES) return `A template has at most ${MOST_STAGES} stages.`;
    const before = stages.find(({ id }) => id === stage.after);
    const list = listAt(node, "stages", document);
    if (list === undefined) return aliased("The stages");
    const like = scalarAt(list.items[0], "stage_id");
    const made = document.createNode({ stage_id: stage.id, task_type: stage.taskType, required: true });
    for (const { value } of made.items) if (isScalar(value)) writeLike(value, like);
    if (before !== undefined) addName(made, "depends_on_stages", before.id, document, like);
    list.items.splice(before === undefined ? list.items.length : before.index + 1, 0, made);
    return undefined;
  });

export const renameStage = (text: string, templateId: string, from: string, to: string): Edited =>
  editTemplate(text, templateId, ({ template, node }) => {
    if (from === to) return undefined;
    const fault = idFault(to, template);
    if (fault !== undefined) return fault;
    const stages = stageNodes(node);
    if (stages === undefined) return aliased("A stage");
    for (const stage of stages) {
      setScalar(stage.get("stage_id", true), from, to);
      const waits = stage.get("depends_on_stages", true);
      if (isSeq(waits)) for (const item of waits.items) setScalar(item, from, to);
      for (const edge of edgeNodes(stage)) setScalar(edge.get("target_stage_id", true), from, to);
      renameInPlaceholders(stage.get("inputs", true), from, to);
    }
    return undefined;
  });

/** What waited plainly for a stage that goes waits for what the stage waited for: it must not begin at once. */
export const removeStage = (text: string, templateId: string, id: string): Edited =>
  editTemplate(text, templateId, ({ template, node, document }) => {
    const gone = template.stages.find((stage) => stage.id === id);
    if (gone === undefined) return `There is no stage “${id}”.`;
    if (template.stages.length === 1) return "A template has at least one stage; this is the last.";
    const stages = stageNodes(node);
    if (stages === undefined) return aliased("A stage");
    for (const stage of template.stages) {
      const own = stages[stage.index];
      if (own === undefined || stage === gone) continue;
      if (stage.waitsFor.includes(id)) {
        removeName(own, "depends_on_stages", id);
        for (const before of gone.waitsFor) {
          if (!stage.waitsFor.includes(before))
            addName(own, "depends_on_stages", before, document, undefined);
        }
      }
      removeEdges(own, id);
    }
    listAt(node, "stages", document)?.items.splice(gone.index, 1);
    return undefined;
  });

/** Puts a stage at another place of the document, and with it of its column in the graph. */
export const moveStage = (text: string, templateId: string, id: string, to: number): Edited =>
  editTemplate(text, templateId, ({ template, node, document }) => {
    const from = template.stages.findIndex((stage) => stage.id === id);
    const list = listAt(node, "stages", document);
    if (from === -1 || list === undefined) return `There is no stage “${id}”.`;
    const place = Math.max(0, Math.min(to, list.items.length - 1));
    list.items.splice(place, 0, ...list.items.splice(from, 1));
    return undefined;
  });

function idFault(id: string, { stages }: Template): string | undefined {
  if (id === "") return "A stage needs an id.";
  if (id.length > 200) return "An id has at most 200 characters.";
  if (/[\s\p{Cc}]/u.test(id)) return "An id holds no white space.";
  return stages.some((stage) => stage.id === id) ? `There is a stage “${id}” already.` : undefined;
}
