import { SignalboxError } from "@signalbox/contracts";

/** D21: what cannot be redacted is not written. The detail never quotes what was to be redacted. */
export const redactionFailed = (detail: string, cause?: unknown): SignalboxError =>
  new SignalboxError("REDACTION_FAILED", detail, cause === undefined ? {} : { cause });
