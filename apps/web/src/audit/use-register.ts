import { useQueries, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { queryClient } from "../trpc.ts";
import type { AuditFilter } from "./audit-filter.ts";
import { type EntrySummary, newestEntries, olderEntries, pageLength } from "./audit-queries.ts";
import { addNewest, addOlder, begin, placeOf, type Register, rowsOf } from "./register.ts";

/** Kept among what was read, so that it goes with the session, and that who comes back finds their place. */
const registerKey = (filter: AuditFilter) => ["audit", "register", filter];

export function useRegister(filter: AuditFilter, rowsShown: { first: number; last: number }) {
  const { data: newest } = useSuspenseQuery(newestEntries(filter));
  const [register, setRegister] = useState(
    () => queryClient.getQueryData<Register<EntrySummary>>(registerKey(filter)) ?? begin(newest),
  );
  const current = addNewest(register, newest);

  const rows = rowsOf(current, pageLength);
  const pageAt = (row: number) => placeOf(current, Math.max(0, row), pageLength).page;
  const [from, to] = [Math.max(0, pageAt(rowsShown.first)), pageAt(Math.min(rowsShown.last, rows - 1))];
  const shown = current.cursors.slice(from, to + 1).map((cursor, index) => ({ cursor, page: from + index }));
  const pages = useQueries({ queries: shown.map(({ cursor }) => olderEntries(filter, cursor)) });

  const last = current.cursors.at(-1);
  const isLastShown = shown.at(-1)?.cursor === last;
  const lastPage = useQuery({
    ...olderEntries(filter, last ?? ""),
    enabled: last !== undefined && isLastShown,
  }).data;
  const grown = last === undefined || lastPage === undefined ? current : addOlder(current, last, lastPage);
  if (grown !== register) setRegister(grown);
  useEffect(() => {
    queryClient.setQueryData(registerKey(filter), grown);
  }, [filter, grown]);

  const entryAt = (row: number): EntrySummary | undefined => {
    const { page, at } = placeOf(current, row, pageLength);
    if (page === -1) return current.head[at];
    return pages[shown.findIndex((one) => one.page === page)]?.data?.entries[at];
  };
  return {
    rows,
    entryAt,
    added: current.added,
    isWhole: current.lastPage !== undefined,
    error: pages.find(({ error }) => error !== null)?.error ?? null,
  };
}
