import { queryOptions, useQuery } from "@tanstack/react-query";
import { client } from "../trpc.ts";

const most = 100;

/** Somebody may have come since they were read. */
export const peopleKey = ["members", "people"];

const people = () =>
  queryOptions({
    queryKey: peopleKey,
    queryFn: async ({ signal }) => (await client.members.list.query({ limit: most }, { signal })).members,
    staleTime: 60_000,
  });

/** Who may answer, and what everybody is called; an id stands for whoever is not known. */
export function usePeople() {
  const { data = [] } = useQuery(people());
  const names = new Map(data.map(({ memberId, name }) => [memberId, name]));
  return {
    nameOf: (memberId: string) => names.get(memberId) ?? memberId,
    able: data.filter(({ role }) => role === "approver" || role === "admin"),
  };
}
