import type { Aspect } from "../ui/signal.tsx";
import type { Aggregate, GivenRating, Proposal, RatedTask } from "./learning-queries.ts";

type Change = Proposal["change"];

/** What the policy would say from then on, in a line. */
export function changeInWords(change: Change): string {
  switch (change.kind) {
    case "playbook":
      return `Playbook for ${change.capability}${change.territory === null ? "" : ` in ${change.territory}`}`;
    case "threshold":
      return `Ask a person where ${change.principle} is above ${change.escalateAbove}`;
    case "essence":
    default:
      return change.exclude.length === 0
        ? `Take tasks for ${change.capability} for the same that differ in case or white space`
        : `Take tasks for ${change.capability} for the same that differ in ${inWords(change.exclude)}`;
  }
}

function inWords(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} or ${last}`;
}

export const decisionWords = {
  accepted: { aspect: "clear", word: "Accepted" },
  refused: { aspect: "unlit", word: "Refused" },
  superseded: { aspect: "unlit", word: "Overtaken by newer signals" },
} as const satisfies Record<string, { aspect: Aspect; word: string }>;

/** "12 of 17 (71 %)", or that nobody asked. */
export function shareInWords(part: number, whole: number): string {
  return whole === 0 ? "none yet" : `${part} of ${whole} (${Math.round((part / whole) * 100)} %)`;
}

export const hitsInWords = ({ hits, misses }: Aggregate["cache"]): string =>
  shareInWords(hits, hits + misses);

/** "3.5 of 5, by 4", and how many approved. */
export function ratingsInWords({
  total,
  scores,
  scoreSum,
  approved,
  disapproved,
}: Aggregate["ratings"]): string {
  if (total === 0) return "none yet";
  const parts = [
    scores === 0 ? [] : `${Math.round((scoreSum / scores) * 10) / 10} of 5, by ${scores}`,
    approved === 0 ? [] : `${approved} approved`,
    disapproved === 0 ? [] : `${disapproved} did not approve`,
  ].flat();
  return parts.length === 0 ? `${total} with a note alone` : parts.join("; ");
}

export function ratingInWords({ score, approved }: Pick<GivenRating, "score" | "approved">): string {
  const parts = [
    score === null ? [] : `${score} of 5`,
    approved === null ? [] : approved ? "approved" : "not approved",
  ].flat();
  return parts.join(", ") || "a note";
}

const aspects: Readonly<Record<string, Aspect>> = {
  SUCCEEDED: "clear",
  ESCALATED: "caution",
  PARTIAL: "caution",
  FAILED: "danger",
};

/** How a task stands, as its Result says. */
export const statusSignal = (status: RatedTask["status"]): { aspect: Aspect; word: string } => ({
  aspect: aspects[status] ?? "unlit",
  word: status.charAt(0) + status.slice(1).toLowerCase(),
});

export const isOver = (status: RatedTask["status"]): boolean =>
  status === "SUCCEEDED" || status === "FAILED" || status === "CANCELLED" || status === "PARTIAL";

/** "blueprint: PASS 12, FAIL 1" for each principle. */
export const principlesInWords = (principles: Aggregate["principles"]): string[] =>
  Object.entries(principles).map(
    ([principle, counts]) =>
      `${principle}: ${Object.entries(counts)
        .map(([status, count]) => `${status} ${count}`)
        .join(", ")}`,
  );
