import { Priority, RiskTier, SignalboxError } from "@signalbox/contracts";
import { SAP_ERROR_CODES, type Task } from "@signalbox/contracts/sap";
import { ERROR_CODES } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { NOW } from "../dispatch/testing/registry.ts";
import { refusalOf } from "../testing/refusal-of.ts";
import { sapErrorOf } from "./refusal.ts";
import { refuseUnusableContract, sourceTaskId, submissionOf } from "./submission.ts";
import { capabilityRule, sapTask, section } from "./testing/task.ts";

test("SAP-7 a task becomes a submission: what it wants, by when, on what, and how it is answered", () => {
  const task = sapTask(
    {
      telemetry: { priority: "urgent", deadline: "2027-01-01T00:00:00Z", budget: { seconds: 30 } },
      outputContract: { format: "json", schema: { type: "object" } },
      attachments: [{ uri: "https://vault.example/a", digest: "sha256:00" }, {}],
    },
    { objectives: ["Outline it"], constraints: ["No PII"], territory: "EUFM", references: ["ubos://books"] },
  );
  expect(submissionOf(task, capabilityRule(), undefined, NOW)).toMatchObject({
    work: { case: "taskType", value: "consult" },
    contract: {
      taskId: sourceTaskId(task.taskId),
      title: "consult: Outline it",
      ownerDomain: "EUFM",
      acceptanceCriteria: ["Outline it"],
      definitionOfDone: ["No PII"],
    },
    refs: [
      { uriOrLocator: "ubos://books" },
      { uriOrLocator: "https://vault.example/a", digest: "sha256:00" },
    ],
    execution: { riskTier: RiskTier.LOW, priority: Priority.CRITICAL, timeout: { seconds: 30n } },
    inputs: task.payload,
    responseFormat: "json_standard",
    outputSchema: { type: "object" },
  });
  const bare = submissionOf(sapTask(), capabilityRule(), undefined, NOW);
  expect(bare.responseFormat).toBe("");
  expect(bare.contract?.acceptanceCriteria).toHaveLength(1);
});

test("SAP-8 a playbook is told for its capability and territory", () => {
  const sap = section({
    playbooks: [
      { capability: "consult", territory: undefined, text: "for all" },
      { capability: "consult", territory: "EUFM", text: "for EUFM" },
      { capability: "consult", territory: "ELSE", text: "elsewhere" },
      { capability: "other", territory: undefined, text: "another" },
    ],
  });
  const told = submissionOf(sapTask({}, { territory: "EUFM" }), capabilityRule(), sap, NOW).contextIn
    ?.sharedContext;
  expect(told).toBe("for all\n\nfor EUFM");
});

test("SAP-9 every code of section 8 is one that a refusal here can have, or a Result", () => {
  const refusals = new Set(Object.values(ERROR_CODES).map(({ sapCode }) => sapCode));
  expect([...refusals].toSorted()).toEqual([...SAP_ERROR_CODES].toSorted());
  expect(sapErrorOf(new SignalboxError("RATE_LIMITED", "Slow down."))).toEqual({
    code: "RATE_LIMIT",
    message: "Slow down.",
    details: { violations: [] },
  });
});

const contracted =
  (outputContract: NonNullable<Task["outputContract"]>, way: "taskType" | "templateId") => () =>
    refuseUnusableContract(
      sapTask({ outputContract }),
      capabilityRule({ work: { case: way, value: "consult" } }),
    );

test("SAP-12 a contract that no output can meet is told by its place; data is an object, other formats are text", () => {
  const list = { schema: { type: "array" } };
  expect(sapErrorOf(refusalOf(contracted({ format: "json", ...list }, "taskType")))).toMatchObject({
    code: "UNPROCESSABLE",
    message: "No output could meet the output contract's schema.",
    details: {
      violations: [{ field: "outputContract.schema.type", message: 'is "array", but it is always object' }],
    },
  });
  expect(contracted(list, "templateId")).toThrow("No output could meet");
  expect(contracted({ format: "markdown", schema: { type: "object" } }, "taskType")).toThrow(
    "No output could meet",
  );
  for (const format of ["json", "markdown"])
    expect(contracted({ format, schema: { type: ["object", "string"] } }, "templateId")).not.toThrow();
  expect(contracted({ format: "text", schema: { type: "string" } }, "taskType")).not.toThrow();
});

test("SAP-10 a deadline that has passed is refused", () => {
  const late = sapTask({ telemetry: { deadline: "2020-01-01T00:00:00Z" } });
  const error = refusalOf(() => submissionOf(late, capabilityRule(), undefined, NOW));
  expect(sapErrorOf(error).code).toBe("TIMEOUT");
});
