/** What the diagram needs to know of a stage. */
type Placed = { readonly stageId: string; readonly dependsOn: readonly string[] };
type Block = { readonly stageId: string; readonly x: number; readonly y: number };
type Link = { readonly from: string; readonly to: string; readonly path: string };
type Layout = {
  readonly blocks: ReadonlyMap<string, Block>;
  readonly links: readonly Link[];
  readonly width: number;
  readonly height: number;
};

export const blockWidth = 168;
export const blockHeight = 56;
const gap = 68;
const laneHeight = 88;
const margin = 16;

/**
 * Columns by how far a stage is from the beginning, lanes so that a line runs straight on where it can: a stage takes the free
 * lane that is nearest to those that it waits for.
 */
export function layOut(stages: readonly Placed[]): Layout {
  const columns = columnsOf(stages);
  const lanes = new Map<string, number>();
  const taken = new Map<number, Set<number>>();
  for (const { stageId, dependsOn } of stages) {
    const own = taken.get(columns.get(stageId) ?? 0) ?? new Set<number>();
    taken.set(columns.get(stageId) ?? 0, own);
    const before = dependsOn.flatMap((one) => lanes.get(one) ?? []);
    const wanted = before.length === 0 ? 0 : before.reduce((sum, lane) => sum + lane, 0) / before.length;
    const lane = nearestFree(own, wanted);
    own.add(lane);
    lanes.set(stageId, lane);
  }
  const blocks = new Map(
    stages.map(({ stageId }) => {
      const x = margin + (columns.get(stageId) ?? 0) * (blockWidth + gap);
      const y = margin + (lanes.get(stageId) ?? 0) * laneHeight;
      return [stageId, { stageId, x, y }];
    }),
  );
  const links = stages.flatMap((stage) => linksInto(stage, blocks));
  const all = [...blocks.values()];
  return {
    blocks,
    links,
    width: Math.max(0, ...all.map(({ x }) => x)) + blockWidth + gap,
    height: Math.max(0, ...all.map(({ y }) => y)) + laneHeight,
  };
}

/** Stages come in an order in which each stands behind those that it depends on. */
function columnsOf(stages: readonly Placed[]): ReadonlyMap<string, number> {
  const columns = new Map<string, number>();
  for (const { stageId, dependsOn } of stages)
    columns.set(stageId, Math.max(-1, ...dependsOn.map((one) => columns.get(one) ?? -1)) + 1);
  return columns;
}

function nearestFree(taken: ReadonlySet<number>, wanted: number): number {
  const near = Math.round(wanted);
  for (let away = 0; ; away += 1) {
    for (const lane of [near - away, near + away]) if (lane >= 0 && !taken.has(lane)) return lane;
  }
}

function linksInto({ stageId, dependsOn }: Placed, blocks: ReadonlyMap<string, Block>): Link[] {
  const to = blocks.get(stageId);
  if (to === undefined) return [];
  return dependsOn.flatMap((one) => {
    const from = blocks.get(one);
    return from === undefined ? [] : [{ from: one, to: stageId, path: track(from, to) }];
  });
}

/** A line of track: straight, or over points at an angle; past the blocks between, in the space below its lane. */
function track(from: Block, to: Block): string {
  const [x1, y1] = [from.x + blockWidth, from.y + blockHeight / 2];
  const [x2, y2] = [to.x, to.y + blockHeight / 2];
  const passes = x2 - x1 > gap;
  if (!passes) {
    if (y1 === y2) return `M${x1} ${y1}H${x2}`;
    return `M${x1} ${y1}h30L${x2 - 10} ${y2}H${x2}`;
  }
  const between = (y2 > y1 ? y2 : y1) + (y1 === y2 ? 1 : y2 > y1 ? -1 : 1) * (laneHeight / 2);
  return `M${x1} ${y1}h30L${x1 + gap - 10} ${between}H${x2 - gap + 10}L${x2 - 10} ${y2}H${x2}`;
}
