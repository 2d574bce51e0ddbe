import type { QueryClient } from "@tanstack/react-query";

/** A page that reads without a loader throws what its query failed with for as long as the query keeps it. */
export const readFailedAnew = (queryClient: QueryClient): Promise<void> =>
  queryClient.resetQueries({ predicate: ({ state }) => state.status === "error" });
