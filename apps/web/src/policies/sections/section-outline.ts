import { list, type Mapping, mapping, textOf, textsOf } from "./plain-values.ts";

/** What the form shows of the sections beside `routing_policy`. */
export type SectionOutlines = {
  /** Undefined where the text has no such section: then what is built in holds, which an empty one takes away. */
  readonly redaction: RedactionOutline | undefined;
  readonly guardrails: readonly GuardrailOutline[];
  readonly sap: SapOutline;
  readonly handoffs: readonly HandoffOutline[];
};
export type RedactionOutline = {
  readonly always: readonly string[];
  readonly conditional: readonly { field: string; rule: string; maxLength: string }[];
  readonly enforcement: readonly string[];
};
export type GuardrailOutline = { readonly name: string; readonly when: string; readonly effect: string };
export type CapabilityOutline = {
  readonly capability: string;
  /** With neither, the capability is the task type. */
  readonly work: "itself" | "task_type" | "template_id";
  readonly workName: string;
  /** Undefined lets people and their keys; a list lets whom it names, and an empty one nobody. */
  readonly issuers: readonly { kind: string; id: string }[] | undefined;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly foldText: boolean;
  readonly maxCacheAge: string;
};
export type PrincipleOutline = {
  readonly principle: string;
  /** Undefined where nothing is said, which is all of them. */
  readonly checks: readonly string[] | undefined;
  readonly escalateAbove: string;
  readonly refuseAbove: string;
};
export type PlaybookOutline = {
  readonly capability: string;
  readonly territory: string;
  readonly text: string;
};
export type SapOutline = {
  readonly capabilities: readonly CapabilityOutline[];
  readonly principles: readonly PrincipleOutline[];
  readonly playbooks: readonly PlaybookOutline[];
};
export const handoffLists = ["task_types", "pack_ids", "to_task_types", "to_pack_ids"] as const;
export type HandoffOutline = Readonly<Record<(typeof handoffLists)[number], readonly string[]>>;

export const shownSections: ReadonlySet<string> = new Set([
  "redaction_policy",
  "answer_policy",
  "sap_policy",
  "handoffs",
]);

export const sectionsOf = (whole: Mapping): SectionOutlines => ({
  redaction: Object.hasOwn(whole, "redaction_policy") ? redactionOf(whole["redaction_policy"]) : undefined,
  guardrails: list(mapping(whole["answer_policy"])["guardrails"]).map(guardrailOf),
  sap: sapOf(whole["sap_policy"]),
  handoffs: list(whole["handoffs"]).map(handoffOf),
});

function redactionOf(value: unknown): RedactionOutline {
  const said = mapping(value);
  return {
    always: textsOf(said["always_redact"]),
    conditional: list(said["conditional_redact"]).map((one) => {
      const { field, rule, max_length } = mapping(one);
      return { field: textOf(field), rule: textOf(rule), maxLength: textOf(max_length) };
    }),
    enforcement: textsOf(said["enforcement"]),
  };
}

function guardrailOf(value: unknown): GuardrailOutline {
  const { name, when, effect } = mapping(value);
  return { name: textOf(name), when: textOf(when), effect: textOf(effect) };
}

function sapOf(value: unknown): SapOutline {
  const said = mapping(value);
  return {
    capabilities: list(said["capabilities"]).map(capabilityOf),
    principles: list(said["principles"]).map((one) => {
      const { principle, checks, escalate_above, refuse_above } = mapping(one);
      return {
        principle: textOf(principle),
        checks: checks === undefined ? undefined : textsOf(checks),
        escalateAbove: textOf(escalate_above),
        refuseAbove: textOf(refuse_above),
      };
    }),
    playbooks: list(said["playbooks"]).map((one) => {
      const { capability, territory, text } = mapping(one);
      return { capability: textOf(capability), territory: textOf(territory), text: textOf(text) };
    }),
  };
}

function capabilityOf(value: unknown): CapabilityOutline {
  const said = mapping(value);
  const essence = mapping(said["essence"]);
  const work = (["template_id", "task_type"] as const).find((key) => Object.hasOwn(said, key)) ?? "itself";
  return {
    capability: textOf(said["capability"]),
    work,
    workName: textOf(said[work]),
    issuers: Object.hasOwn(said, "issuers")
      ? list(said["issuers"]).map((one) => {
          const { agent_kind, agent_id } = mapping(one);
          return { kind: textOf(agent_kind), id: textOf(agent_id) };
        })
      : undefined,
    include: textsOf(essence["include"]),
    exclude: textsOf(essence["exclude"]),
    foldText: essence["fold_text"] === true,
    maxCacheAge: textOf(said["max_cache_age"]),
  };
}

function handoffOf(value: unknown): HandoffOutline {
  const { task_types, pack_ids, to_task_types, to_pack_ids } = mapping(value);
  return {
    task_types: textsOf(task_types),
    pack_ids: textsOf(pack_ids),
    to_task_types: textsOf(to_task_types),
    to_pack_ids: textsOf(to_pack_ids),
  };
}
