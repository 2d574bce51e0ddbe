import type { CheckName } from "@signalbox/core";

type CheckWords = { readonly demands: string; readonly unless: string; readonly setBy: readonly string[] };

/** What each check of core's gate holds a result to, and where that is set (core's rules GATE-1 to GATE-17). */
export const checkWords: Readonly<Record<CheckName, CheckWords>> = {
  evidence: {
    demands: "A success carries evidence, and at least one item of it passed.",
    unless: "What is no success may say why it has none.",
    setBy: [],
  },
  tests: {
    demands: "Each test that the contract names was run by that very command, and its last run passed.",
    unless: "Required only where the contract names tests; what was run and failed fails it all the same.",
    setBy: ["contract.tests.tests_to_run", "contract.environment.test_command"],
  },
  static: {
    demands: "The contract’s lint and type check were run, and passed.",
    unless: "Required only where the contract names a command for it.",
    setBy: ["contract.environment.lint_command", "contract.environment.typecheck_command"],
  },
  build: {
    demands: "The contract’s build was run, and passed.",
    unless: "Required only where the contract names a command for it.",
    setBy: ["contract.environment.build_command"],
  },
  scope: {
    demands:
      "Artifacts are among the expected files, the patch is within its size, and no breaking change is undeclared.",
    unless: "Without expected files every path within the repository fits.",
    setBy: ["contract.expected_files", "execution.patch_size_limit"],
  },
  safety: {
    demands:
      "No prohibited action, no denied tool, no more steps than allowed, no failed security scan, no secret in the result.",
    unless: "A breach asks a person at every tier: a new attempt does not undo it.",
    setBy: [
      "safety.prohibited_actions",
      "safety.tool_denylist",
      "safety.tool_allowlist",
      "safety.max_autonomous_steps",
    ],
  },
};

export const tierWords = [
  {
    tier: "LOW",
    what: "Advances on the six checks.",
  },
  {
    tier: "NORMAL",
    what: "Advances on the six checks where the agent is CONFIDENT; else a person is asked.",
  },
  {
    tier: "CRITICAL",
    what: "A person decides, and never the one who submitted the task.",
  },
] as const;

/** D4: the effective tier is the higher of the two. */
export const whereTiers =
  "It is the higher of the task’s own risk tier and the least that the routing policy gives its task type (min_risk_tier).";
