type Placed = { readonly turnIndex: number };
export type TurnPages<Turn extends Placed, Param> = {
  pages: { turns: Turn[]; more: boolean }[];
  pageParams: Param[];
};

/** Turns by their index, each once; one that is told and read is the same. */
export function inOrder<Turn extends Placed>(turns: readonly Turn[], told: Turn): Turn[] {
  if (turns.some(({ turnIndex }) => turnIndex === told.turnIndex)) return [...turns];
  return [...turns, told].toSorted((one, other) => one.turnIndex - other.turnIndex);
}

/** A turn that is told goes into the page whose stretch it is in; behind the last page only when nothing is left to be read. */
export function withTurn<Turn extends Placed, Param>(
  { pages, pageParams }: TurnPages<Turn, Param>,
  told: Turn,
): TurnPages<Turn, Param> {
  const at = pages.findIndex(({ turns, more }) => {
    const last = turns.at(-1);
    return !more || (last !== undefined && told.turnIndex <= last.turnIndex);
  });
  return {
    pages: pages.map((page, index) =>
      index === at ? { more: page.more, turns: inOrder(page.turns, told) } : page,
    ),
    pageParams,
  };
}
