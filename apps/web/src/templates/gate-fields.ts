import { type Edited, type FieldPath, setStageField } from "./edit-template.ts";
import { type Fields, fieldsOf, listOf, type Stage } from "./template-graph.ts";

/** What an agent may say of its work, and what of it may call a person. */
export const securityFlags = ["touches_auth", "touches_schema", "touches_billing", "touches_secrets"];

/** The contract's lists that the gate holds a result against, one entry a line. */
export const gateLists: readonly { label: string; hint: string; path: FieldPath }[] = [
  {
    label: "Tests to run",
    hint: "Commands; the tests check passes when each is evidenced.",
    path: ["contract_template", "tests", "tests_to_run"],
  },
  {
    label: "Files it may create",
    hint: "Paths, * within a folder, ** below it. The scope check refuses others.",
    path: ["contract_template", "expected_files", "create"],
  },
  {
    label: "Files it may change",
    hint: "As above.",
    path: ["contract_template", "expected_files", "modify"],
  },
  {
    label: "Files it may delete",
    hint: "As above.",
    path: ["contract_template", "expected_files", "delete"],
  },
];

export const gateCommands = [
  ["Lint", "lint_command"],
  ["Types", "typecheck_command"],
  ["Tests", "test_command"],
  ["Build", "build_command"],
] as const;

export const fieldAt = (fields: Fields, path: readonly string[]): unknown =>
  path.reduce<unknown>((found, key) => fieldsOf(found)[key], fields);

export const linesAt = (fields: Fields, path: readonly string[]): string[] =>
  listOf(fieldAt(fields, path)).filter((entry) => typeof entry === "string");

/** A contract of the stage's own demands an id, a title and what is accepted before it may say anything else. */
export function beginContract(text: string, templateId: string, stage: Stage, accepted: string): Edited {
  const begun: readonly (readonly [string, string | readonly string[]])[] = [
    ["task_id", stage.id],
    ["title", stage.name === "" ? stage.id : stage.name],
    ["acceptance_criteria", [accepted]],
  ];
  return begun.reduce<Edited>(
    (edited, [key, value]) =>
      edited.kind === "refused"
        ? edited
        : setStageField(edited.text, templateId, stage.id, ["contract_template", key], value),
    { kind: "edited", text },
  );
}
