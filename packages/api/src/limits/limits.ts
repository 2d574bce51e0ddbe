import type { Rate } from "@signalbox/core";

/** By the second and at once, and how many may be under way: requests, long polls, streams and sockets. */
export type Limit = Rate & { readonly open: number };

export type Limited = "address" | "key" | "tenant";

/** Of this process. One that is absent is not limited. */
export type Limits = { readonly [K in Limited]: Limit | undefined };

export const noLimits: Limits = { address: undefined, key: undefined, tenant: undefined };

/** Hundreds of agents behind one address, with one key, each of them polling, streaming and telling of its turns. */
export const usualLimits = {
  address: { perSecond: 2_000, burst: 4_000, open: 8_000 },
  key: { perSecond: 1_000, burst: 2_000, open: 4_000 },
  tenant: { perSecond: 2_000, burst: 4_000, open: 8_000 },
} as const satisfies Limits;
