import { finished } from "@signalbox/core";
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
  const held = new Map<string, HeldPipeline>();
  return {
    find(key, revision) {
      const text = keyText(key);
      const found = held.get(text);
      if (found?.state.revision !== revision) return undefined;
      held.delete(text);
      held.set(text, found);
      return found;
    },
    keep(key, pipeline) {
      const text = keyText(key);
      held.delete(text);
      if (finished.includes(pipeline.state.status)) return;
      held.set(text, pipeline);
      if (held.size <= capacity) return;
      const [oldest] = held.keys();
      if (oldest !== undefined) held.delete(oldest);
    },
    forget: (key) => void held.delete(keyText(key)),
  };
}
