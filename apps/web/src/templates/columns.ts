/** A stage, or a bend of a line on its way through a column in which it has no stage. */
export type Place = {
  readonly stage: number | undefined;
  readonly column: number;
  readonly before: Place[];
  readonly behind: Place[];
  /** Its place in the column, from above. */
  order: number;
};
export type Way = { readonly from: number; readonly to: number };
export type Columns = {
  readonly columns: readonly Place[][];
  /** The places along each way, its two stages included; a way back of a circle has its two stages alone. */
  readonly ways: readonly (readonly Place[])[];
};

const SWEEPS = 4;

/**
 * Sugiyama's layers: a stage stands right of all that it waits for, a line has a place of its own in each column that it
 * crosses, and the places are sorted by where their neighbours stand. Among the stages of a column the order of the
 * document holds.
 */
export function placeInColumns(count: number, ways: readonly Way[]): Columns {
  const column = columnOfEach(count, ways);
  const columns: Place[][] = [];
  const put = (stage: number | undefined, index: number): Place => {
    const own = (columns[index] ??= []);
    const place: Place = { stage, column: index, before: [], behind: [], order: own.length };
    own.push(place);
    return place;
  };
  const stages = column.map((index, stage) => put(stage, index));
  const placed = ways.map(({ from, to }) => {
    const start = stages[from];
    const end = stages[to];
    if (start === undefined || end === undefined) return [];
    const between = Array.from({ length: Math.max(end.column - start.column - 1, 0) }, (_, step) =>
      put(undefined, start.column + 1 + step),
    );
    const way = [start, ...between, end];
    if (start.column < end.column) link(way);
    return way;
  });
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const onward = sweep % 2 === 0;
    for (const one of onward ? columns : columns.toReversed()) sortByNeighbours(one, onward);
  }
  for (const one of columns) sortStages(one);
  return { columns, ways: placed };
}

function link(way: readonly Place[]): void {
  for (const [index, place] of way.entries()) {
    const next = way[index + 1];
    if (next === undefined) return;
    place.behind.push(next);
    next.before.push(place);
  }
}

/** The longest way to each. What only a circle leads to begins a column of its own, in the order of the document. */
function columnOfEach(count: number, ways: readonly Way[]): number[] {
  const columns = Array.from({ length: count }, () => 0);
  const open = Array.from({ length: count }, () => 0);
  const leading = Array.from({ length: count }, (): number[] => []);
  for (const { from, to } of ways) {
    open[to] = (open[to] ?? 0) + 1;
    leading[from]?.push(to);
  }
  const done = new Set<number>();
  const queue = open.flatMap((number, stage) => (number === 0 ? stage : []));
  while (done.size < count) {
    for (const stage of queue.splice(0)) {
      if (done.has(stage)) continue;
      done.add(stage);
      for (const next of leading[stage] ?? []) {
        if (done.has(next)) continue;
        columns[next] = Math.max(columns[next] ?? 0, (columns[stage] ?? 0) + 1);
        open[next] = (open[next] ?? 0) - 1;
        if (open[next] === 0) queue.push(next);
      }
    }
    if (queue.length > 0) continue;
    const stuck = columns.findIndex((_, stage) => !done.has(stage));
    if (stuck >= 0) queue.push(stuck);
  }
  return columns;
}

function sortByNeighbours(column: Place[], onward: boolean): void {
  const wanted = new Map(
    column.map((place) => [place, meanOf(onward ? place.before : place.behind) ?? place.order]),
  );
  column.sort((one, other) => (wanted.get(one) ?? 0) - (wanted.get(other) ?? 0));
  for (const [order, place] of column.entries()) place.order = order;
}

const meanOf = (places: readonly Place[]): number | undefined =>
  places.length === 0 ? undefined : places.reduce((sum, { order }) => sum + order, 0) / places.length;

/** The stages of a column change places among themselves only: lines keep theirs. */
function sortStages(column: Place[]): void {
  const stages = column.filter(({ stage }) => stage !== undefined);
  const orders = stages.map(({ order }) => order);
  stages.sort((one, other) => (one.stage ?? 0) - (other.stage ?? 0));
  for (const [index, place] of stages.entries()) place.order = orders[index] ?? 0;
  column.sort((one, other) => one.order - other.order);
}
