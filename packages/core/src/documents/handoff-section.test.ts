import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { diffRoutingPolicies, isUnchanged } from "./routing-policy-diff.ts";
import { parseRoutingPolicy, printRoutingPolicy } from "./routing-policy.ts";

const specPolicy = readFileSync(join(import.meta.dirname, "fixtures/routing-policy.yaml"), "utf8");
const lines = specPolicy.split("\n").length;
const known = new Set(["senior-ts-dev", "mid-ts-dev", "qa-engineer", "security-reviewer", "generalist-dev"]);

function policyWith(section: string) {
  const parsed = parseRoutingPolicy(specPolicy + section);
  if (parsed.kind === "refused") throw new Error(JSON.stringify(parsed.faults));
  return parsed.document;
}
function faultsOf(section: string) {
  const parsed = parseRoutingPolicy(specPolicy + section, known);
  const faults = parsed.kind === "refused" ? parsed.faults : [];
  return faults
    .filter(({ path }) => path.startsWith("handoffs"))
    .map(({ line, path, rule }) => [line - lines, path, rule]);
}

const section = `handoffs:
  - task_types: [feature-implementation]
    pack_ids: [senior-ts-dev]
    to_pack_ids: [security-reviewer]
  - to_task_types: [security-review]
`;

test("DOC-17 D24 the section says who may hand a stage on to whom, and is the same when it is printed and read again", () => {
  const policy = policyWith(section);
  expect(policy.handoffs).toEqual([
    {
      taskTypes: ["feature-implementation"],
      packIds: ["senior-ts-dev"],
      toTaskTypes: [],
      toPackIds: ["security-reviewer"],
    },
    { taskTypes: undefined, packIds: undefined, toTaskTypes: ["security-review"], toPackIds: [] },
  ]);
  const printed = parseRoutingPolicy(printRoutingPolicy(policy));
  expect(printed).toEqual({ kind: "valid", document: policy });
  expect(policyWith("").handoffs).toBeUndefined();
  const diff = diffRoutingPolicies(policyWith(""), policy);
  expect(diff.handoffs).toMatchObject([{ path: "handoffs", before: undefined }]);
  expect(isUnchanged(diff)).toBe(false);
});

test("DOC-17 a name that is not there, and a rule that leads nowhere, are told by their place", () => {
  const wrong = `handoffs:
  - task_types: [feature-implementatoin]
    to_pack_ids: [stranger]
  - pack_ids: [senior-ts-dev]
  - to_task_types: [verification]
  - to_task_types: []
    to: somewhere
`;
  expect(faultsOf(wrong)).toEqual([
    [1, "handoffs[0].task_types[0]", "unknown_task_type"],
    [2, "handoffs[0].to_pack_ids[0]", "unknown_pack"],
    [3, "handoffs[1]", "format"],
    [4, "handoffs[2].to_task_types[0]", "unknown_task_type"],
    [5, "handoffs[3].to_task_types", "bound"],
    [6, "handoffs[3].to", "unknown_key"],
  ]);
});
