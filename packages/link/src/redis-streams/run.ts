import { setTimeout as pause } from "node:timers/promises";
import { toBinary } from "@bufbuild/protobuf";
import { type TaskEnvelope, TaskEnvelopeSchema } from "@signalbox/contracts";
import type { Reached, RunAnswer } from "@signalbox/engine";
import { attemptOf } from "../attempt-of.ts";
import type { RedisCalls } from "./adapter.ts";
import { isUpTo, lastDelivered } from "./entries.ts";
import { notRead, notWritten } from "./failure.ts";
import { AGENTS, namesOf } from "./names.ts";

const TAKE_WITHIN_MS = 10_000;
const LOOK_FIRST_MS = 10;
const LOOK_LATER_MS = 500;
const MOST_ENTRIES = 10_000;
const MOST_REMEMBERED = 10_000;

/** Taken is what a process of the instance has read; what none reads is taken back, and costs no retry (SENT-9). */
export async function run(
  calls: RedisCalls,
  to: Reached,
  envelope: TaskEnvelope,
  signal: AbortSignal,
): Promise<RunAnswer> {
  const { redis, reader, entries, takeWithinMs = TAKE_WITHIN_MS } = calls;
  const { work } = namesOf(to);
  const { dispatchId } = attemptOf(envelope);
  const id = await write();
  if (entries.size >= MOST_REMEMBERED) entries.clear();
  entries.set(dispatchId, id);
  const end = Date.now() + takeWithinMs;
  for (let waitMs = LOOK_FIRST_MS; ; waitMs = Math.min(2 * waitMs, LOOK_LATER_MS)) {
    if (await isRead()) return { kind: "taken" };
    if (Date.now() >= end || signal.aborted) break;
    await pause(waitMs, undefined, { signal }).catch(() => undefined);
  }
  await redis.call("XDEL", work, id).catch(() => undefined);
  entries.delete(dispatchId);
  // Read in the last moment: then it is at work.
  if (await isRead()) return { kind: "taken" };
  throw notRead();

  async function write(): Promise<string> {
    try {
      await reader.prepare(to);
      const bytes = toBinary(TaskEnvelopeSchema, envelope);
      const fields = ["envelope", bytes, "dispatch_id", dispatchId] as const;
      return String(await redis.call("XADD", work, "MAXLEN", "~", String(MOST_ENTRIES), "*", ...fields));
    } catch (error) {
      throw notWritten(error);
    }
  }

  /** While Redis does not answer nobody knows; the next look does. */
  async function isRead(): Promise<boolean> {
    try {
      const last = lastDelivered(await redis.call("XINFO", "GROUPS", work), AGENTS);
      return last !== undefined && isUpTo(id, last);
    } catch {
      return false;
    }
  }
}
