import { queryOptions } from "@tanstack/react-query";
import { client } from "../trpc.ts";

/** What is registered, for names to be chosen and not remembered. */
export type KnownNames = {
  readonly packs: readonly { readonly packId: string; readonly taskTypes: readonly string[] }[];
  readonly taskTypes: readonly string[];
};

const MOST_PAGES = 10;

/** The registered packs and what they do, for choosing; of a great many, the newest thousand. */
export const knownNames = () =>
  queryOptions({
    queryKey: ["packs", "names"],
    staleTime: 30_000,
    queryFn: async ({ signal }): Promise<KnownNames> => {
      const packs = new Map<string, Set<string>>();
      let cursor: string | null | undefined;
      for (let page = 0; page < MOST_PAGES && cursor !== null; page += 1) {
        // Each page begins where the one before it ended.
        const read: Awaited<ReturnType<typeof client.packs.list.query>> = await client.packs.list.query(
          { limit: 100, ...(cursor === undefined ? {} : { cursor }) },
          { signal },
        );
        for (const { packId, supportedTaskTypes } of read.packs) {
          const known = packs.get(packId) ?? new Set();
          for (const taskType of supportedTaskTypes) known.add(taskType);
          packs.set(packId, known);
        }
        cursor = read.nextCursor;
      }
      const named = [...packs].map(([packId, taskTypes]) => ({ packId, taskTypes: [...taskTypes] }));
      return {
        packs: named.toSorted((one, other) => (one.packId < other.packId ? -1 : 1)),
        taskTypes: [...new Set(named.flatMap(({ taskTypes }) => taskTypes))].toSorted(),
      };
    },
  });
