import { expect, test } from "vitest";
import { emptyForm, submissionOf } from "./task-form.ts";

test("a form makes a submission: lines are items, and what was not asked for is left out", () => {
  const form = {
    ...emptyForm,
    wayId: " implement ",
    taskId: "T-1",
    title: "Add clamp",
    criteria: "a\n\n b \n",
  };
  expect(JSON.parse(submissionOf(form))).toEqual({
    templateId: "implement",
    contract: { taskId: "T-1", title: "Add clamp", acceptanceCriteria: ["a", "b"] },
  });
  expect(JSON.parse(submissionOf({ ...form, way: "task type", files: "src/a.js" }))).toMatchObject({
    taskType: "implement",
    contract: { expectedFiles: { modify: ["src/a.js"] } },
  });
});
