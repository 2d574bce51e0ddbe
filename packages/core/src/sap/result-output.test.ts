import { FailureStrategy } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { stage } from "../pipeline/testing/definitions.ts";
import { Run } from "../pipeline/testing/run.ts";
import { isWhole } from "./status.ts";
import { answered, onFailure, resultOf } from "./testing/results.ts";
import { sapTask } from "./testing/task.ts";

test("SAP-23 the output is the last stage's, by the contract; of several each by its id", () => {
  const one = new Run([stage("a"), stage("b", { dependsOn: ["a"] })]);
  one.send("a").report("a", answered({ first: true }));
  one.send("b").report("b", answered({ sections: 3 }, "three sections"));
  expect(resultOf(one).output).toEqual({ sections: 3 });
  expect(resultOf(one, sapTask({ outputContract: { format: "markdown" } })).output).toBe("three sections");
  const two = new Run([stage("a"), stage("b")]);
  two.send("a").report("a", answered({ n: 1 }));
  two.send("b").report("b", answered({ n: 2 }));
  expect(resultOf(two).output).toEqual({ a: { n: 1 }, b: { n: 2 } });
});

test("SAP-23 where the last stages were left out or failed, the output is that of the last ones that were done", () => {
  const strategy = FailureStrategy.SKIP_FAILED;
  const optional = { required: false, maxAttempts: 1 };
  const contract = { outputContract: { schema: { type: "object", required: ["draft"] } } };
  const drafted = (...after: Parameters<typeof stage>[]) => {
    const run = new Run([stage("a"), ...after.map((one) => stage(...one))], { strategy });
    return run.send("a").report("a", answered({ draft: 1 }));
  };
  const one = drafted(["b", { ...optional, dependsOn: ["a"] }]);
  expect(resultOf(one)).not.toHaveProperty("output");
  expect(resultOf(one.fail("b"), sapTask(contract))).toMatchObject({
    status: "PARTIAL",
    output: { draft: 1 },
    nextActions: [{ payload: { stageId: "b" } }],
  });
  const chain = drafted(
    ["b", { ...optional, dependsOn: ["a"] }],
    ["c", { ...optional, dependsOn: ["b"] }],
    ["d", { ...optional, dependsOn: ["a", "c"] }],
  );
  expect(resultOf(chain.fail("b").fail("c").fail("d")).output).toEqual({ draft: 1 });
  const between = drafted(["b", { ...optional, dependsOn: ["a"] }], ["c", { dependsOn: ["b"] }]).fail("b");
  between.send("c").report("c", answered({ final: true }));
  expect(resultOf(between)).toMatchObject({ status: "PARTIAL", output: { final: true } });
  const handled = new Run(
    [
      stage("a", { edges: { b: "" } }),
      stage("b", { maxAttempts: 1, edges: { h: 'response.status == "failure"' } }),
      stage("h", optional),
    ],
    { strategy },
  );
  handled
    .send("a")
    .report("a", answered({ draft: 1 }))
    .fail("b")
    .fail("h");
  expect(handled.stages).toEqual({ a: "COMPLETED", b: "FAILED", h: "SKIPPED" });
  expect(resultOf(handled)).toMatchObject({ status: "PARTIAL", output: { draft: 1 } });
  const nothing = new Run([stage("a", optional)], { strategy }).fail("a");
  expect(resultOf(nothing, sapTask(contract)).error).toEqual({
    code: "UNPROCESSABLE",
    message: expect.stringMatching(/^No stage gave an output; stage "a" was left out: .*not retryable$/),
  });
});

test("SAP-23 an output that does not meet its contract is no output", () => {
  const run = new Run([stage("a")]);
  run.send("a").report("a", answered({ sections: "many" }));
  const contract = { schema: { type: "object", properties: { sections: { type: "number" } } } };
  const result = resultOf(run, sapTask({ outputContract: contract }));
  expect(result).toMatchObject({
    status: "FAILED",
    error: { code: "UNPROCESSABLE", message: expect.stringContaining("sections") },
  });
  expect(result).not.toHaveProperty("output");
});

test("SAP-23 SACP-34 where no way led on, the output is what was done last, and the Result says why it ends there", () => {
  for (const condition of [
    "response.data.score > 0.8",
    'response.status == "success" && response.data.score > 0.8',
    'response.status == "completed"',
  ]) {
    const run = new Run([stage("a", { edges: { b: condition, ...onFailure } }), stage("b"), stage("h")]);
    expect(resultOf(run.send("a").report("a", answered({ score: 0.5 })))).toMatchObject({
      status: "SUCCEEDED",
      output: { score: 0.5 },
      nextActions: [
        {
          action: "submit_task",
          target: { capability: "b-work" },
          payload: { stageId: "b", leftOut: `no way led on from "a" (${condition})` },
        },
      ],
      meta: { noWayOn: [{ stageId: "a", because: `not to "b" (${condition})` }] },
    });
    expect(isWhole(run.state)).toBe(false);
  }
  const handler = new Run([stage("a", { edges: { h: 'response.status == "failure"' } }), stage("h")]);
  const result = resultOf(handler.send("a").report("a", answered({ fine: true })));
  expect(result.output).toEqual({ fine: true });
  expect(result.meta).not.toHaveProperty("noWayOn");
  expect(result).not.toHaveProperty("nextActions");
});
