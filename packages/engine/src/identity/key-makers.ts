import { keyIdOf } from "@signalbox/core";
import { findKeyMakers, type TenantTransaction } from "@signalbox/db";

/** D15: who stands behind an actor that is a key: whoever made it, and whoever made a key that made it. */
export async function makersOf(tx: TenantTransaction, actorId: string): Promise<readonly string[]> {
  const keyId = keyIdOf(actorId);
  return keyId === undefined ? [] : findKeyMakers(tx, keyId);
}
