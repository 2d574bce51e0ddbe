import { type Place, placeInColumns } from "./columns.ts";
import { heightsOf } from "./heights.ts";
import type { Line, Template } from "./template-graph.ts";

export type Point = { readonly x: number; readonly y: number };
export type Box = Point & { readonly column: number };
export type Route = { readonly line: Line; readonly points: readonly Point[] };
export type Layout = {
  readonly width: number;
  readonly height: number;
  /** The upper left corner of each stage, by its place in the document. */
  readonly boxes: readonly Box[];
  readonly routes: readonly Route[];
};

export const BLOCK = { width: 208, height: 64 } as const;
const GAP = { column: 88, row: 40, bend: 28, margin: 24 } as const;

/**
 * Columns by what waits for what, from left to right; within a column the order of the document, so that whoever moves a
 * stage in the one sees it move in the other.
 */
export function layOut({ stages, lines }: Pick<Template, "stages" | "lines">): Layout {
  const indexOf = new Map(stages.toReversed().map(({ id, index }) => [id, index]));
  const laid = lines.flatMap((line) => {
    const from = indexOf.get(line.from);
    const to = indexOf.get(line.to);
    return from === undefined || to === undefined || from === to ? [] : [{ line, from, to }];
  });
  const { columns, ways } = placeInColumns(stages.length, laid);
  const heights = heightsOf(columns, apart);
  const topOf = (place: Place): number =>
    (heights.get(place) ?? 0) - (place.stage === undefined ? 0 : BLOCK.height / 2);
  const top = Math.min(...columns.flat().map(topOf), Infinity);
  const middle = (place: Place): number => Math.round((heights.get(place) ?? 0) - top + GAP.margin);
  const left = (column: number): number => GAP.margin + column * (BLOCK.width + GAP.column);

  const boxes: Box[] = [];
  for (const place of columns.flat()) {
    if (place.stage === undefined) continue;
    const { column } = place;
    boxes[place.stage] = { x: left(column), y: middle(place) - BLOCK.height / 2, column };
  }
  const bends = columns.flat().filter(({ stage }) => stage === undefined);
  const bottom = Math.max(0, ...boxes.map(({ y }) => y + BLOCK.height), ...bends.map(middle));
  return {
    width: left(columns.length) - GAP.column + GAP.margin,
    height: bottom + GAP.margin,
    boxes,
    routes: laid.map(({ line }, index) => ({ line, points: pointsOf(ways[index] ?? [], left, middle) })),
  };
}

const apart = (upper: Place, lower: Place): number => {
  const stages = [upper, lower].filter(({ stage }) => stage !== undefined).length;
  if (stages === 2) return BLOCK.height + GAP.row;
  return stages === 1 ? BLOCK.height / 2 + GAP.bend : GAP.bend;
};

/** From the right edge of a stage, level through every column between, to the left edge of the other. */
function pointsOf(
  way: readonly Place[],
  left: (column: number) => number,
  middle: (place: Place) => number,
): Point[] {
  return way.flatMap((place, index) => {
    const y = middle(place);
    const start = { x: left(place.column), y };
    const end = { x: start.x + BLOCK.width, y };
    if (index === 0) return [end];
    return index === way.length - 1 ? [start] : [start, end];
  });
}

/** A line as track is laid: level along its points, and slanting between them. */
export function pathOf(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  let path = `M${first.x} ${first.y}`;
  let last = first;
  for (const point of rest) {
    const rise = Math.abs(point.y - last.y);
    const run = point.x - last.x;
    const slant = Math.max(Math.min(rise, run * 0.6), 0);
    const level = (run - slant) / 2;
    if (rise > 0 && run > 0) path += `H${last.x + level}L${last.x + level + slant} ${point.y}`;
    path += `L${point.x} ${point.y}`;
    last = point;
  }
  return path;
}
