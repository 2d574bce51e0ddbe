import { queryOptions } from "@tanstack/react-query";
import { client } from "../trpc.ts";

/** How many questions wait; the shell's badge keeps it fresh for whoever else says it. */
export const waitingKey = ["escalations", "waiting"];
export const waiting = () =>
  queryOptions({
    queryKey: waitingKey,
    queryFn: ({ signal }) => client.escalations.waiting.query(undefined, { signal }),
  });

/** Above `most` nobody counts on. */
export const countInWords = ({ open, most }: { open: number; most: number }): string =>
  open >= most ? `${most}+` : `${open}`;
