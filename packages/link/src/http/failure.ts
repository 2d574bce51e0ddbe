import { LinkFailure } from "@signalbox/engine";
import { OversizedAnswer, PostFailure } from "./post.ts";

/** What became of an envelope whose call failed. */
export function failureOf(error: unknown): LinkFailure {
  if (error instanceof LinkFailure) return error;
  if (error instanceof OversizedAnswer)
    return new LinkFailure("unreadable", `the agent answered 200, and ${error.message}`);
  if (!(error instanceof PostFailure)) return new LinkFailure("lost", "the call broke", { cause: error });
  if (!error.connected) return new LinkFailure("not-taken", error.message, { cause: error.cause });
  return new LinkFailure("lost", `the channel was lost: ${error.message}`, { cause: error.cause });
}

/** Of an agent that answered, but neither took the envelope nor reported on it. */
export function failureOfStatus(status: number): LinkFailure {
  // A gateway gave up waiting for the agent behind it, which may be at work.
  if (status === 502 || status === 504) return new LinkFailure("lost", `a gateway answered ${status}`);
  if (status === 500) return new LinkFailure("failed", "the agent answered 500");
  return new LinkFailure(
    "not-taken",
    `the agent answered ${status}; 202, or 200 with a result, was expected`,
  );
}
