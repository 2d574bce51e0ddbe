import { SignalboxError, type Violation } from "@signalbox/contracts";
import type { Task } from "@signalbox/contracts/sap";
import type { PrincipleRule } from "../documents/sap-section.ts";
import { quotedName } from "../quoted-text.ts";

type Context = Pick<Task["constitutionalContext"], "principles" | "pressure">;

/** What the task puts under its constitution: what it names, and what it reads a pressure of. */
export const principlesOf = ({ principles = [], pressure = {} }: Context): readonly string[] => [
  ...new Set([...principles, ...Object.keys(pressure)]),
];

/** SAP-30: the checks that testify to a principle; to one that the policy does not name none does, whatever they found. */
export const checksFor = (
  principle: string,
  rules: readonly PrincipleRule[],
): readonly string[] | undefined => rules.find((rule) => rule.principle === principle)?.checks;

/**
 * Two spellings of one name: capitals, joints and the forms that Unicode has of a letter tell none apart. Marks do, which are the
 * vowels of many scripts; and a name that is all joints is itself.
 */
const folded = (name: string): string =>
  name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "") || name;

type Spellings = { readonly exact: ReadonlySet<string>; readonly folded: ReadonlyMap<string, string> };

/** A policy is asked at every task, and never changes. */
const known = new WeakMap<readonly PrincipleRule[], Spellings>();

function spellingsOf(rules: readonly PrincipleRule[]): Spellings {
  const names = rules.map(({ principle }) => principle);
  const found = known.get(rules) ?? {
    exact: new Set(names),
    folded: new Map(names.map((name) => [folded(name), name])),
  };
  known.set(rules, found);
  return found;
}

/** SAP-15: a name that the policy spells otherwise would be judged by nothing, and pass under its thresholds. */
export function refuseMisspelt(context: Context, rules: readonly PrincipleRule[] | undefined): void {
  if (rules === undefined) return;
  const { exact, folded: meant } = spellingsOf(rules);
  const misspelt = (field: string, name: string): Violation[] => {
    const named = exact.has(name) ? undefined : meant.get(folded(name));
    if (named === undefined) return [];
    const message = `is "${quotedName(name)}"; the policy in force calls it "${named}"`;
    return [{ field, rule: "policy_name", message }];
  };
  const { principles = [], pressure = {} } = context;
  const violations = [
    ...principles.flatMap((name, at) => misspelt(`constitutionalContext.principles[${at}]`, name)),
    ...Object.keys(pressure).flatMap((name) =>
      misspelt(`constitutionalContext.pressure.${quotedName(name)}`, name),
    ),
  ];
  if (violations.length === 0) return;
  throw new SignalboxError(
    "VALIDATION_FAILED",
    "The task spells a principle otherwise than the policy does.",
    {
      violations,
    },
  );
}
