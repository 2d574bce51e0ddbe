import type { Committer } from "./committer.ts";
import type { WantedRefs } from "./dispatch-ready.ts";
import type { PipelineKey } from "./draft.ts";
import type { RefSource } from "./refs.ts";
import { type Change, done } from "./work.ts";

/** Fetches refs anew outside of every transaction, and then lets the pipeline go on with what came of it. */
export async function refreshRefs(
  committer: Committer,
  source: RefSource,
  { tenantId, pipelineId, refs }: PipelineKey & WantedRefs,
): Promise<void> {
  const outcomes = await Promise.all(
    refs.map(async (ref) => [ref.uriOrLocator, await source(ref, tenantId)] as const),
  );
  const change: Change<undefined> = {
    kind: "change",
    way: "command",
    atHead: true,
    key: { tenantId, pipelineId },
    refreshed: new Map(outcomes),
    decide: () => done(undefined),
  };
  await committer.commit(change);
}
