import type { EvidenceType } from "@signalbox/contracts";

/** The six checks of D14, in the order in which they are shown. */
export const checkNames = ["evidence", "tests", "static", "build", "scope", "safety"] as const;
export type CheckName = (typeof checkNames)[number];

/** What a check found against the result, with the facts it was judged on. */
export type Finding =
  | { readonly reason: "no-evidence"; readonly said: string }
  | { readonly reason: "nothing-passed" }
  | { readonly reason: "command-not-proved"; readonly command: string; readonly type: EvidenceType }
  | { readonly reason: "command-failed"; readonly command: string; readonly type: EvidenceType }
  | { readonly reason: "path-refused"; readonly path: string; readonly fault: PathFault }
  | {
      readonly reason: "path-unexpected";
      readonly path: string;
      readonly action: "create" | "modify" | "delete" | "touch";
    }
  | {
      readonly reason: "patch-too-large";
      readonly lines: number;
      readonly limit: number;
      readonly counted: "lines" | "files";
    }
  | { readonly reason: "breaking-change"; readonly sign: string }
  | { readonly reason: "prohibited-action"; readonly action: string; readonly seenIn: string }
  | { readonly reason: "denied-tool"; readonly tool: string }
  | { readonly reason: "tool-not-allowed"; readonly tool: string }
  | { readonly reason: "too-many-steps"; readonly steps: number; readonly limit: number }
  | { readonly reason: "secret-in-output"; readonly path: string; readonly rule: string };

export type PathFault = "empty" | "absolute" | "outside" | "characters" | "too-long";

/** What a check could not see, or did not have to. */
export type Note =
  | { readonly note: "not-required"; readonly what: string }
  | { readonly note: "not-reported"; readonly what: string }
  | { readonly note: "not-restricted" }
  | { readonly note: "failure-explained"; readonly said: string }
  | { readonly note: "masked"; readonly path: string; readonly rule: string };

export type Check = {
  readonly name: CheckName;
  readonly passed: boolean;
  readonly findings: readonly Finding[];
  readonly notes: readonly Note[];
  /** What was held against what, when nothing was found. */
  readonly seen: readonly string[];
};

export const check = (
  name: CheckName,
  {
    findings,
    notes = [],
    seen = [],
  }: { findings: readonly Finding[]; notes?: readonly Note[]; seen?: readonly string[] },
): Check => ({ name, passed: findings.length === 0, findings, notes, seen });

/**
 * A breach is done and no new attempt undoes it: neither does the work go on, nor is the agent simply sent again,
 * before a person has looked.
 */
export function isBreach({ reason }: Finding): boolean {
  return (
    reason === "prohibited-action" ||
    reason === "denied-tool" ||
    reason === "tool-not-allowed" ||
    reason === "too-many-steps" ||
    reason === "secret-in-output"
  );
}
