/** A train keeps its name while it goes from block to block, so that it is seen to move. */
export type Train = { readonly name: string; readonly stageId: string };

type Occupied = { readonly stageId: string; readonly dependsOn: readonly string[] };

/**
 * The trains on the line, after those that were there before: one that stays, stays; into a block that was empty goes one from
 * behind it, else (where the line forks, and where work is sent back) one that has no block any more, else a new one.
 */
export function followTrains(before: readonly Train[], occupied: readonly Occupied[]): readonly Train[] {
  const left = new Map(before.map((train) => [train.stageId, train]));
  const stay = new Map<string, Train>();
  for (const { stageId } of occupied) {
    const train = left.get(stageId);
    if (train === undefined) continue;
    stay.set(stageId, train);
    left.delete(stageId);
  }
  const names = new Set(before.map(({ name }) => name));
  const take = (stageId: string | undefined): Train | undefined => {
    const train = stageId === undefined ? undefined : left.get(stageId);
    if (stageId !== undefined) left.delete(stageId);
    return train;
  };
  return occupied.map(({ stageId, dependsOn }) => {
    const there = stay.get(stageId);
    if (there !== undefined) return there;
    const behind = take(dependsOn.find((one) => left.has(one))) ?? take([...left.keys()][0]);
    const name = behind?.name ?? newName(names);
    names.add(name);
    return { name, stageId };
  });
}

function newName(names: ReadonlySet<string>): string {
  let number = 1;
  while (names.has(`train ${number}`)) number += 1;
  return `train ${number}`;
}
