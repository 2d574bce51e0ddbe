import { SignalboxError } from "@signalbox/contracts";
import { compileRedactor, redactText } from "@signalbox/core";
import { holdsNul } from "./storable.ts";

const longestNote = 2_000;
const redactor = compileRedactor();

/** What a person says beside a decision, fit for the record: secrets are masked before anything is decided. */
export function readNote(note: string | undefined): string {
  const text = note?.trim() ?? "";
  if (text.length > longestNote) throw refuse("max_len", `at most ${longestNote} characters`);
  if (holdsNul(text)) throw refuse("no_nul", "must not contain the character U+0000");
  return redactText(redactor, text).text;
}

const refuse = (rule: string, message: string) =>
  new SignalboxError("VALIDATION_FAILED", "The note cannot be kept.", {
    violations: [{ field: "note", rule, message }],
  });
