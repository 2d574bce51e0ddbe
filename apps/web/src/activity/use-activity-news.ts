import { createRefresh } from "../live/refresh.ts";
import { useTopic } from "../live/use-topic.ts";
import { queryClient } from "../trpc.ts";
import { activityKey } from "./activity-queries.ts";

/** A span is minutes wide: it is read anew when something happens, and at most every five seconds while much does. */
const READ_EVERY_MS = 5_000;

const refresh = createRefresh(
  (queryKey) => queryClient.invalidateQueries({ queryKey }),
  () => new Promise((resolve) => setTimeout(resolve, READ_EVERY_MS)),
);

export function useActivityNews(): void {
  useTopic("tenant", () => refresh(activityKey));
}
