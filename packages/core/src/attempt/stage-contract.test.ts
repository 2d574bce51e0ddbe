import { clone, create, equals } from "@bufbuild/protobuf";
import { ContractSchema, EnvironmentSchema, IOContractSchema } from "@signalbox/contracts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { stageContract } from "./stage-contract.ts";

const task = create(ContractSchema, {
  taskId: "task-1",
  title: "Mend the login",
  ownerDomain: "identity",
  acceptanceCriteria: ["people can sign in"],
  nonGoals: ["no new page"],
  definitionOfDone: ["merged"],
  expectedFiles: { modify: ["src/login.ts"] },
  tests: { testsToRun: ["vitest run"] },
  io: create(IOContractSchema, { dependencies: ["psql"] }),
  environment: { lintCommand: "oxlint" },
});

test("ATT-1 a stage without a contract template works on the task's own contract, as it is", () => {
  expect(stageContract(task, undefined)).toBe(task);
});

test("ATT-1 what the template says takes the place of what the task says, part by part", () => {
  const template = create(ContractSchema, {
    taskId: "not-this",
    title: "nor this",
    acceptanceCriteria: ["a reviewer finds nothing"],
    environment: { typecheckCommand: "tsc -b" },
  });
  expect(stageContract(task, template)).toEqual(
    create(ContractSchema, {
      ...task,
      acceptanceCriteria: ["a reviewer finds nothing"],
      environment: create(EnvironmentSchema, { typecheckCommand: "tsc -b" }),
    }),
  );
});

const words = fc.array(fc.string({ maxLength: 8 }), { maxLength: 3 });
const contracts = fc
  .record({
    taskId: fc.string({ maxLength: 8 }),
    title: fc.string({ maxLength: 8 }),
    ownerDomain: fc.string({ maxLength: 8 }),
    acceptanceCriteria: words,
    nonGoals: words,
    definitionOfDone: words,
    expectedFiles: fc.option(fc.record({ modify: words }), { nil: undefined }),
    tests: fc.option(fc.record({ testsToRun: words }), { nil: undefined }),
    io: fc.option(fc.record({ dependencies: words }), { nil: undefined }),
    environment: fc.option(fc.record({ lintCommand: fc.string({ maxLength: 8 }) }), { nil: undefined }),
  })
  .map(({ expectedFiles, tests, io, environment, ...plain }) =>
    create(ContractSchema, {
      ...plain,
      ...(expectedFiles && { expectedFiles }),
      ...(tests && { tests }),
      ...(io && { io }),
      ...(environment && { environment }),
    }),
  );

test("ATT-1 each part is the template's where it says it and else the task's; neither is changed", () => {
  const lists = ["acceptanceCriteria", "nonGoals", "definitionOfDone"] as const;
  const parts = ["expectedFiles", "tests", "io", "environment"] as const;
  fc.assert(
    fc.property(contracts, contracts, (own, template) => {
      const before = [clone(ContractSchema, own), clone(ContractSchema, template)];
      const made = stageContract(own, template);
      expect([made.taskId, made.title]).toEqual([own.taskId, own.title]);
      expect(made.ownerDomain).toBe(template.ownerDomain === "" ? own.ownerDomain : template.ownerDomain);
      for (const list of lists)
        expect(made[list]).toEqual(template[list].length > 0 ? template[list] : own[list]);
      const saidParts = parts.filter((part) => (template[part] ?? own[part]) !== undefined);
      for (const part of saidParts) expect(made[part]).toEqual(template[part] ?? own[part]);
      expect([own, template].map((one, place) => equals(ContractSchema, one, before[place] ?? one))).toEqual([
        true,
        true,
      ]);
    }),
  );
});
