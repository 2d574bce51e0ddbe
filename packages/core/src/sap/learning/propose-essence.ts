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
  const names = [...new Set(samples.flatMap(({ members }) => Object.keys(members)))].toSorted();
  const idle = names.flatMap((name) => {
    if (rule?.exclude.includes(name) === true) return [];
    const count = coincidences(
      samples,
      ({ members }) => canonicalJson({ ...members, [name]: null }),
      ({ members }) => members[name] ?? "",
    );
    return count < LEAST_COINCIDENCES ? [] : [{ name, count }];
  });
  const folds =
    rule?.foldText === true
      ? 0
      : coincidences(
          samples,
          ({ folded }) => folded,
          ({ members }) => canonicalJson(members),
        );
  const foldText = folds >= LEAST_COINCIDENCES;
  // Of all members none would be left to tell two tasks apart.
  if ((idle.length === 0 && !foldText) || (idle.length === names.length && names.length > 0 && !foldText))
    return [];
  const exclude = idle.length === names.length ? [] : idle.map(({ name }) => name);
  return [
    {
      change: { kind: "essence", capability, exclude, foldText },
      why: `Tasks for ${capability} that differ in nothing else had the same output each time. Taken for the same, the cache answers them.`,
      evidence: [
        ...idle
          .slice(0, exclude.length)
          .map(({ name, count }) => `${name} differed ${count} times, the output never`),
        ...(foldText ? [`white space or case differed ${folds} times, the output never`] : []),
      ],
    },
  ];
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
