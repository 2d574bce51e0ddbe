import { SignalboxError } from "@signalbox/contracts";
import { type Database, findPack, listPackIds } from "@signalbox/db";
import type { System } from "../system.ts";
import { transact } from "../transaction.ts";

const most = 10_000;
/** Packs are never taken back, so that what was found once is true for ever; what was not found is asked again. */
const found = new WeakMap<Database, Map<string, Promise<boolean>>>();

/** Throws where no such pack is registered; without a version, any will do. */
export async function requirePack(
  system: System,
  tenantId: string,
  { packId, packVersion }: { packId: string; packVersion: string | undefined },
): Promise<void> {
  const known = found.get(system.database) ?? new Map<string, Promise<boolean>>();
  found.set(system.database, known);
  const key = JSON.stringify([tenantId, packId, packVersion]);
  const asking = known.get(key) ?? ask(system, tenantId, packId, packVersion);
  known.set(key, asking);
  const [oldest] = known.keys();
  if (known.size > most && oldest !== undefined) known.delete(oldest);
  const isRegistered = await asking.catch((error: unknown) => {
    known.delete(key);
    throw error;
  });
  if (isRegistered) return;
  known.delete(key);
  const name = packVersion === undefined ? packId : `${packId} ${packVersion}`;
  throw new SignalboxError("NOT_FOUND", `There is no pack ${name}. Register it before its instances report.`);
}

const ask = (system: System, tenantId: string, packId: string, packVersion: string | undefined) =>
  transact(system, tenantId, async (tx) =>
    packVersion === undefined
      ? (await listPackIds(tx)).includes(packId)
      : (await findPack(tx, packId, packVersion)) !== undefined,
  );
