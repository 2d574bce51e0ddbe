import { SignalboxError } from "@signalbox/contracts";

/** What is thrown, where it is a refusal; anything else fails the test. */
export function refusalOf(run: () => unknown): SignalboxError {
  try {
    run();
  } catch (error) {
    if (error instanceof SignalboxError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}
