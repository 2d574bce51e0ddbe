import type { AppRouter } from "@signalbox/api";
import { queryOptions } from "@tanstack/react-query";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { client } from "../trpc.ts";

export type InForce = inferRouterOutputs<AppRouter>["redaction"]["inForce"];
export type Trial = inferRouterOutputs<AppRouter>["redaction"]["try"];
export type TrialKind = inferRouterInputs<AppRouter>["redaction"]["try"]["kind"];

export const redactionInForce = () =>
  queryOptions({
    queryKey: ["redaction", "in-force"],
    queryFn: ({ signal }) => client.redaction.inForce.query(undefined, { signal }),
  });

export const tryText = (kind: TrialKind, text: string): Promise<Trial> =>
  client.redaction.try.mutate({ kind, text });
