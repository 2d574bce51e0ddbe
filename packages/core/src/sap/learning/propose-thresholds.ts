import type { PrincipleRule, SapSection } from "../../documents/sap-section.ts";
import type { Aggregate, PressureCounts } from "./aggregate.ts";
import { isName } from "./is-name.ts";
import type { Proposal } from "./proposal.ts";

/** Less work than this on either side of a threshold says nothing of it. */
const LEAST_OUTCOMES = 10;
/** Above a threshold that is needed at least half goes wrong, below it at most a fifth. */
const TROUBLED = 0.5;
const CALM = 0.2;
/** What goes wrong once in twenty needs nobody to look at it. */
const HARMLESS = 0.05;

type Span = { readonly total: number; readonly troubled: number };

function spanOf({ good, bad, poor }: PressureCounts, from: number, to: number): Span {
  const sum = (counts: readonly number[]): number =>
    counts.slice(from, to).reduce((all, count) => all + count, 0);
  const total = sum(good) + sum(bad);
  return { total, troubled: Math.min(total, sum(bad) + sum(poor)) };
}

const share = ({ total, troubled }: Span): number => (total === 0 ? 0 : troubled / total);
const inWords = ({ total, troubled }: Span): string => `${troubled} of ${total} went wrong`;

/** SAP-56: where pressure begins to do harm, and where people are asked for nothing. */
export function proposeThresholds(
  { pressure }: Aggregate,
  section: SapSection | undefined,
): readonly Proposal[] {
  return Object.entries(pressure).flatMap(([principle, counts]) => {
    if (!isName(principle)) return [];
    const rule = section?.principles.find((one) => one.principle === principle);
    const found = lower(counts, rule) ?? higher(counts, rule);
    return found === undefined ? [] : [proposalFor(principle, rule, found)];
  });
}

type Found = { readonly escalateAbove: number; readonly below: Span; readonly above: Span };

function lower(counts: PressureCounts, rule: PrincipleRule | undefined): Found | undefined {
  const most = Math.min(rule?.escalateAbove ?? 100, rule?.refuseAbove ?? 100);
  for (let decile = 1; decile * 10 < most; decile += 1) {
    const below = spanOf(counts, 0, decile);
    const above = spanOf(counts, decile, counts.good.length);
    if (below.total < LEAST_OUTCOMES || above.total < LEAST_OUTCOMES) continue;
    if (share(below) <= CALM && share(above) >= TROUBLED) return { escalateAbove: decile * 10, below, above };
  }
  return undefined;
}

function higher(counts: PressureCounts, rule: PrincipleRule | undefined): Found | undefined {
  if (rule?.escalateAbove === undefined) return undefined;
  const decile = Math.ceil(rule.escalateAbove / 10);
  const escalateAbove = (decile + 1) * 10;
  if (escalateAbove > (rule.refuseAbove ?? 100)) return undefined;
  // From the decile that the threshold stands in, or begins: what is not asked about there is harmless too, or nothing is said.
  const asked = spanOf(counts, Math.floor(rule.escalateAbove / 10), decile + 1);
  if (asked.total < LEAST_OUTCOMES || share(asked) > HARMLESS) return undefined;
  return {
    escalateAbove,
    below: asked,
    above: spanOf(counts, decile + 1, counts.good.length),
  };
}

function proposalFor(
  principle: string,
  rule: PrincipleRule | undefined,
  { escalateAbove, below, above }: Found,
): Proposal {
  const now = rule?.escalateAbove;
  const raises = now !== undefined && escalateAbove > now;
  const why = raises
    ? `Between ${now} and ${escalateAbove} people are asked, and hardly anything goes wrong there.`
    : `Above ${escalateAbove} much more goes wrong than below. There a person should decide.`;
  return {
    change: { kind: "threshold", principle, escalateAbove },
    why: `${principle}: ${why}`,
    evidence: raises
      ? [`above ${now}, up to ${escalateAbove}: ${inWords(below)}`]
      : [`up to ${escalateAbove}: ${inWords(below)}`, `above ${escalateAbove}: ${inWords(above)}`],
  };
}
