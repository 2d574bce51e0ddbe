import { type ConfidenceWatch, readPlan } from "@signalbox/core";
import { type BatchTransaction, type Database, loadPlans, type PipelineKey } from "@signalbox/db";
import { keyText } from "../orchestrator/draft.ts";

/** Of a pipeline's stages, in their order; null for one that nobody watches. */
type Watches = readonly (ConfidenceWatch | null)[];

const HELD = 5_000;
const held = new WeakMap<Database, Map<string, Watches>>();

/** What templates set for these pipelines (D17). A plan never changes, so that it is read once. */
export async function confidenceWatches(
  database: Database,
  tx: BatchTransaction,
  keys: readonly PipelineKey[],
): Promise<ReadonlyMap<string, Watches>> {
  const known = held.get(database) ?? new Map<string, Watches>();
  held.set(database, known);
  const wanted = new Map(keys.map((key) => [keyText(key), key]));
  const unknown = [...wanted].flatMap(([text, key]) => (known.has(text) ? [] : [key]));
  for (const row of await loadPlans(tx, unknown))
    known.set(
      keyText(row),
      readPlan(JSON.parse(row.plan)).stages.map(({ confidence }) => confidence),
    );
  const found = new Map([...wanted.keys()].map((text) => [text, known.get(text) ?? []]));
  for (const oldest of known.keys()) {
    if (known.size <= HELD) break;
    known.delete(oldest);
  }
  return found;
}
