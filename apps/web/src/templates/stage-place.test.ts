import { expect, test } from "vitest";
import { parseDocument } from "yaml";
import { placeOfStage, placeOfTemplate } from "./stage-place.ts";

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

const at = (read: string, template = 0) =>
  placeOfTemplate({ text: read, document: parseDocument(read) }, template);

test("in a template one begins to write at its name, or at its beginning where it has none", () => {
  const named = text.replace("      stages:", '      name: "Ship it"\n      stages:');
  expect(at(named)).toEqual({ line: 6, column: 13 });
  expect(at(text)).toEqual({ line: 5, column: 7 });
  expect(at(text, 1)).toBeUndefined();
});
