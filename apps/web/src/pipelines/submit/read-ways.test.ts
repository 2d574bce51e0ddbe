import { expect, test } from "vitest";
import { readWays } from "./read-ways.ts";

const policy = `routing_policy:
  version: "1.0.0"
  routes:
    - task_type: review
      allowed_pack_ids: [reviewer]
    - task_type: review
    - allowed_pack_ids: [nobody]
`;
const templates = `pipeline_templates:
  version: "1.0.0"
  templates:
    - template_id: build
      name: Build and review
      stages: []
    - name: without an id
`;

test("a task may ask for the templates in force by id, and for what the policy has a route for", () => {
  expect(readWays(policy, templates)).toEqual({
    templates: [{ id: "build", name: "Build and review" }],
    taskTypes: ["review"],
  });
});

test("where nothing was published, or it is no YAML, nothing is known", () => {
  const nothing = { templates: [], taskTypes: [] };
  expect(readWays(undefined, undefined)).toEqual(nothing);
  expect(readWays("a: [", "a: [")).toEqual(nothing);
});
