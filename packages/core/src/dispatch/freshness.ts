import { clone, create } from "@bufbuild/protobuf";
import { durationMs, timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import {
  type FreshnessPolicy,
  type Ref,
  type RefFreshnessCheck,
  RefFreshnessCheckSchema,
  RefSchema,
} from "@signalbox/contracts";

/** DSP-73: the hard threshold of A2A 3.2, in multiples of `max_ref_staleness`; the contract has no field for it. */
const HARD_STALENESS_FACTOR = 10;

/** What came of fetching a reference anew. `digest` is empty where the source gives none. */
export type RefreshOutcome =
  | { readonly kind: "refreshed"; readonly digest: string; readonly fetchedAt: number }
  /** `forGood`: no later try can come to more, since nobody fetches what it is. */
  | { readonly kind: "failed"; readonly why: string; readonly forGood?: true };

/** A reference as a person was told of it: one that has another digest by then is another. */
export type PinnedRef = { readonly uriOrLocator: string; readonly digest: string };

export type RefBlock = {
  readonly uriOrLocator: string;
  readonly digest: string;
  readonly reason: "unconfirmed" | "digest-differs" | "too-stale";
  readonly why: string;
  readonly forGood: boolean;
};

export type FreshnessDecision =
  /** The refs as they travel, with a check each. `degraded` tells that some travel stale. */
  | {
      readonly kind: "continue";
      readonly degraded: boolean;
      readonly refs: readonly Ref[];
      readonly checks: readonly RefFreshnessCheck[];
    }
  | {
      readonly kind: "block";
      readonly blocked: readonly RefBlock[];
      readonly checks: readonly RefFreshnessCheck[];
    };

/** DSP-70, DSP-71: the refs that must be fetched anew before they can be judged. */
export const refsToRefresh = (
  refs: readonly Ref[],
  policy: FreshnessPolicy | undefined,
  now: number,
): Ref[] => (policy === undefined ? [] : refs.filter((ref) => isStale(ref, policy, now)));

function isStale(ref: Ref, policy: FreshnessPolicy | undefined, now: number): boolean {
  if (policy === undefined) return false;
  if (policy.requireDigest && ref.digest === "") return true;
  if (policy.maxRefStaleness === undefined) return false;
  return ageOf(ref, now) > durationMs(policy.maxRefStaleness);
}

/** One that was never fetched is older than any limit; one from the future has a sender whose clock is ahead. */
const ageOf = ({ fetchedAt }: Ref, now: number): number =>
  fetchedAt === undefined ? Number.POSITIVE_INFINITY : Math.max(0, now - timestampMs(fetchedAt));

/** DSP-70 to DSP-76 (A2A 3.2, step 4). `outcomes` holds what came of each of `refsToRefresh`, in their order. */
export function judgeFreshness(
  refs: readonly Ref[],
  policy: FreshnessPolicy | undefined,
  outcomes: readonly RefreshOutcome[],
  now: number,
  accepted: readonly PinnedRef[] = [],
): FreshnessDecision {
  if (policy === undefined) return { kind: "continue", degraded: false, refs, checks: refs.map(unjudged) };
  let asked = 0;
  const judged = refs.map((ref) => {
    if (!isStale(ref, policy, now)) return fresh(ref);
    const outcome = outcomes[asked++] ?? { kind: "failed", why: "it was not fetched" };
    return judgeStale(ref, policy, outcome, now, accepted);
  });
  const checks = judged.map(({ check }) => check);
  const blocked = judged.flatMap(({ block }) => block ?? []);
  if (blocked.length > 0) return { kind: "block", blocked, checks: checks.map(undispatched) };
  const degraded = checks.some((check) => check.dispatchedWithDegraded);
  return { kind: "continue", degraded, refs: judged.map(({ ref }) => ref), checks };
}

type Judged = { readonly ref: Ref; readonly check: RefFreshnessCheck; readonly block: RefBlock | undefined };

const checkOf = ({ uriOrLocator }: Ref, facts: Partial<Omit<RefFreshnessCheck, "$typeName" | "$unknown">>) =>
  create(RefFreshnessCheckSchema, { uriOrLocator, ...facts });

const unjudged = (ref: Ref): RefFreshnessCheck => checkOf(ref, {});
const fresh = (ref: Ref): Judged => ({ ref, check: unjudged(ref), block: undefined });

function judgeStale(
  ref: Ref,
  policy: FreshnessPolicy | undefined,
  outcome: RefreshOutcome,
  now: number,
  accepted: readonly PinnedRef[],
): Judged {
  const found = blockOf(ref, policy, outcome, now);
  const waived = found !== undefined && mayBeAccepted(found) && accepted.some((one) => isSameRef(one, found));
  const block = waived ? undefined : found;
  if (outcome.kind === "failed") {
    const check = checkOf(ref, { wasStale: true, dispatchedWithDegraded: block === undefined });
    return { ref, check, block };
  }
  const renewed = clone(RefSchema, ref);
  renewed.fetchedAt = timestampFromMs(outcome.fetchedAt);
  if (outcome.digest !== "") renewed.digest = outcome.digest;
  const check = checkOf(ref, { wasStale: true, refreshSucceeded: true, dispatchedWithDegraded: waived });
  return { ref: renewed, check, block };
}

function blockOf(
  ref: Ref,
  policy: FreshnessPolicy | undefined,
  outcome: RefreshOutcome,
  now: number,
): RefBlock | undefined {
  const blocked = (reason: RefBlock["reason"], why: string): RefBlock => ({
    uriOrLocator: ref.uriOrLocator,
    digest: ref.digest,
    reason,
    why,
    forGood: outcome.kind === "failed" && outcome.forGood === true,
  });
  const strict = policy?.requireDigest === true;
  if (outcome.kind === "failed") {
    if (strict) return blocked("unconfirmed", outcome.why);
    return isFarTooStale(ref, policy, now) ? blocked("too-stale", outcome.why) : undefined;
  }
  if (strict && outcome.digest === "") return blocked("unconfirmed", "its source gives no digest");
  if (strict && ref.digest !== "" && ref.digest !== outcome.digest) {
    return blocked("digest-differs", `it is pinned to ${ref.digest} and now has ${outcome.digest}`);
  }
  return undefined;
}

/** DSP-76: what is too old or cannot be confirmed may be let through by a person; what is not what was given may not. */
export const mayBeAccepted = ({ reason }: RefBlock): boolean => reason !== "digest-differs";

export const isSameRef = (one: PinnedRef, other: PinnedRef): boolean =>
  one.uriOrLocator === other.uriOrLocator && one.digest === other.digest;

/** Of a ref that was never fetched no age is known, so that it is not known to be far too old. */
function isFarTooStale(ref: Ref, policy: FreshnessPolicy | undefined, now: number): boolean {
  if (policy?.maxRefStaleness === undefined || ref.fetchedAt === undefined) return false;
  return ageOf(ref, now) > HARD_STALENESS_FACTOR * durationMs(policy.maxRefStaleness);
}

/** Nothing travels when one ref blocks, so nothing travelled degraded. */
const undispatched = (check: RefFreshnessCheck): RefFreshnessCheck =>
  check.dispatchedWithDegraded ? { ...check, dispatchedWithDegraded: false } : check;

/** For the person who is asked. */
export const blockText = ({ uriOrLocator, reason, why }: RefBlock): string =>
  `${uriOrLocator}: ${blocks[reason]} (${why})`;

const blocks: Readonly<Record<RefBlock["reason"], string>> = {
  unconfirmed: "its content could not be confirmed, which the policy demands",
  "digest-differs": "its content is not what the task was given",
  "too-stale": `it is more than ${HARD_STALENESS_FACTOR} times older than the policy allows, and could not be fetched anew`,
};
