import { SignalboxError } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { refusalOf } from "../testing/refusal-of.ts";
import { readSapTask } from "./read-task.ts";
import { sapErrorOf } from "./refusal.ts";
import { refuseUnusableContract } from "./submission.ts";
import { capabilityRule, sapTask } from "./testing/task.ts";

test("SAP-9 what is too long, or not to be asked for, is told by its field", () => {
  const long = refusalOf(() =>
    readSapTask(sapTask({ target: { capability: "x".repeat(201) } }, { territory: "a\u0000" })),
  );
  expect(sapErrorOf(long)).toMatchObject({
    code: "INVALID_TASK",
    details: { violations: [{ field: "target.capability" }, { field: "constitutionalContext.territory" }] },
  });
  expect(refusalOf(() => readSapTask(null)).code).toBe("VALIDATION_FAILED");
  const ref = sapTask({ outputContract: { schema: { $ref: "http://example.org" } } });
  const bare = capabilityRule();
  expect(sapErrorOf(refusalOf(() => refuseUnusableContract(ref, bare)))).toMatchObject({
    code: "UNPROCESSABLE",
    details: { violations: [{ field: "outputContract.schema.$ref" }] },
  });
});

const attaching = (...uris: (string | undefined)[]) =>
  sapTask({ attachments: uris.map((uri) => (uri === undefined ? { kind: "pdf" } : { uri })) });

test.each([
  [{ seconds: 30, tokens: 5_000, coins: "any" }, []],
  [{ seconds: 0.25 }, []],
  [{ seconds: 0 }, ["telemetry.budget.seconds"]],
  [{ seconds: "30" }, ["telemetry.budget.seconds"]],
  [{ seconds: 1e300 }, ["telemetry.budget.seconds"]],
  [{ seconds: null, tokens: 1.5 }, ["telemetry.budget.seconds", "telemetry.budget.tokens"]],
  [{ tokens: -1 }, ["telemetry.budget.tokens"]],
])("SAP-14 a budget of %j", (budget, refused) => {
  const fields = (): readonly string[] => {
    try {
      return Object.keys(readSapTask(sapTask({ telemetry: { budget } })).telemetry?.budget ?? {});
    } catch (error) {
      return error instanceof SignalboxError ? error.violations.map(({ field }) => field) : [];
    }
  };
  expect(fields()).toEqual(refused.length === 0 ? Object.keys(budget) : refused);
});

test("SAP-11 what is attached can be fetched, or is told by its field", () => {
  const fit = [
    "https://vault.example/a?x=1",
    "HTTP://vault.example",
    "s3://bucket/key",
    "gs://bucket/key",
    "signalbox:attachment/0199a1b2-0d2c-7c1a-9b75-2a4b3b0b6c0a",
  ];
  expect(readSapTask(attaching(...fit)).attachments).toHaveLength(fit.length);
  const amiss = [
    "javascript:alert(1)",
    undefined,
    "",
    "data:text/html,x",
    "file:///etc/passwd",
    "https:///path",
    "//vault.example/a",
    " https://vault.example",
    "https://vault.example/\na",
    "signalbox:attachment/",
    "signalbox:attachment/0199a1b2-0d2c-7c1a-9b75-2a4b3b0b6c0a/..",
    "https://vault.example/".padEnd(4_001, "a"),
  ];
  const refused = sapErrorOf(refusalOf(() => readSapTask(attaching(...fit.slice(0, 1), ...amiss))));
  expect(refused.code).toBe("INVALID_TASK");
  expect(refused.details.violations.map(({ field }) => field)).toEqual(
    amiss.map((_uri, index) => `attachments[${index + 1}].uri`),
  );
  const many = refusalOf(() => readSapTask(attaching(...Array.from({ length: 201 }, () => fit[0]))));
  expect(many.violations).toMatchObject([{ field: "attachments", rule: "max_items" }]);
});

test("SAP-15 a principle without a name is none", () => {
  for (const [name, says] of [
    ["", "is empty; a principle has a name"],
    ["  ", expect.stringMatching(/^is blank; /)],
    ["a\u0000b", expect.stringMatching(/^holds U\+0000 at character 2; /)],
  ] as const) {
    expect(
      refusalOf(() => readSapTask(sapTask({}, { principles: ["a", name], pressure: { [name]: 1 } }))),
    ).toMatchObject({
      violations: [
        { field: "constitutionalContext.principles[1]", rule: "name.fit", message: says },
        { field: "constitutionalContext.pressure[0]", rule: "name.fit", message: says },
      ],
    });
  }
});
