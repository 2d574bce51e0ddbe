import { SignalboxError } from "@signalbox/contracts";
import canonicalize from "canonicalize";

/** RFC 8785: one text for one JSON value, so that its digest is the value's. */
export function canonicalJson(value: unknown): string {
  try {
    const text = canonicalize(value);
    if (text !== undefined) return text;
  } catch (cause) {
    throw refuse(cause);
  }
  throw refuse(undefined);
}

const refuse = (cause: unknown) =>
  new SignalboxError(
    "VALIDATION_FAILED",
    "The task holds what canonical JSON (RFC 8785) has no form for: half of a surrogate pair, or a number that is none.",
    { cause },
  );
