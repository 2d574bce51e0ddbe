import { expect, test } from "vitest";
import { templateCompletions } from "./template-completions.ts";

const known = { taskTypes: ["code-review", "docs"] };
const stage =
  "pipeline_templates:\n  templates:\n    - template_id: t\n      stages:\n        - stage_id: first\n          ";
/** Asked where the bar stands. */
function asked(marked: string) {
  const offset = marked.indexOf("|");
  const found = templateCompletions(marked.replace("|", ""), offset, known);
  return found && { typed: offset - found.from, options: found.options.map(({ label }) => label) };
}

test.each([
  [`${stage}task_type: co|`, 2, ["code-review", "docs"]],
  [
    `${stage}task_type: docs\n        - stage_id: second\n          depends_on_stages: [f|`,
    1,
    ["first", "second"],
  ],
  [`${stage}edges:\n            - target_stage_id: |`, 0, ["first"]],
  [`${stage}handoff_policy:\n            context_level: R|`, 1, ["MINIMAL", "LAYERED", "RICH"]],
  [
    `${stage}contract_template:\n            environment:\n              t|`,
    1,
    ["lint_command:", "typecheck_command:", "test_command:", "build_command:"],
  ],
])("%j", (text, typed, options) => {
  expect(asked(text)).toEqual({ typed, options });
});

test("a text that cannot be read yet still has its stages", () => {
  expect(asked(`${stage}inputs: {{\n          depends_on_stages: [|`)?.options).toEqual(["first"]);
});
test("where the writer alone knows, nothing is said", () => {
  expect(asked(`${stage}stage_name: |`)).toBeUndefined();
});
