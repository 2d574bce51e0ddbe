import type { Violation } from "@signalbox/contracts";
import { findNameFaults } from "./members.ts";

const longestLabel = 80;

/** TOKEN-1: short, since it lies in a file of a program that a model steers. */
export const tokenHours = { usual: 8, most: 12 } as const;
export const mostTokens = 10;

export type TokenWish = { label: string; expiresInHours?: number | undefined };

/** TOKEN-1: every fault of a token that a person asks for. */
export function findTokenFaults({ label, expiresInHours = tokenHours.usual }: TokenWish): Violation[] {
  const inRange =
    Number.isInteger(expiresInHours) && expiresInHours >= 1 && expiresInHours <= tokenHours.most;
  return [
    ...findNameFaults("label", label, longestLabel),
    ...(inRange
      ? []
      : [{ field: "expiresInHours", rule: "range", message: `a whole number from 1 to ${tokenHours.most}` }]),
  ];
}
