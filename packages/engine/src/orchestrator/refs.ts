import type { Ref } from "@signalbox/contracts";
import type { RefreshOutcome } from "@signalbox/core";

/** Fetches a reference anew, outside every transaction. What it cannot fetch it says; it never throws. */
export type RefSource = (ref: Ref, tenantId: string) => Promise<RefreshOutcome>;

/** Where no source is configured nothing can be confirmed, and the freshness policy decides what that means. */
export const noRefSource: RefSource = () =>
  Promise.resolve({ kind: "failed", why: "no source is configured from which it could be fetched anew" });
