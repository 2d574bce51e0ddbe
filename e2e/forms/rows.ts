import { unbroken } from "../scripted-work.ts";
import { longInstance, longName, longPack, longTask, longTemplate, longTerritory } from "./long-names.ts";

/** What the long content has made, by its ids. */
export type Found = {
  pipelineId: string;
  unsentId: string;
  escalationId: string;
  entryId: string;
  proposalId: string;
};
type Form =
  /** Seen at this address (else the page's own), where this is said. */
  | { readonly says: string | RegExp; readonly at?: (found: Found) => string }
  /** The page cannot be so, and why. */
  | { readonly never: string };
/** A page in its four forms. */
export type Row = {
  readonly path: (found: Found) => string;
  readonly heading: string | RegExp;
  readonly empty: Form;
  /** Without one it is the frame with a word of waiting, and the page of the failure. */
  readonly readsNothing?: string;
  readonly long: Form;
};

const nowhere = "0190b3a8-8f0f-7bbb-8888-0123456789ab";

const noSuch = (says: string, at: string): Form => ({ says, at: () => at });
/** Each page by its route. */
export const rows: Record<string, Row> = {
  "/": {
    path: () => "/",
    heading: "Overview",
    empty: { says: "No task has been submitted yet" },
    long: { says: unbroken },
  },
  "/alerts/metrics": {
    path: () => "/alerts/metrics",
    heading: "Metrics",
    empty: { says: "None has completed yet." },
    long: { never: "its measures are always the same, and so are their names" },
  },
  "/alerts": {
    path: () => "/alerts",
    heading: "Alerts",
    empty: { says: "Nothing happened that needs somebody’s eye." },
    long: { says: longInstance },
  },
  "/audit/": {
    path: () => "/audit",
    heading: "Audit",
    empty: { says: "Nothing on record fits all of that", at: () => "/audit?q=nobodysaidthis" },
    long: { says: longPack, at: () => `/audit?q=${longPack}` },
  },
  "/audit/$entryId": {
    path: ({ entryId }) => `/audit/${entryId}`,
    heading: /./,
    empty: noSuch("No entry on record has this id", `/audit/${nowhere}`),
    long: { says: longPack },
  },
  "/escalations/": {
    path: () => "/escalations",
    heading: "Escalations",
    empty: { says: "Nothing waits for a person" },
    long: { says: unbroken },
  },
  "/escalations/$escalationId": {
    path: ({ escalationId }) => `/escalations/${escalationId}`,
    heading: /./,
    empty: noSuch("There is no escalation of this name", "/escalations/nobody-e1"),
    long: { says: unbroken },
  },
  "/instances/": {
    path: () => "/instances",
    heading: "Instances",
    empty: { says: /No (agent|instance)/ },
    long: { says: longInstance },
  },
  "/learning/": {
    path: () => "/learning",
    heading: "Cache and learning",
    empty: { says: "Nothing is proposed" },
    long: { says: longTerritory },
  },
  "/learning/$proposalId": {
    path: ({ proposalId }) => `/learning/${proposalId}`,
    heading: new RegExp(longTerritory),
    empty: noSuch("There is no proposal of this name", `/learning/${nowhere}`),
    long: { says: longTerritory },
  },
  "/packs/": {
    path: () => "/packs",
    heading: "Packs",
    empty: { says: /register/i },
    long: { says: longPack },
  },
  "/packs/$packId/versions/$packVersion": {
    path: () => `/packs/${longPack}/versions/1.0.0`,
    heading: longPack,
    empty: noSuch("This pack version is not registered", "/packs/nobody/versions/1.0.0"),
    long: { says: longPack },
  },
  "/pipelines/": {
    path: () => "/pipelines",
    heading: "Pipelines",
    empty: { says: "No task has been submitted yet" },
    long: { says: longTask },
  },
  "/pipelines/submit": {
    path: () => "/pipelines/submit",
    heading: "Submit a task",
    empty: { says: /template/i },
    readsNothing: "its form needs nothing to be filled in",
    long: { never: "it shows what one writes, and names of templates" },
  },
  "/pipelines/$pipelineId": {
    path: ({ pipelineId }) => `/pipelines/${pipelineId}`,
    heading: longTask,
    empty: noSuch("There is no such pipeline", "/pipelines/nobody"),
    long: { says: longTask },
  },
  "/pipelines/$pipelineId/": {
    path: ({ pipelineId }) => `/pipelines/${pipelineId}`,
    heading: longTask,
    empty: noSuch("There is no such pipeline", "/pipelines/nobody"),
    long: { says: unbroken },
  },
  "/pipelines/$pipelineId/attempts": {
    path: ({ pipelineId }) => `/pipelines/${pipelineId}/attempts`,
    heading: longTask,
    empty: {
      says: "Nothing was sent to an agent yet",
      at: ({ unsentId }) => `/pipelines/${unsentId}/attempts`,
    },
    long: { says: unbroken, at: ({ pipelineId }) => `/pipelines/${pipelineId}/attempts?view=turns` },
  },
  "/pipelines/$pipelineId/artifacts": {
    path: ({ pipelineId }) => `/pipelines/${pipelineId}/artifacts`,
    heading: longTask,
    empty: {
      says: "No stage has handed on an artifact",
      at: ({ unsentId }) => `/pipelines/${unsentId}/artifacts`,
    },
    long: { says: longTask },
  },
  "/pipelines/$pipelineId/trace": {
    path: ({ pipelineId }) => `/pipelines/${pipelineId}/trace`,
    heading: longTask,
    empty: {
      says: "This trace has no such span",
      at: ({ pipelineId }) => `/pipelines/${pipelineId}/trace?span=none`,
    },
    long: { says: longTask },
  },
  "/policies/": {
    path: () => "/policies",
    heading: "Routing policies",
    empty: { says: "No routing policy is in force" },
    long: { says: longPack },
  },
  "/policies/$version": {
    path: () => "/policies/1.0.1",
    heading: /Routing policy/,
    empty: noSuch("This version of the routing policy is not here", "/policies/9.9.9"),
    long: { says: longPack },
  },
  "/policies/edit": {
    path: () => "/policies/edit",
    heading: "Routing policy",
    empty: { says: "No task type has a route" },
    long: { says: longPack, at: () => "/policies/edit?version=7.0.0" },
  },
  "/settings/members": {
    path: () => "/settings/members",
    heading: "Settings",
    empty: { never: "who looks at it is a member" },
    long: { says: longName },
  },
  "/settings/keys": {
    path: () => "/settings/keys",
    heading: "Settings",
    empty: { never: "a Signalbox that is tested has a key" },
    long: { says: longName.slice(0, 80) },
  },
  "/settings/redaction": {
    path: () => "/settings/redaction",
    heading: "Settings",
    empty: { says: "No routing policy is published" },
    long: { never: "it shows what one writes, and the patterns that are built in" },
  },
  "/settings/retention": {
    path: () => "/settings/retention",
    heading: "Settings",
    empty: { says: "Nothing holds the record, and nothing ever did." },
    long: { says: unbroken },
  },
  "/settings/gates": {
    path: () => "/settings/gates",
    heading: "Settings",
    empty: { never: "the six checks are always the same" },
    readsNothing: "the six checks are in the page",
    long: { never: "the six checks are always the same" },
  },
  "/templates/": {
    path: () => "/templates",
    heading: "Templates",
    empty: { says: "There is no version yet." },
    long: { says: longTemplate, at: () => "/templates?version=7.0.0" },
  },
  "/templates/$templateId/versions/$version": {
    path: () => `/templates/${longTemplate}/versions/7.0.0`,
    heading: longTemplate,
    empty: noSuch("This version has no such template", "/templates/none/versions/9.9.9"),
    long: { says: longTemplate },
  },
  "/templates/$templateId/edit": {
    path: () => `/templates/${longTemplate}/edit?from=7.0.0`,
    heading: longTemplate,
    empty: { says: /starter|template_id|single/, at: () => "/templates/new-one/edit?starter=single" },
    long: { says: longTemplate },
  },
};
