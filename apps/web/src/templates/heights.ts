import type { Place } from "./columns.ts";

const SWEEPS = 8;

/** A line that bends is harder to follow than a stage that stands a little off. */
const WEIGHT = { bend: 4, stage: 1 } as const;

/**
 * The middle of each place, as level with its neighbours as the others of its column allow: in each column the least
 * squares under the order that stands, found exactly by pooling what would overlap.
 */
export function heightsOf(
  columns: readonly (readonly Place[])[],
  apart: (upper: Place, lower: Place) => number,
): ReadonlyMap<Place, number> {
  const heights = new Map<Place, number>();
  const offsets = columns.map((column) => {
    let offset = 0;
    return column.map((place, index) => {
      const upper = column[index - 1];
      offset += upper === undefined ? 0 : apart(upper, place);
      heights.set(place, offset);
      return offset;
    });
  });
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const onward = sweep % 2 === 0;
    for (let step = 0; step < columns.length; step += 1) {
      const index = onward ? step : columns.length - 1 - step;
      level(columns[index] ?? [], offsets[index] ?? [], heights, onward);
    }
  }
  return heights;
}

function level(
  column: readonly Place[],
  offsets: readonly number[],
  heights: Map<Place, number>,
  onward: boolean,
): void {
  const pools: { sum: number; weight: number; size: number }[] = [];
  for (const [index, place] of column.entries()) {
    const near = onward ? place.before : place.behind;
    const all = near.length > 0 ? near : onward ? place.behind : place.before;
    const own = heights.get(place) ?? 0;
    const wanted =
      all.length === 0 ? own : all.reduce((sum, other) => sum + (heights.get(other) ?? 0), 0) / all.length;
    const weight: number = place.stage === undefined ? WEIGHT.bend : WEIGHT.stage;
    let pool = { sum: (wanted - (offsets[index] ?? 0)) * weight, weight, size: 1 };
    for (let last = pools.at(-1); last !== undefined && last.sum / last.weight > pool.sum / pool.weight;) {
      pools.pop();
      pool = {
        sum: last.sum + pool.sum,
        weight: last.weight + pool.weight,
        size: last.size + pool.size,
      };
      last = pools.at(-1);
    }
    pools.push(pool);
  }
  let index = 0;
  for (const { sum, weight, size } of pools) {
    for (const end = index + size; index < end; index += 1) {
      const place = column[index];
      if (place !== undefined) heights.set(place, sum / weight + (offsets[index] ?? 0));
    }
  }
}
