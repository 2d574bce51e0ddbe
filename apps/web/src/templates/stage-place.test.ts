import { expect, test } from "vitest";
import { parseDocument } from "yaml";
import { placeOfStage } from "./stage-place.ts";

const text = `# Ours.
pipeline_templates:
  version: "1.0.0"
  templates:
    - template_id: ship
      stages:
        - stage_id: build
          task_type: code
        # The second.
        - stage_id: review
          task_type: code-review
        - *later
`;

const place = (stage: number, template = 0) =>
  placeOfStage({ text, document: parseDocument(text) }, template, stage);

test("a stage begins at its first key, and what is not there or an alias has no place", () => {
  expect(place(0)).toEqual({ line: 7, column: 11 });
  expect(place(1)).toEqual({ line: 10, column: 11 });
  expect(place(2)).toBeUndefined();
  expect(place(9)).toBeUndefined();
  expect(place(0, 1)).toBeUndefined();
});
