import type { Violation } from "@signalbox/contracts";
import { LONGEST_DURATION_MS } from "../documents/duration-text.ts";
import { quotedName } from "../quoted-text.ts";
import type { Refusal } from "./refusal.ts";

/** A pipeline has up to 256 stages. */
const MOST_NAMED = 20;

/** What is wrong with which part of what a person sent; nothing where what they sent is sound and the state does not allow it. */
export function refusalViolations(refusal: Refusal): readonly Violation[] {
  const { reason } = refusal;
  if (reason === "unknown-stage") return [notOne(refusal.stageId, refusal.allowed)];
  if (reason === "target-not-upstream") return [notOne(refusal.targetStageId, refusal.allowed)];
  if (reason === "option-not-offered") {
    const message = `is "${refusal.option}"; ${refusal.offered.join(", ")} are offered`;
    return [{ field: "option", rule: "offered", message }];
  }
  if (reason === "empty-answer") return [{ field: "answer", rule: "required", message: "says nothing" }];
  if (reason === "extension-not-positive") {
    const message = `is ${refusal.byMs} ms; above 0 and at most ${LONGEST_DURATION_MS} ms is allowed`;
    return [{ field: "extendBy", rule: "duration", message }];
  }
  return [];
}

function notOne(stageId: string, allowed: readonly string[]): Violation {
  const more = allowed.length - MOST_NAMED;
  const names = allowed.slice(0, MOST_NAMED).join(", ");
  const message = `is "${quotedName(stageId)}"; one of ${names}${more > 0 ? ` and ${more} more` : ""} is allowed`;
  return { field: "stageId", rule: "one_of", message };
}
