import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { client } from "../../trpc.ts";
import { placeOfFault } from "../fault-places.ts";

export type Fault = Awaited<ReturnType<typeof client.documents.check.mutate>>["faults"][number];

const none: readonly Fault[] = [];
const REST_MS = 300;

/** What publishing the text would say of it now, once nobody has typed for a moment. */
export function useCheck(text: string) {
  const rested = useRested(text);
  const { data, isFetching, error } = useQuery({
    queryKey: ["documents", "pipeline-templates", "check", rested],
    queryFn: ({ signal }) =>
      client.documents.check.mutate({ kind: "pipeline-templates", text: rested }, { signal }),
    placeholderData: (before) => before,
    staleTime: 0,
    gcTime: 0,
  });
  const faults: readonly Fault[] = data?.faults ?? none;
  return { faults, error, settled: rested === text && !isFetching && data !== undefined };
}

function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

/** How many faults each stage of a template has. */
export function faultsByStage(faults: readonly Fault[], template: number): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { path } of faults) {
    const place = placeOfFault(path);
    if (place.template !== template || place.stage === undefined) continue;
    counts.set(place.stage, (counts.get(place.stage) ?? 0) + 1);
  }
  return counts;
}
