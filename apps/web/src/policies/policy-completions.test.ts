import { expect, test } from "vitest";
import { policyCompletions } from "./policy-completions.ts";

const known = {
  packs: [
    { packId: "qa-engineer", taskTypes: ["code-review"] },
    { packId: "writer", taskTypes: ["docs"] },
  ],
  taskTypes: ["code-review", "docs"],
};
/** Asked where the bar stands. */
function asked(marked: string) {
  const offset = marked.indexOf("|");
  const found = policyCompletions(marked.replace("|", ""), offset, known);
  return found && { typed: offset - found.from, options: found.options.map(({ label }) => label) };
}

test.each([
  ["routing_policy:\n  routes:\n    - task_type: |", 0, ["code-review", "docs"]],
  ["routing_policy:\n  routes:\n    - task_type: co|", 2, ["code-review", "docs"]],
  [
    "routing_policy:\n  routes:\n    - task_type: a\n      allowed_pack_ids: [|",
    0,
    ["qa-engineer", "writer"],
  ],
  [
    'routing_policy:\n  routes:\n    - task_type: a\n      allowed_pack_ids: ["writer", "qa|',
    2,
    ["qa-engineer", "writer"],
  ],
  [
    "routing_policy:\n  routes:\n    - task_type: a\n      allowed_pack_ids:\n        - wr|",
    2,
    ["qa-engineer", "writer"],
  ],
  [
    "routing_policy:\n  routes:\n    - task_type: a\n      fallback_pack_id: |",
    0,
    ["qa-engineer", "writer", "null"],
  ],
  ["handoffs:\n  - to_pack_ids: [wr|", 2, ["qa-engineer", "writer"]],
  ["handoffs:\n  - to_task_types: [|", 0, ["code-review", "docs"]],
  ["routing_policy:\n  defaults:\n    require_healthy: t|", 1, ["true", "false"]],
  ["routing_policy:\n  routes:\n    - min_risk_tier: |", 0, ["LOW", "NORMAL", "CRITICAL"]],
])("%j", (text, typed, options) => {
  expect(asked(text)).toEqual({ typed, options });
});

test("keys are those of the mapping that one writes in", () => {
  expect(asked("handoffs:\n  - pa|")?.options).toContain("pack_ids:");
  expect(asked("|")?.options).toContain("routing_policy:");
  expect(asked("routing_policy:\n  ad|")?.options).toEqual([
    "version:",
    "routes:",
    "admission:",
    "defaults:",
  ]);
  expect(asked("routing_policy:\n  routes:\n    - task_type: a\n      pre|")?.options).toContain(
    "preferred_pack_id:",
  );
  expect(asked("routing_policy:\n  admission:\n    circuit_breaker:\n      w|")?.options).toContain(
    "window:",
  );
});

test("where nothing is known, nothing is said", () => {
  expect(asked('routing_policy:\n  version: "1|"')).toBeUndefined();
  expect(asked("routing_policy:\n  stranger:\n    k|")).toBeUndefined();
});
