import type { Caller } from "@signalbox/core";
import type { Database } from "@signalbox/db";
import { hashTextOfSecret } from "../secret.ts";
import type { System } from "../system.ts";

/** A caller whom a key named a moment ago, with what the key is asked for again by. */
export type RememberedCaller = {
  readonly caller: Caller;
  /** The key's hash in hexadecimal. */
  readonly unconfirmedKey: string;
};

/** Under a minute, so that a key which is busy goes on to be marked as used. */
const forMs = 30_000;
const most = 10_000;
const remembered = new WeakMap<Database, Map<string, { readonly caller: Caller; readonly at: number }>>();

export const keyText = (hash: Uint8Array): string => Buffer.from(hash).toString("hex");

export function rememberCaller(system: System, secret: string, caller: Caller): void {
  const key = hashTextOfSecret(secret);
  const known = remembered.get(system.database) ?? new Map<string, { caller: Caller; at: number }>();
  remembered.set(system.database, known);
  known.delete(key);
  known.set(key, { caller, at: system.clock.now().getTime() });
  const [oldest] = known.keys();
  if (known.size > most && oldest !== undefined) known.delete(oldest);
}

/**
 * For a command that commits (ADR 0053). The key may have been revoked since, so the transaction in which the command writes
 * asks whether it still counts, and whoever refuses the command asks before it says why.
 */
export function recallCaller(system: System, secret: string): RememberedCaller | undefined {
  const known = remembered.get(system.database);
  if (known === undefined) return undefined;
  const unconfirmedKey = hashTextOfSecret(secret);
  const found = known.get(unconfirmedKey);
  if (found === undefined || Math.abs(system.clock.now().getTime() - found.at) > forMs) return undefined;
  return { caller: found.caller, unconfirmedKey };
}
