import { memo } from "react";
import { endOf, type Line } from "../template-graph.ts";
import { BLOCK, type Layout, pathOf, type Point, type Route } from "../template-layout.ts";

type LinesProps = {
  layout: Layout;
  /** The stage whose lines stand out. */
  selected: string | undefined;
  drawn: { from: Point; to: Point } | undefined;
  onLine?: ((line: Line) => void) | undefined;
};

const marks = { success: "", failure: "on failure", condition: "when …" } as const;

/** A whole line is for success; a broken one has to be asked: failure in short strokes, a condition in long ones. */
const strokes = { success: undefined, failure: "2 5", condition: "12 5" } as const;

export function Lines({ layout, selected, drawn, onLine }: LinesProps) {
  return (
    <svg
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 fill-none"
      width={layout.width}
      height={layout.height}
    >
      {layout.routes.map((route) => (
        <TrackLine
          key={`${route.line.from} ${route.line.to}`}
          route={route}
          near={route.line.from === selected || route.line.to === selected}
          onLine={onLine}
        />
      ))}
      {drawn !== undefined && (
        <path
          d={pathOf([drawn.from, drawn.to])}
          className="stroke-ink"
          strokeWidth="3"
          strokeDasharray="4 4"
        />
      )}
    </svg>
  );
}

type TrackProps = { route: Route; near: boolean; onLine?: ((line: Line) => void) | undefined };

/** A text that is read anew gives new objects for what is as it was. */
const isSame = (before: TrackProps, now: TrackProps): boolean =>
  before.near === now.near &&
  before.onLine === now.onLine &&
  pathOf(before.route.points) === pathOf(now.route.points) &&
  endOf(before.route.line) === endOf(now.route.line);

const TrackLine = memo(Track, isSame);

function Track({ route: { line, points }, near, onLine }: TrackProps) {
  const end = endOf(line);
  const path = pathOf(points);
  const last = points.at(-1) ?? { x: 0, y: 0 };
  return (
    <g className={near ? "stroke-ink" : "stroke-track"}>
      <path d={path} strokeWidth={near ? 4 : 3} strokeDasharray={strokes[end]} />
      <path d={`M${last.x - 9} ${last.y - 6}l8 6l-8 6`} strokeWidth="2.5" />
      {end !== "success" && (
        <text
          x={last.x - 14}
          y={last.y + (comesFromAbove(points) ? 18 : -10)}
          textAnchor="end"
          strokeWidth="4"
          paintOrder="stroke"
          className="fill-ink-soft stroke-panel font-sans text-xs"
        >
          {marks[end]}
        </text>
      )}
      {onLine !== undefined && (
        <path
          d={path}
          className="pointer-events-auto cursor-pointer stroke-transparent"
          strokeWidth="16"
          onClick={() => onLine(line)}
        >
          <title>{`${line.from} to ${line.to}`}</title>
        </path>
      )}
    </g>
  );
}

/** A label stands on the side of the track that its slant does not cross. */
const comesFromAbove = (points: readonly Point[]): boolean => {
  const [before, last] = points.slice(-2);
  return before !== undefined && last !== undefined && before.y < last.y;
};

export const portOf = ({ boxes }: Layout, index: number, side: "in" | "out"): Point => {
  const { x, y } = boxes[index] ?? { x: 0, y: 0 };
  return { x: side === "in" ? x : x + BLOCK.width, y: y + BLOCK.height / 2 };
};
