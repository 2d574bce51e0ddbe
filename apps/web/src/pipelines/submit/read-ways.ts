import { outlineOf } from "../../policies/policy-outline.ts";
import { readTemplates } from "../../templates/template-graph.ts";
import { openText } from "../../templates/template-text.ts";
import type { KnownWays } from "./known-ways.ts";

/** From the text of the policy and of the templates in force, where there are any. */
export function readWays(policy: string | undefined, templates: string | undefined): KnownWays {
  const opened = templates === undefined ? undefined : openText(templates);
  const named = readTemplates(opened?.kind === "open" ? opened.value : undefined).templates;
  const routes = policy === undefined ? [] : (outlineOf(policy)?.routes ?? []);
  return {
    templates: named.filter(({ id }) => id !== "").map(({ id, name }) => ({ id, name })),
    taskTypes: [...new Set(routes.map(({ taskType }) => taskType))].filter((taskType) => taskType !== ""),
  };
}
