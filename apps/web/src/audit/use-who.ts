import { keyActorId } from "@signalbox/core/key-actor";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keyInWords } from "../escalations/key-name.ts";
import { usePeople } from "../escalations/people.ts";
import { client, queryClient } from "../trpc.ts";
import { offersOf, type Somebody, whoIs } from "./who.ts";

const MOST_PAGES = 5;

/** Keys stand on record by label and id, and as no member does. */
async function keysOnRecord(signal: AbortSignal): Promise<Somebody[]> {
  const found: Somebody[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { keys, nextCursor }: Awaited<ReturnType<typeof client.keys.list.query>> =
      await client.keys.list.query({ limit: 100, ...(cursor !== null && { cursor }) }, { signal });
    for (const { keyId, label } of keys) {
      const id = keyActorId({ label, keyId });
      found.push({ id, name: keyInWords(id) ?? id });
    }
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return found;
}

const keys = () =>
  queryOptions({
    queryKey: ["keys", "on-record"],
    queryFn: ({ signal }) => keysOnRecord(signal),
    staleTime: 60_000,
  });

/** The field that takes what the rows show of who did something, and gives the id that the record has. */
export function useWho(actor: string | undefined, isShown: boolean) {
  const { nameOf, known: people } = usePeople();
  const { data: labelled = [] } = useQuery({ ...keys(), enabled: isShown });
  const [written, setWritten] = useState<string>();
  const [fault, setFault] = useState<string>();
  const offers = offersOf([...people, ...labelled]);
  const shown = actor === undefined ? "" : (offers.find(({ id }) => id === actor)?.says ?? nameOf(actor));
  return {
    offers,
    fault,
    value: written ?? shown,
    onValue: (text: string) => {
      setWritten(text);
      setFault(undefined);
    },
    /** The id that is meant; undefined where it cannot be told, which is then said. */
    read: async (): Promise<string | undefined> => {
      if (written === undefined || written.trim() === "") return written ?? actor ?? "";
      // Who writes fast is done before the keys are here; where they cannot be had, the text is searched for as it is.
      const all = await queryClient.ensureQueryData(keys()).catch(() => []);
      const meant = whoIs(written, [...people, ...all]);
      if (typeof meant === "string") return meant;
      setFault(meant.fault);
      return undefined;
    },
  };
}
