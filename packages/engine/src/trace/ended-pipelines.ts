import type { Database } from "@signalbox/db";
import type { PipelineKey } from "../orchestrator/draft.ts";
import type { Committed } from "../orchestrator/orchestrator.ts";

export type EndedPipeline = PipelineKey & { readonly traceId: string };
type Listener = (ended: EndedPipeline) => void;

const listeners = new WeakMap<Database, Set<Listener>>();

/** Hears which pipelines this process brought to their end, once that is committed. */
export function onPipelineEnded(
  { database }: { readonly database: Database },
  listener: Listener,
): () => void {
  const known = listeners.get(database) ?? new Set();
  listeners.set(database, known);
  known.add(listener);
  return () => void known.delete(listener);
}

export function tellEnded({ database }: { readonly database: Database }, { drafts }: Committed): void {
  const known = listeners.get(database);
  if (known === undefined || known.size === 0) return;
  for (const { key, traceId, before, state } of drafts) {
    if (state.endedAt === null || (before?.endedAt ?? null) !== null) continue;
    for (const listener of known) listener({ ...key, traceId });
  }
}
