import { expect, test } from "vitest";
import { placeOfFault } from "./fault-places.ts";

test.each([
  ["pipeline_templates.templates[1].stages[12].edges[0].condition", 1, 12, "edges[0].condition"],
  ["pipeline_templates.templates[1].policy.failure_strategy", 1, undefined, "policy.failure_strategy"],
  ["pipeline_templates.templates[0].stages[3]", 0, 3, ""],
  ["pipeline_templates.version", undefined, undefined, "pipeline_templates.version"],
  ["", undefined, undefined, ""],
])("the fault at %s", (path, template, stage, field) => {
  expect(placeOfFault(path)).toEqual({ template, stage, field });
});
