/** What a template sets for a stage (D17). Either may be left out. */
export type ConfidenceWatch = {
  /** A turn below it is doubted. */
  readonly floor: number | null;
  /** How much the trend may fall from turn to turn. */
  readonly fallPerTurn: number | null;
};

export type ClaimedConfidence = { readonly turnIndex: number; readonly confidence: number };

export type ConfidenceVerdict =
  | { readonly kind: "steady" }
  | {
      readonly kind: "below-floor";
      readonly turnIndex: number;
      readonly confidence: number;
      readonly floor: number;
    }
  | { readonly kind: "falling"; readonly perTurn: number; readonly turns: readonly ClaimedConfidence[] };

export const TREND_TURNS = 5;
/** Below the last bit of a sum of five such numbers: a line that falls exactly as much as allowed is not let off by rounding. */
const ROUNDING = 1e-9;

const steady: ConfidenceVerdict = { kind: "steady" };

/**
 * SAOP-20 to SAOP-22: judges an attempt's turns, given in any order; the last five and those that have just come are enough. One
 * that comes late is looked at for the floor wherever it stands.
 */
export function judgeConfidence(
  { floor, fallPerTurn }: ConfidenceWatch,
  turns: readonly ClaimedConfidence[],
): ConfidenceVerdict {
  const inOrder = turns.toSorted((one, other) => one.turnIndex - other.turnIndex);
  const last = inOrder.slice(-TREND_TURNS);
  const low = floor === null ? undefined : inOrder.findLast(({ confidence }) => confidence < floor);
  if (low !== undefined && floor !== null) return { kind: "below-floor", ...low, floor };
  if (fallPerTurn === null || last.length < TREND_TURNS) return steady;
  const perTurn = slopeOf(last);
  return perTurn <= ROUNDING - fallPerTurn ? { kind: "falling", perTurn, turns: last } : steady;
}

/** The least-squares line's rise from one turn to the next. */
function slopeOf(turns: readonly ClaimedConfidence[]): number {
  const meanTurn = mean(turns.map(({ turnIndex }) => turnIndex));
  const meanConfidence = mean(turns.map(({ confidence }) => confidence));
  const covariance = sum(
    turns.map(({ turnIndex, confidence }) => (turnIndex - meanTurn) * (confidence - meanConfidence)),
  );
  const variance = sum(turns.map(({ turnIndex }) => (turnIndex - meanTurn) ** 2));
  return variance === 0 ? 0 : covariance / variance;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const mean = (numbers: readonly number[]): number => sum(numbers) / numbers.length;

/** In words, for the person who is asked. It quotes numbers alone. */
export function confidenceText(verdict: Exclude<ConfidenceVerdict, { kind: "steady" }>): string {
  if (verdict.kind === "below-floor")
    return `At turn ${verdict.turnIndex} the agent's confidence is ${inWords(verdict.confidence)}, below the floor of ${inWords(verdict.floor)}`;
  const claimed = verdict.turns.map(({ confidence }) => inWords(confidence)).join(", ");
  return `Over its last ${verdict.turns.length} turns the agent's confidence falls by ${inWords(-verdict.perTurn)} a turn: ${claimed}`;
}

const inWords = (number: number): string => String(Math.round(number * 1000) / 1000);
