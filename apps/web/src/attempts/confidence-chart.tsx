import { type Claim, confidenceInWords, confidencePoints, linePath } from "./confidence-line.ts";

const box = { width: 600, height: 72 };

/** How sure the agent said it was, turn by turn. The words beside it say the same to who does not see it. */
export function ConfidenceChart({ claims }: { claims: readonly Claim[] }) {
  const points = confidencePoints(claims, box);
  return (
    <figure className="min-w-0">
      <svg
        aria-hidden="true"
        viewBox={`-6 -6 ${box.width + 12} ${box.height + 12}`}
        className="w-full"
        height="80"
        preserveAspectRatio="none"
      >
        {[0, 0.5, 1].map((level) => (
          <line
            key={level}
            x1="0"
            x2={box.width}
            y1={level * box.height}
            y2={level * box.height}
            stroke="var(--rule)"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        <path
          d={linePath(points)}
          fill="none"
          stroke="var(--track)"
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
        />
        {points.length <= 60 &&
          points.map(({ turnIndex, x, y }) => (
            // A path of no length with round ends stays a dot, however the picture is stretched.
            <path
              key={turnIndex}
              d={`M${x} ${y}h0.01`}
              stroke="var(--ink)"
              strokeWidth={7}
              strokeLinecap="round"
              vectorEffect="non-scaling-stroke"
            />
          ))}
      </svg>
      <figcaption className="mt-1 text-sm text-ink-soft">{confidenceInWords(claims)}</figcaption>
    </figure>
  );
}
