import { SignalboxError } from "@signalbox/contracts";
import { done, type Outcome, refuse } from "../orchestrator/work.ts";

/** What refuses one of a group refuses it alone; anything else is a fault of ours. */
export function refusing<T>(run: () => T): Outcome<T> {
  try {
    return done(run());
  } catch (error) {
    if (error instanceof SignalboxError) return refuse(error);
    throw error;
  }
}
