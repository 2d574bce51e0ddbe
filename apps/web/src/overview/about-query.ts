import { queryOptions } from "@tanstack/react-query";
import { client } from "../trpc.ts";

export const about = () =>
  queryOptions({
    queryKey: ["system", "about"],
    queryFn: ({ signal }) => client.system.about.query(undefined, { signal }),
  });
