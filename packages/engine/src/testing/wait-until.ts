import { setTimeout as pause } from "node:timers/promises";

/** Looks until it is so; a test that waits for what never comes fails by its own time limit, with this message. */
export async function waitUntil(isSo: () => Promise<boolean> | boolean, limitMs = 20_000): Promise<void> {
  const end = Date.now() + limitMs;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`what was waited for did not come within ${limitMs} ms`);
    await pause(10);
  }
}
