import type { QueryClient } from "@tanstack/react-query";
import type { AnyRouter } from "@tanstack/react-router";
import { problemOf } from "../problem/problem.ts";

/** What is open stays open, with what its controls and readings are allowed now; what may not be read any more goes. */
export async function judgeAnew(queryClient: QueryClient, router: AnyRouter): Promise<void> {
  queryClient.removeQueries({ type: "inactive" });
  await router.invalidate();
  await queryClient.invalidateQueries();
  await queryClient.resetQueries({
    predicate: ({ state }) => state.error !== null && problemOf(state.error).code === "FORBIDDEN",
  });
}
