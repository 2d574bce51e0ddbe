import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
import { queryClient } from "../trpc.ts";
import { pipelineKey } from "./pipeline-queries.ts";

/** One command at a time; whatever the answer, the pipeline is read anew, since a refusal too means that it is not as shown. */
export const useCommand = <Wish>(pipelineId: string, mutationFn: (wish: Wish) => Promise<unknown>) =>
  useOneAtATime({
    mutationFn,
    onSettled: () => queryClient.invalidateQueries({ queryKey: pipelineKey(pipelineId) }),
  });
