import { SignalboxError } from "@signalbox/contracts";

/** A command judges a part of what a call sent: its violations are told by their place in the whole. */
export async function within<T>(field: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    if (!(thrown instanceof SignalboxError)) throw thrown;
    const violations = thrown.violations.map((violation) => ({
      ...violation,
      field: [field, violation.field].filter(Boolean).join(violation.field.startsWith("[") ? "" : "."),
    }));
    throw new SignalboxError(thrown.code, thrown.detail, { violations, cause: thrown.cause });
  }
}
