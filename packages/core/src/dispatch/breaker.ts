import { Outcome } from "@signalbox/contracts";
import type { BreakerSettings } from "../documents/routing-policy.ts";

/** D5: one of these a pack and task type; a pair that has none is closed. */
export type BreakerState =
  /** When the failures that still count happened, oldest first; never more than the threshold. */
  | { readonly kind: "closed"; readonly failures: readonly number[] }
  | { readonly kind: "open"; readonly openedAt: number }
  /** One dispatch tries whether the pack works again. */
  | { readonly kind: "probing"; readonly openedAt: number; readonly dispatchId: string };

export const closedBreaker: BreakerState = { kind: "closed", failures: [] };

/** What a breaker lets through: anything, nothing, one probe, or nothing until the probe has ended. */
export type BreakerPhase = "closed" | "open" | "half-open" | "probing";

export function breakerPhase(state: BreakerState, settings: BreakerSettings, now: number): BreakerPhase {
  if (state.kind !== "open") return state.kind;
  return state.openedAt + settings.halfOpenAfterMs <= now ? "half-open" : "open";
}

export type BreakerEvent =
  | { readonly kind: "dispatched"; readonly dispatchId: string }
  | { readonly kind: "succeeded" | "failed" | "cancelled"; readonly dispatchId: string }
  /** Nothing happened but time. */
  | { readonly kind: "looked-at" };

/** The breaker after an event. It gives back the state it was given where nothing changes. */
export function stepBreaker(
  state: BreakerState,
  event: BreakerEvent,
  settings: BreakerSettings,
  now: number,
): BreakerState {
  if (state.kind === "closed") return stepClosed(state, event, settings, now);
  return state.kind === "open" ? stepOpen(state, event, settings, now) : stepProbing(state, event, now);
}

function stepClosed(
  state: BreakerState & { kind: "closed" },
  event: BreakerEvent,
  { errorThreshold, windowMs }: BreakerSettings,
  now: number,
): BreakerState {
  const counting = state.failures.map((at) => Math.min(at, now)).filter((at) => at > now - windowMs);
  if (event.kind === "failed") counting.push(now);
  if (counting.length >= errorThreshold) return { kind: "open", openedAt: now };
  const unchanged =
    counting.length === state.failures.length && counting.every((at, index) => at === state.failures[index]);
  return unchanged ? state : { kind: "closed", failures: counting };
}

function stepOpen(
  state: BreakerState & { kind: "open" },
  event: BreakerEvent,
  settings: BreakerSettings,
  now: number,
): BreakerState {
  if (event.kind === "dispatched" && breakerPhase(state, settings, now) === "half-open") {
    return { kind: "probing", openedAt: Math.min(state.openedAt, now), dispatchId: event.dispatchId };
  }
  // A clock that was set back would keep it open for as long as it went back.
  return state.openedAt > now ? { kind: "open", openedAt: now } : state;
}

function stepProbing(
  state: BreakerState & { kind: "probing" },
  event: BreakerEvent,
  now: number,
): BreakerState {
  if (event.kind === "looked-at" || event.dispatchId !== state.dispatchId) return state;
  if (event.kind === "succeeded") return closedBreaker;
  if (event.kind === "failed") return { kind: "open", openedAt: now };
  // Of a cancelled probe nothing was learned: the next dispatch may be the probe.
  return event.kind === "cancelled" ? { kind: "open", openedAt: Math.min(state.openedAt, now) } : state;
}

const failures: ReadonlySet<Outcome> = new Set([Outcome.RETRYABLE_FAILURE, Outcome.NON_RETRYABLE_FAILURE]);
const successes: ReadonlySet<Outcome> = new Set([Outcome.SUCCESS, Outcome.PARTIAL]);

/** What a result tells the breaker of its pack; that policy blocked the work says nothing of the pack. */
export function breakerVerdict(outcome: Outcome): "succeeded" | "failed" | "cancelled" {
  if (failures.has(outcome)) return "failed";
  return successes.has(outcome) ? "succeeded" : "cancelled";
}
