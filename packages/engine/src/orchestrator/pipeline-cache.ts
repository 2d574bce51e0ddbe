import { finished } from "@signalbox/core";
import { LRUCache } from "lru-cache";
import { type HeldPipeline, keyText, type PipelineKey } from "./draft.ts";

export type PipelineCache = {
  /** The pipeline, if this very revision of it is held: any other is another node's work, and must be loaded. */
  find(key: PipelineKey, revision: number): HeldPipeline | undefined;
  keep(key: PipelineKey, held: HeldPipeline): void;
  forget(key: PipelineKey): void;
};

/**
 * Saves loading what this process itself wrote last. It is only ever asked about a revision that the database has just
 * named under lock, so it can be wrong about nothing; what it lacks is loaded.
 */
export function createPipelineCache(capacity: number): PipelineCache {
  const held = new LRUCache<string, HeldPipeline>({ max: capacity });
  return {
    find(key, revision) {
      const found = held.get(keyText(key));
      return found?.state.revision === revision ? found : undefined;
    },
    keep(key, pipeline) {
      if (finished.includes(pipeline.state.status)) held.delete(keyText(key));
      else held.set(keyText(key), pipeline);
    },
    forget: (key) => void held.delete(keyText(key)),
  };
}
