import type { System } from "../system.ts";

const everyMs = 60_000;
const mostKnown = 20_000;
const known = new WeakMap<System, Map<string, number>>();

/** Whether this process did it for this one less than a minute ago. It forgets the oldest; the database keeps the minute. */
export function onceAMinute(system: System, id: string): boolean {
  const done = known.get(system) ?? new Map<string, number>();
  known.set(system, done);
  const now = system.clock.now().getTime();
  const last = done.get(id);
  if (last !== undefined && Math.abs(now - last) < everyMs) return false;
  done.delete(id);
  done.set(id, now);
  const [oldest] = done.keys();
  if (done.size > mostKnown && oldest !== undefined) done.delete(oldest);
  return true;
}
