import { Outcome } from "@signalbox/contracts";

/** What a gate, or a person whom it asks, may let through. */
export const mayPass = (outcome: Outcome | undefined): boolean =>
  outcome === Outcome.SUCCESS || outcome === Outcome.PARTIAL;

/** What an agent calls a failure of its own. */
export const isFailure = (outcome: Outcome | undefined): boolean =>
  outcome === Outcome.RETRYABLE_FAILURE || outcome === Outcome.NON_RETRYABLE_FAILURE;
