import { type ErrorCode, PipelineStatus } from "@signalbox/contracts";

/** What a request is known by: the caller's name for it, and a hash of all that was sent. */
export type Once = { readonly key: string; readonly digest: Uint8Array };

/** What is kept of the first time. */
export type FirstTime = {
  readonly digest: Uint8Array;
  /** The pipeline that the request began, and how it stands; null where it began none. */
  readonly pipeline: { readonly pipelineId: string; readonly status: number } | null;
};

export type RepeatDecision =
  | { readonly kind: "answered-before" }
  | {
      readonly kind: "refused";
      readonly code: ErrorCode & ("IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENT_RUN_FAILED");
      readonly detail: string;
    };

/** ONCE-1 to ONCE-3 */
export function judgeRepeat(first: FirstTime, again: Once): RepeatDecision {
  if (!isSame(first.digest, again.digest)) {
    const detail = `Idempotency-Key "${again.key}" belongs to another request of the last 24 hours.`;
    return { kind: "refused", code: "IDEMPOTENCY_KEY_REUSED", detail };
  }
  const { pipeline } = first;
  if (pipeline?.status !== PipelineStatus.FAILED) return { kind: "answered-before" };
  const detail =
    `Pipeline ${pipeline.pipelineId}, which was begun under Idempotency-Key "${again.key}", has failed. ` +
    `To try again, send the request under a new key.`;
  return { kind: "refused", code: "IDEMPOTENT_RUN_FAILED", detail };
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);

/** ONCE-4 */
export const isRequestKey = (text: string): boolean => /^[!-~]{1,255}$/.test(text);
