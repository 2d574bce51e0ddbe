export type Claim = { readonly turnIndex: number; readonly confidence: number };
export type ConfidencePoint = Claim & { readonly x: number; readonly y: number };
export type Box = { readonly width: number; readonly height: number };

/** More points than these are closer than a pixel. */
const MOST_POINTS = 400;

/** Claims from 0 to 1 over the turns, the first at the left edge and the last at the right; one alone stands in the middle. */
export function confidencePoints(claims: readonly Claim[], { width, height }: Box): ConfidencePoint[] {
  const shown = thinned(claims);
  const [first, last] = [shown[0]?.turnIndex ?? 0, shown.at(-1)?.turnIndex ?? 0];
  return shown.map(({ turnIndex, confidence }) => ({
    turnIndex,
    confidence,
    x: last === first ? width / 2 : ((turnIndex - first) / (last - first)) * width,
    y: (1 - Math.min(1, Math.max(0, confidence))) * height,
  }));
}

/** Of each stretch its lowest and its highest, so that no fall is smoothed away. */
function thinned(claims: readonly Claim[]): readonly Claim[] {
  if (claims.length <= MOST_POINTS) return claims;
  const stretch = Math.ceil(claims.length / (MOST_POINTS / 2));
  const kept = new Set<Claim>([claims[0], claims.at(-1)].filter((claim) => claim !== undefined));
  for (let from = 0; from < claims.length; from += stretch) {
    const own = claims
      .slice(from, from + stretch)
      .toSorted((one, other) => one.confidence - other.confidence);
    for (const claim of [own[0], own.at(-1)]) if (claim !== undefined) kept.add(claim);
  }
  return claims.filter((claim) => kept.has(claim));
}

const rounded = (value: number): string => String(Math.round(value * 100) / 100);

export const linePath = (points: readonly ConfidencePoint[]): string =>
  points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${rounded(x)} ${rounded(y)}`).join(" ");

/** `0.73 at turn 4`, for who does not see the line. */
export function confidenceInWords(claims: readonly Claim[]): string {
  const last = claims.at(-1);
  if (last === undefined) return "No turn has said how sure the agent is.";
  const lowest = claims.reduce((low, claim) => (claim.confidence < low.confidence ? claim : low), last);
  const percent = ({ confidence }: Claim) => `${Math.round(confidence * 100)} %`;
  if (claims.length === 1) return `Confidence ${percent(last)} at turn ${last.turnIndex}.`;
  return `Confidence over ${claims.length} turns: last ${percent(last)} at turn ${last.turnIndex}, lowest ${percent(lowest)} at turn ${lowest.turnIndex}.`;
}
