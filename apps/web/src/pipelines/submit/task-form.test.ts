import { expect, test } from "vitest";
import { emptyForm, keptTask, submissionOf, type TaskForm } from "./task-form.ts";

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
  expect(JSON.parse(submissionOf({ ...form, risk: "critical", priority: "high" }))).toMatchObject({
    execution: { riskTier: "RISK_TIER_CRITICAL", priority: "PRIORITY_HIGH" },
  });
});

test("what was kept of a form is a form again, and what nobody can choose is the first of its choices", () => {
  const form: TaskForm = {
    ...emptyForm,
    way: "task type",
    wayId: "review",
    risk: "low",
    priority: "critical",
  };
  expect(keptTask(form)).toEqual({ ...form, written: undefined });
  expect(keptTask({ risk: "dire", priority: "" })).toEqual({ ...emptyForm, written: undefined });
});
