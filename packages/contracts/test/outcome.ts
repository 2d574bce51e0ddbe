import { SignalboxError } from "../src/errors/signalbox-error.ts";

/** What a reader made of its input. Anything thrown but a SignalboxError goes through and fails the test. */
export function outcomeOf<Value>(read: () => Value): { readonly value: Value } | SignalboxError {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof SignalboxError) return error;
    throw error;
  }
}

/** The code, and each violation as `field: rule`; or undefined where it was read. */
export function refusalOf(read: () => unknown): readonly string[] | undefined {
  const outcome = outcomeOf(read);
  if (!(outcome instanceof SignalboxError)) return undefined;
  return [outcome.code, ...outcome.violations.map(({ field, rule }) => `${field}: ${rule}`)];
}
