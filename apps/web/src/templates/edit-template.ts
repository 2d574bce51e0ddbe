import { type Document, isMap, isScalar, isSeq, type YAMLMap } from "yaml";
import { exchangeScalar } from "@signalbox/core/edit-yaml";
import { keepLayout } from "./keep-layout.ts";
import { readTemplates, type Template } from "./template-graph.ts";
import { openText, printText, readText } from "./template-text.ts";
import { aliased, isNothing, stageNodes } from "./yaml-nodes.ts";

/** An edit of a text, or why there is none. The text that came is never half changed. */
export type Edited = { kind: "edited"; text: string } | { kind: "refused"; reason: string };
export type FieldPath = readonly [string, ...string[]];
export type FieldValue = string | number | boolean | readonly string[] | undefined;

type Opening = { template: Template; node: YAMLMap; document: Document.Parsed };
/** Changes the nodes, or says why not. */
type Change = (opening: Opening) => string | undefined;

const refused = (reason: string): Edited => ({ kind: "refused", reason });

/** Comments, order and layout of what the change does not touch stay as their author wrote them. */
export function editTemplate(text: string, templateId: string, change: Change): Edited {
  const opened = openText(text);
  if (opened.kind === "unreadable") return refused("The YAML cannot be read; mend it first.");
  const { document, value } = opened;
  const template = readTemplates(value).templates.find(({ id }) => id === templateId);
  const node = template && document.getIn(["pipeline_templates", "templates", template.index]);
  if (template === undefined) return refused(`There is no template “${templateId}” in this document.`);
  if (!isMap(node)) return refused("This template is written as an alias of another; edit it as YAML.");
  return changed(document, text, () => change({ template, node, document }));
}

/** Applies a change to an open document, and prints what it has become. */
function changed(document: Document.Parsed, text: string, change: () => string | undefined): Edited {
  const printed = printText(document, text);
  const reason = change();
  if (reason !== undefined) return refused(reason);
  let edited: string;
  try {
    edited = printText(document, text);
  } catch {
    return refused("Other parts of the document refer to this by an anchor; edit it as YAML.");
  }
  const kept = keepLayout(text, printed, edited);
  if (kept === edited) return { kind: "edited", text: edited };
  const reread = openText(kept);
  const same = reread.kind === "open" && printText(reread.document, text) === edited;
  return { kind: "edited", text: same ? kept : edited };
}

/** Sets a field of a stage, or takes it away, and with it the mappings around it that then say nothing. */
export const setStageField = (
  text: string,
  templateId: string,
  id: string,
  path: FieldPath,
  value: FieldValue,
): Edited =>
  exchanged(text, templateId, path, value, id) ??
  editTemplate(text, templateId, ({ template, node, document }) => {
    const stage = template.stages.find((known) => known.id === id);
    const own = stage && stageNodes(node)?.[stage.index];
    return own === undefined ? aliased(`The stage “${id}”`) : setField(own, path, value, document);
  });

/** A field of the template itself or of its policy. */
export const setTemplateField = (
  text: string,
  templateId: string,
  path: FieldPath,
  value: FieldValue,
): Edited =>
  exchanged(text, templateId, path, value) ??
  editTemplate(text, templateId, ({ node, document }) => setField(node, path, value, document));

/**
 * A value that stands in the text by itself is exchanged there: reading and printing two hundred stages, twice each, for a
 * letter of one of them takes longer than an eye waits. Undefined where the document has to be written anew.
 */
function exchanged(
  text: string,
  templateId: string,
  path: FieldPath,
  value: FieldValue,
  stageId?: string,
): Edited | undefined {
  if (value === undefined || typeof value === "object") return undefined;
  const opened = readText(text);
  if (opened.kind === "unreadable") return undefined;
  const template = readTemplates(opened.value).templates.find(({ id }) => id === templateId);
  if (template === undefined) return undefined;
  const node = opened.document.getIn(["pipeline_templates", "templates", template.index], true);
  const stage = template.stages.find(({ id }) => id === stageId);
  const whole = isMap(node) ? node : undefined;
  let map: unknown = stageId === undefined ? whole : whole && stage && stageNodes(whole)?.[stage.index];
  for (const key of path.slice(0, -1)) map = isMap(map) ? map.get(key, true) : undefined;
  // Between brackets a comma would end what it stands in.
  if (!isMap(map) || map.flow === true) return undefined;
  const found = exchangeScalar(text, map.get(path.at(-1), true), value);
  return found === undefined ? undefined : { kind: "edited", text: found };
}

function setField(
  map: YAMLMap,
  [key, ...rest]: FieldPath,
  value: FieldValue,
  document: Document.Parsed,
): string | undefined {
  const found = map.get(key, true);
  const [next, ...further] = rest;
  if (next !== undefined) {
    if (found === undefined && value === undefined) return undefined;
    if (found !== undefined && !isMap(found) && !isNothing(found)) return aliased(`The field ${key}`);
    const inner = isMap(found) ? found : document.createNode({});
    if (inner !== found) map.set(key, inner);
    const reason = setField(inner, [next, ...further], value, document);
    if (inner.items.length === 0) map.delete(key);
    return reason;
  }
  if (value === undefined) map.delete(key);
  else if (isScalar(found) && !Array.isArray(value)) found.value = value;
  else map.set(key, document.createNode(value, { flow: Array.isArray(value) }));
  return undefined;
}

/** A text for a new version, since what was published never changes. */
export function setVersion(text: string, version: string): Edited {
  const opened = openText(text);
  if (opened.kind === "unreadable") return refused("The YAML cannot be read; mend it first.");
  const { document } = opened;
  const found = document.getIn(["pipeline_templates", "version"], true);
  return changed(document, text, () => {
    if (isScalar(found)) found.value = version;
    else document.setIn(["pipeline_templates", "version"], version);
    return undefined;
  });
}

/** Adds a template that is given as YAML of its own, behind those that are there. */
export function addTemplate(text: string, template: string): Edited {
  const opened = openText(text);
  const added = openText(template);
  if (opened.kind === "unreadable" || added.kind === "unreadable")
    return refused("The YAML cannot be read; mend it first.");
  const { document, value } = opened;
  const id = String(added.document.get("template_id"));
  if (readTemplates(value).templates.some((known) => known.id === id))
    return refused(`There is a template “${id}” already.`);
  const list = document.getIn(["pipeline_templates", "templates"], true);
  return changed(document, text, () => {
    if (isSeq(list)) {
      list.items.push(added.document.contents);
      list.flow = false;
    } else
      document.setIn(["pipeline_templates", "templates"], document.createNode([added.document.contents]));
    return undefined;
  });
}

export function removeTemplate(text: string, templateId: string): Edited {
  const opened = openText(text);
  if (opened.kind === "unreadable") return refused("The YAML cannot be read; mend it first.");
  const { document, value } = opened;
  const found = readTemplates(value).templates.find(({ id }) => id === templateId);
  const list = document.getIn(["pipeline_templates", "templates"], true);
  if (found === undefined || !isSeq(list)) return refused(`There is no template “${templateId}”.`);
  return changed(document, text, () => {
    list.items.splice(found.index, 1);
    return undefined;
  });
}
