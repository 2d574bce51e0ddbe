import { SignalboxError } from "@signalbox/contracts";
import { type Caller, type DispatchPlace, dispatchIdOf } from "@signalbox/core";
import { findDispatches } from "@signalbox/db";
import { authorise, authoriseForSomePack } from "../authorise.ts";
import type { Engine } from "../engine.ts";
import { transact } from "../transaction.ts";

const mostKnown = 50_000;
const known = new WeakMap<Engine, Map<string, string>>();

/** Remembers whose a dispatch is, which never changes: who is given it will renew it and report on it. */
export function noteDispatchedPack(
  engine: Engine,
  tenantId: string,
  dispatchId: string,
  packId: string,
): void {
  const packs = known.get(engine) ?? new Map<string, string>();
  known.set(engine, packs);
  packs.set(`${tenantId}/${dispatchId}`, packId);
  const [oldest] = packs.keys();
  if (packs.size > mostKnown && oldest !== undefined) packs.delete(oldest);
}

/**
 * Before anything is done about a dispatch. A key that is bound to packs is asked for the one that the dispatch went to,
 * whatever the request says of it; any other caller's right is the same for all packs, and costs no look-up.
 */
export async function authoriseForDispatch(
  engine: Engine,
  caller: Caller,
  action: "dispatch.renew" | "dispatch.report",
  place: DispatchPlace | undefined,
): Promise<void> {
  // Whoever may do so for no pack at all is told nothing of which dispatches there are.
  authoriseForSomePack(caller, action);
  if (caller.packIds === undefined || place === undefined) return;
  const { tenantId } = caller;
  const dispatchId = dispatchIdOf(place);
  const noted = known.get(engine)?.get(`${tenantId}/${dispatchId}`);
  const packId = noted ?? (await findPackOf(engine, tenantId, place));
  if (packId === undefined) throw new SignalboxError("NOT_FOUND", `There is no dispatch "${dispatchId}".`);
  if (noted === undefined) noteDispatchedPack(engine, tenantId, dispatchId, packId);
  authorise(caller, action, { packId });
}

/** Whose a dispatch on file is; undefined where none of the name was ever sent. */
export async function findPackOf(
  engine: Engine,
  tenantId: string,
  place: DispatchPlace,
): Promise<string | undefined> {
  const [found] = await transact(engine, tenantId, (tx) => findDispatches(tx, [{ tenantId, ...place }]));
  return found?.packId;
}
