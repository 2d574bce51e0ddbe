import { z } from "zod";

/** An entry of a stream, as XREADGROUP and XAUTOCLAIM give it. */
export type Entry = { readonly id: string; readonly fields: ReadonlyMap<string, Buffer> };

const bytes = z.instanceof(Buffer);
/** An entry that was deleted while it was pending has no fields. */
const entry = z.tuple([bytes, z.array(bytes).nullable()]);
const read = z.array(z.tuple([bytes, z.array(entry)])).nullable();
const claimed = z.tuple([bytes, z.array(entry.nullable())]).rest(z.unknown());
const groups = z.array(z.array(z.unknown()));

/** By stream, what XREADGROUP answered. */
export const readEntries = (reply: unknown): (readonly [string, readonly Entry[]])[] =>
  (read.parse(reply) ?? []).map(([key, entries]) => [key.toString(), entries.map(entryOf)] as const);

export const claimedEntries = (reply: unknown): Entry[] =>
  claimed.parse(reply)[1].flatMap((one) => (one === null ? [] : [entryOf(one)]));

const pending = z.array(z.tuple([bytes, bytes, z.number(), z.number()]));

/** How often each entry was given to somebody, as XPENDING lists them. */
export const pendingCounts = (reply: unknown): ReadonlyMap<string, number> =>
  new Map(pending.parse(reply).map(([id, , , count]) => [id.toString(), count]));

/** How far a group has read a stream, as XINFO GROUPS tells it; undefined where the group is not there. */
export function lastDelivered(reply: unknown, group: string): string | undefined {
  for (const parts of groups.parse(reply)) {
    const fields = new Map<string, unknown>();
    for (let at = 0; at < parts.length; at += 2) fields.set(String(parts[at]), parts[at + 1]);
    if (String(fields.get("name")) === group) return String(fields.get("last-delivered-id"));
  }
  return undefined;
}

/** Whether one entry stands before another or is it; ids are two numbers, a moment and a count within it. */
export function isUpTo(id: string, last: string): boolean {
  const [moment = 0n, count = 0n] = id.split("-").map(BigInt);
  const [lastMoment = 0n, lastCount = 0n] = last.split("-").map(BigInt);
  return moment < lastMoment || (moment === lastMoment && count <= lastCount);
}

function entryOf([id, given]: z.infer<typeof entry>): Entry {
  const parts = given ?? [];
  const fields = new Map<string, Buffer>();
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [name, value] = [parts[at], parts[at + 1]];
    if (name !== undefined && value !== undefined) fields.set(name.toString(), value);
  }
  return { id: id.toString(), fields };
}
