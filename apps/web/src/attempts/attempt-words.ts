import type { Aspect } from "../ui/signal.tsx";

/** As much of an attempt as says how it stands. */
export type Standing = {
  readonly atWork: boolean;
  readonly standing: "counted" | "invalid" | "stale" | null;
  readonly outcome: {
    readonly outcome: string;
    readonly verdict: string | null;
    readonly handedBack: boolean;
  } | null;
};

export type Told = { readonly aspect: Aspect; readonly word: string };

const byVerdict: Readonly<Record<string, Told>> = {
  advance: { aspect: "clear", word: "Passed its gate" },
  ask: { aspect: "caution", word: "Gate asked a person" },
  clarify: { aspect: "caution", word: "Asked a question" },
  retry: { aspect: "danger", word: "Failed its gate" },
  fail: { aspect: "danger", word: "Failed its gate" },
  reject: { aspect: "danger", word: "Sent the work back" },
};

const byOutcome: Readonly<Record<string, Told>> = {
  SUCCESS: { aspect: "clear", word: "Reported success" },
  PARTIAL: { aspect: "caution", word: "Reported part of it" },
  RETRYABLE_FAILURE: { aspect: "danger", word: "Reported a failure" },
  NON_RETRYABLE_FAILURE: { aspect: "danger", word: "Reported a final failure" },
  POLICY_BLOCKED: { aspect: "caution", word: "Blocked by policy" },
};

/** How an attempt stands, as a lamp and in words. */
export function standingOf({ atWork, standing, outcome }: Standing): Told {
  if (standing === "invalid") return { aspect: "danger", word: "Result was not valid" };
  if (standing === "stale") return { aspect: "unlit", word: "Result came too late" };
  if (outcome?.handedBack === true) return { aspect: "unlit", word: "Handed back" };
  const judged = outcome?.verdict == null ? undefined : byVerdict[outcome.verdict];
  const reported = outcome === null ? undefined : byOutcome[outcome.outcome];
  if (judged !== undefined) return judged;
  if (reported !== undefined) return reported;
  return atWork ? { aspect: "unlit", word: "At work" } : { aspect: "unlit", word: "Ended without a result" };
}

/** `RETRYABLE_FAILURE` and `RISK_TIER_LOW` as people say it; what is no name of the contract's stays as it is. */
export function nameInWords(name: string, prefix = ""): string {
  const bare = name.startsWith(prefix) ? name.slice(prefix.length) : name;
  return /^[A-Z][A-Z_]*$/.test(bare) ? bare.replaceAll("_", " ").toLowerCase() : bare;
}
