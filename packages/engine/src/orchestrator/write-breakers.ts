import {
  type BreakerState,
  closedBreaker,
  printBreakerState,
  readBreakerState,
  stepBreaker,
} from "@signalbox/core";
import { type BreakerKey, bumpRegistries, findBreakers, saveBreakers } from "@signalbox/db";
import type { MovedBreaker } from "./batch-registry.ts";
import type { Batch } from "./open-batch.ts";

/**
 * Breakers move only with failures; the tenant's registry counts such a change, so that other nodes learn of it. Its
 * counter is held from here to the commit, so that of failures that arrive side by side none is lost.
 */
export async function writeBreakers({ tx, registries }: Batch): Promise<void> {
  const moved = [...registries].flatMap(([tenantId, { registry }]) =>
    registry.breakers().map((one) => Object.assign({ tenantId }, one)),
  );
  if (moved.length === 0) return;
  const changes = await bumpRegistries(tx, [...new Set(moved.map(({ tenantId }) => tenantId))]);
  const stored = new Map(
    (await findBreakers(tx, moved.map(keyOf))).map((row) => [nameOf(row), readBreakerState(row.state)]),
  );
  await saveBreakers(
    tx,
    moved.map((one) =>
      Object.assign(keyOf(one), {
        change: changes.get(one.tenantId) ?? 0,
        state: printBreakerState(movedOn(stored.get(nameOf(one)) ?? closedBreaker, one)),
      }),
    ),
  );
}

const keyOf = ({ tenantId, packId, taskType }: BreakerKey): BreakerKey => ({ tenantId, packId, taskType });
const nameOf = ({ tenantId, packId, taskType }: BreakerKey): string =>
  JSON.stringify([tenantId, packId, taskType]);

/** What this batch did to the breaker, done to it as it is. */
function movedOn(stored: BreakerState, { steps, settings, state: seen }: MovedBreaker): BreakerState {
  const state = steps.reduce((before, { event, now }) => stepBreaker(before, event, settings, now), stored);
  if (seen.kind === "probing" && (state.kind !== "probing" || state.dispatchId !== seen.dispatchId)) {
    throw probedElsewhere();
  }
  return state;
}

/** D5: one probe. Somebody else's began meanwhile: the code has the batch decide anew. */
const probedElsewhere = () =>
  Object.assign(new Error("another probe began while this one was decided"), { code: "40001" });
