import type { SapSection } from "../../documents/sap-section.ts";
import { canonicalJson } from "../canonical-json.ts";
import type { Aggregate, AggregateKey } from "./aggregate.ts";
import { isName } from "./is-name.ts";
import type { Proposal } from "./proposal.ts";

/** So many times a difference has to have made none. */
const LEAST_COINCIDENCES = 3;

type Samples = Aggregate["samples"];

/** SAP-57: what of a payload never made a difference to the answer. One time that it did, and nothing is proposed. */
export function proposeEssence(
  { capability }: AggregateKey,
  { samples }: Aggregate,
  section: SapSection | undefined,
): readonly Proposal[] {
  if (!isName(capability)) return [];
  const rule = section?.capabilities.find((one) => one.capability === capability)?.essence;
  const names = [...new Set(samples.flatMap(({ members }) => Object.keys(members)))]
    .filter((name) => rule?.exclude.includes(name) !== true)
    .toSorted();
  const idle = idleTogether(samples, names);
  // Of all members none would be left to tell two tasks apart.
  if (idle.length > 0 && idle.length < names.length)
    return [
      essenceOf(
        capability,
        idle,
        idle.map(({ name, count }) => `${name} differed ${count} times, the output never`),
      ),
    ];
  // Folding is judged of whole payloads, so that it is not suggested together with members to leave out.
  const folds =
    rule?.foldText === true
      ? 0
      : coincidences(
          samples,
          ({ folded }) => folded,
          ({ members }) => canonicalJson(members),
        );
  if (folds < LEAST_COINCIDENCES) return [];
  return [essenceOf(capability, [], [`white space or case differed ${folds} times, the output never`])];
}

type Idle = { readonly name: string; readonly count: number };

const essenceOf = (capability: string, idle: readonly Idle[], evidence: readonly string[]): Proposal => ({
  change: {
    kind: "essence",
    capability,
    exclude: idle.map(({ name }) => name).toSorted(),
    foldText: idle.length === 0,
  },
  why: `Tasks for ${capability} that differ in nothing else had the same output each time. Taken for the same, the cache answers them.`,
  evidence,
});

/** Those that made no difference, each by itself and all together; what is seen most often comes first. */
function idleTogether(samples: Samples, names: readonly string[]): readonly Idle[] {
  const without = (left: readonly string[]) =>
    coincidences(
      samples,
      ({ members }) => canonicalJson({ ...members, ...Object.fromEntries(left.map((name) => [name, null])) }),
      ({ members }) => canonicalJson(members),
    );
  const candidates = names
    .map((name) => ({ name, count: without([name]) }))
    .filter(({ count }) => count >= LEAST_COINCIDENCES)
    .toSorted((one, other) => other.count - one.count);
  let idle: readonly Idle[] = [];
  for (const one of candidates) {
    const together = [...idle, one];
    if (without(together.map(({ name }) => name)) >= LEAST_COINCIDENCES) idle = together;
  }
  return idle;
}

/**
 * How often tasks that are alike but for one thing differed in it and had the same output; none where they ever had
 * another one.
 */
function coincidences(
  samples: Samples,
  alikeBy: (sample: Samples[number]) => string,
  differing: (sample: Samples[number]) => string,
): number {
  const groups = [...Map.groupBy(samples, alikeBy).values()];
  const told = groups.map((group) => ({
    values: new Set(group.map(differing)).size,
    outputs: new Set(group.map(({ output }) => output)).size,
  }));
  if (told.some(({ values, outputs }) => values > 1 && outputs > 1)) return 0;
  return told.reduce((all, { values }) => all + values - 1, 0);
}
