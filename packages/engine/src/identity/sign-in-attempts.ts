import { createHash } from "node:crypto";
import { SignalboxError } from "@signalbox/contracts";
import { addressGroup, type AttemptLimit, attemptLimits } from "@signalbox/core";
import { countSignInAttempt, forgiveSignInAttempt } from "@signalbox/db";
import type { System } from "../system.ts";
import { reach } from "../transaction.ts";

export type Attempt = { tenantId: string; email: string; address: string };

const bucketOf = ({ subject }: AttemptLimit): string => createHash("sha256").update(subject).digest("hex");
const limitsOf = (attempt: Attempt) => attemptLimits({ ...attempt, address: addressGroup(attempt.address) });

/** Counts before the password is looked at, on all nodes together; an account that is not there is counted as one that is. */
export async function countAttempt(system: System, attempt: Attempt): Promise<void> {
  const buckets = Object.values(limitsOf(attempt)).map((limit) => ({
    bucket: bucketOf(limit),
    most: limit.most,
    seconds: limit.seconds,
  }));
  const wait = await reach(system, () => countSignInAttempt(system.database, buckets));
  if (wait === 0) return;
  throw new SignalboxError(
    "RATE_LIMITED",
    `Too many attempts to sign in. Try again in ${wait > 90 ? `${Math.ceil(wait / 60)} minutes` : `${wait} seconds`}.`,
    { retryAfterMs: wait * 1_000 },
  );
}

/** Who knew the password was no attacker: the account begins anew, the address has its one attempt back. */
export async function forgiveAttempt(system: System, attempt: Attempt): Promise<void> {
  const { account, pair, address } = limitsOf(attempt);
  const forgiven = { forgotten: [bucketOf(account), bucketOf(pair)], returned: [bucketOf(address)] };
  await reach(system, () => forgiveSignInAttempt(system.database, forgiven));
}
