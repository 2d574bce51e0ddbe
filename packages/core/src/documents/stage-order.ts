export type StageOutline = { stageId: string; dependsOn: readonly string[] };

export type StageOrder = {
  /** Indexes, every stage after all those it depends on, and otherwise in the order of the document. */
  order: number[];
  /** Each circle of dependencies once, by the ids along it; its first stage is the first in the document. */
  cycles: string[][];
  /** Indexes of stages that no circle contains, but that wait for one. */
  unreachable: number[];
};

/** Sorts stages by their dependencies. Ids are unique, and a dependency that is no stage counts as met. */
export function orderStages(stages: readonly StageOutline[]): StageOrder {
  const indexOf = new Map(stages.map((stage, index) => [stage.stageId, index]));
  const dependsOn = stages.map((stage) =>
    stage.dependsOn.map((id) => indexOf.get(id)).filter((index) => index !== undefined),
  );
  const order = settle(dependsOn);
  const settled = new Set(order);
  const stuck = stages.map((_, index) => index).filter((index) => !settled.has(index));
  const circles = circlesAmong(stuck, dependsOn);
  const circling = new Set(circles.flat());
  return {
    order,
    cycles: circles.map((circle) => circle.map((index) => stages[index]?.stageId ?? "")),
    unreachable: stuck.filter((index) => !circling.has(index)),
  };
}

function settle(dependsOn: readonly (readonly number[])[]): number[] {
  const order: number[] = [];
  const done = new Set<number>();
  for (let found = true; found;) {
    found = false;
    for (const [index, dependencies] of dependsOn.entries()) {
      if (done.has(index) || !dependencies.every((dependency) => done.has(dependency))) continue;
      done.add(index);
      order.push(index);
      found = true;
    }
  }
  return order;
}

/** A shortest circle for each stage that lies on one, unless a circle found before holds it. */
function circlesAmong(stuck: readonly number[], dependsOn: readonly (readonly number[])[]): number[][] {
  const circles: number[][] = [];
  for (const start of stuck) {
    if (circles.some((circle) => circle.includes(start))) continue;
    const circle = wayBack(start, dependsOn);
    if (circle !== undefined) circles.push(circle);
  }
  return circles;
}

function wayBack(start: number, dependsOn: readonly (readonly number[])[]): number[] | undefined {
  const reachedFrom = new Map<number, number>();
  const queue = [start];
  for (const current of queue) {
    for (const next of dependsOn[current] ?? []) {
      if (next === start) return wayTo(current, start, reachedFrom);
      if (reachedFrom.has(next)) continue;
      reachedFrom.set(next, current);
      queue.push(next);
    }
  }
  return undefined;
}

function wayTo(end: number, start: number, reachedFrom: ReadonlyMap<number, number>): number[] {
  const way = [end];
  for (let at = end; at !== start; way.unshift(at)) at = reachedFrom.get(at) ?? start;
  return way;
}
