import { LinkFailure } from "@signalbox/engine";

/** Redis did not take the entry, or nobody knows: what comes twice is the same dispatch, and counts once (D6). */
export const notWritten = (cause: unknown): LinkFailure =>
  new LinkFailure("not-taken", `Redis did not take the envelope: ${String(cause).slice(0, 300)}`, { cause });

export const notRead = (): LinkFailure =>
  new LinkFailure("not-taken", "no process of the instance read the envelope");
