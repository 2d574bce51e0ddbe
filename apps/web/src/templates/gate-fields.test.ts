import { expect, test } from "vitest";
import { beginContract, linesAt } from "./gate-fields.ts";
import { readTemplates } from "./template-graph.ts";
import { openText } from "./template-text.ts";

const text = `pipeline_templates:
  version: 1.0.0 # kept
  templates:
    - template_id: t
      name: T
      stages:
        - stage_id: first
          task_type: docs
          required: true
      policy: { failure_strategy: PAUSE }
`;
const stageOf = (of: string) => {
  const opened = openText(of);
  if (opened.kind !== "open") throw new Error(opened.fault.message);
  const [stage] = readTemplates(opened.value).templates[0]?.stages ?? [];
  if (stage === undefined) throw new Error("no stage");
  return stage;
};

test("a contract of a stage begins with all that the contract demands, and leaves the rest as it was", () => {
  const edited = beginContract(text, "t", stageOf(text), "It works.");
  expect(edited.kind).toBe("edited");
  if (edited.kind !== "edited") return;
  const { fields } = stageOf(edited.text);
  expect(fields["contract_template"]).toEqual({
    task_id: "first",
    title: "first",
    acceptance_criteria: ["It works."],
  });
  expect(linesAt(fields, ["contract_template", "acceptance_criteria"])).toEqual(["It works."]);
  expect(edited.text).toContain("version: 1.0.0 # kept");
});
