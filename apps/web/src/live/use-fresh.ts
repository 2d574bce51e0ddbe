import type { QueryKey } from "@tanstack/react-query";
import { queryClient } from "../trpc.ts";
import { refreshIn } from "./refresh.ts";
import type { LiveMessage } from "./stream-client.ts";
import { useTopic } from "./use-topic.ts";

/** One for the whole page: what several listeners find old is read once. */
export const refresh = refreshIn(queryClient);

/** Keeps what the page has read as true as the topic tells: each message names the queries that it made old. */
export function useFresh(topic: string, staleBy: (message: LiveMessage) => readonly QueryKey[]): void {
  useTopic(topic, (message) => {
    for (const queryKey of staleBy(message)) refresh(queryKey);
  });
}
