/** `stage`, or `stage-2` where that is taken. */
export function freeId(wanted: string, taken: readonly string[]): string {
  let id = wanted;
  for (let number = 2; taken.includes(id); number += 1) id = `${wanted}-${number}`;
  return id;
}
