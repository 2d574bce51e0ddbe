import { queryOptions, useQuery } from "@tanstack/react-query";
import { onSessionNews } from "../session/session-channel.ts";
import { client, queryClient } from "../trpc.ts";
import { keyInWords } from "./key-name.ts";

const most = 100;

/** Somebody may have come since they were read. */
export const peopleKey = ["members", "people"];

const people = () =>
  queryOptions({
    queryKey: peopleKey,
    queryFn: async ({ signal }) => (await client.members.list.query({ limit: most }, { signal })).members,
    staleTime: 60_000,
  });

/** Names of whoever is not among the first that are listed: others, and those who were removed. */
const namesKey = ["members", "names"];
type Names = Readonly<Record<string, string>>;
const noNames: Names = {};
const names = () =>
  queryOptions({
    queryKey: namesKey,
    queryFn: () => queryClient.getQueryData<Names>(namesKey) ?? noNames,
    initialData: noNames,
    staleTime: Number.POSITIVE_INFINITY,
  });

const asked = new Set<string>();
// What was answered goes with the session, and whoever signs in next may be of another tenant.
onSessionNews(() => asked.clear());
let wanted: string[] = [];

/** What is drawn together is asked for together, each id once; where it could not be answered, the id stands. */
function findName(memberId: string): void {
  if (asked.has(memberId)) return;
  asked.add(memberId);
  if (wanted.push(memberId) === 1) queueMicrotask(() => void findNames());
}

async function findNames(): Promise<void> {
  const memberIds = wanted.slice(0, most);
  wanted = wanted.slice(most);
  if (wanted.length > 0) queueMicrotask(() => void findNames());
  try {
    const found = await client.members.named.query({ memberIds });
    const known = Object.fromEntries(found.map(({ memberId, name }) => [memberId, name]));
    queryClient.setQueryData<Names>(namesKey, (before) => ({ ...before, ...known }));
  } catch {
    for (const memberId of memberIds) asked.delete(memberId);
  }
}

const isNoMember = (id: string): boolean => id === "" || id.length > 128 || id.includes("/");

/** Who may answer, and what everybody is called; an id stands for whoever is not known. */
export function usePeople() {
  const { data = [], isPending } = useQuery(people());
  const { data: others } = useQuery(names());
  const listed = new Map(data.map(({ memberId, name }) => [memberId, name]));
  return {
    nameOf: (id: string): string => {
      const name = listed.get(id) ?? others[id] ?? keyInWords(id);
      if (name === undefined && !isPending && !isNoMember(id)) findName(id);
      return name ?? id;
    },
    /** Whoever has a name by now: members, and those among whom one was asked for who are members no more. */
    known: [...new Map([...Object.entries(others), ...listed])].map(([id, name]) => ({ id, name })),
    /** Who gives roles. */
    admins: data.flatMap(({ role, name }) => (role === "admin" && name !== "" ? [name] : [])),
    able: data.filter(({ role }) => role === "approver" || role === "admin"),
  };
}
