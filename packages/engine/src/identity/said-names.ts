import { SignalboxError, type Violation } from "@signalbox/contracts";
import { compileRedactor, redactText } from "@signalbox/core";
import { holdsNul } from "../storable.ts";

const redactor = compileRedactor();

/** Names are kept and shown as they are, on record for good: one that looks like a secret was put in the wrong field. */
export const secretFaults = (names: Readonly<Record<string, string | undefined>>): Violation[] =>
  Object.entries(names).flatMap(([field, name]) =>
    name === undefined || redactText(redactor, name).text === name
      ? []
      : [{ field, rule: "no_secret", message: "looks like a secret; names are kept and shown as they are" }],
  );

export function refuseFaults(detail: string, violations: readonly Violation[]): void {
  if (violations.length > 0) throw new SignalboxError("VALIDATION_FAILED", detail, { violations });
}

/** What is asked for by an id that could not even be stored is not there. */
export const isStorableId = (id: string): boolean => id.length > 0 && id.length <= 128 && !holdsNul(id);
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isUuid = (id: string): boolean => uuid.test(id);
