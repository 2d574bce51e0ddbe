import { SignalboxError } from "@signalbox/contracts";
import { redactRationale } from "@signalbox/core";
import type { TenantTransaction } from "@signalbox/db";
import { redactorInForce } from "./documents/redactor-in-force.ts";
import { holdsNul } from "./storable.ts";
import type { System } from "./system.ts";

const longestNote = 2_000;

/** What a person says beside a decision, as it may be kept once it is masked. */
export function readNote(note: string | undefined): string {
  const text = note?.trim() ?? "";
  if (text.length > longestNote) throw refuse("max_len", `at most ${longestNote} characters`);
  if (holdsNul(text)) throw refuse("no_nul", "must not contain the character U+0000");
  if (!text.isWellFormed()) throw refuse("well_formed", "must not contain half of a surrogate pair");
  return text;
}

/**
 * RED-11: masked as the policy in force says of a rationale. Where nothing is said no policy is read: one that cannot be read
 * any more must not stand in the way of the one that takes its place.
 */
export async function maskSaid(
  system: Pick<System, "database">,
  tx: TenantTransaction,
  text: string,
): Promise<string> {
  return text === "" ? "" : redactRationale(await redactorInForce(system, tx), text);
}

const refuse = (rule: string, message: string) =>
  new SignalboxError("VALIDATION_FAILED", "The note cannot be kept.", {
    violations: [{ field: "note", rule, message }],
  });
