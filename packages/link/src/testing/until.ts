import { setTimeout as pause } from "node:timers/promises";

const LOOK_EVERY_MS = 100;
const LIMIT_MS = 60_000;

/** Many wait at once for what takes seconds: each looks seldom, and a busy machine is no fault of theirs. */
export async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + LIMIT_MS;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`what was waited for did not come within ${LIMIT_MS} ms`);
    await pause(LOOK_EVERY_MS);
  }
}
