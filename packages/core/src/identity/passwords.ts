import type { Violation } from "@signalbox/contracts";
import { normalEmail } from "./members.ts";

export const passwordLength = { least: 12, most: 200 } as const;
const leastDifferent = 5;
/** For so long after they came, a person need not show again who they are. */
const freshSeconds = 15 * 60;

/** The same password typed on two keyboards is one (NIST SP 800-63B §3.1.1.2: normalised by NFKC). */
export const normalPassword = (password: string): string => password.normalize("NFKC");

/** PASS-1: length is what makes one hard to guess; rules about kinds of characters make it hard to remember instead. */
export function findPasswordFaults(
  field: string,
  password: string,
  { email, name }: { email: string | null; name: string },
): Violation[] {
  const normal = normalPassword(password);
  const characters = Array.from(normal);
  const { least, most } = passwordLength;
  if (characters.length < least || characters.length > most) {
    const message = `has ${characters.length} characters; ${least} to ${most} are allowed`;
    return [{ field, rule: "password.length", message }];
  }
  if (!normal.isWellFormed() || normal.includes("\0"))
    return [{ field, rule: "password.fit", message: "must be text without U+0000 or half a character" }];
  const guessable =
    new Set(characters).size < leastDifferent ||
    normalEmail(normal) === email ||
    normal.toLowerCase() === name.normalize("NFKC").toLowerCase();
  if (!guessable) return [];
  const message = `must not be your name or address, and needs ${leastDifferent} different characters`;
  return [{ field, rule: "password.guessable", message }];
}

export type PasswordStanding = {
  hasPassword: boolean;
  hasIdentity: boolean;
  /** How the session was opened, and how many seconds ago. */
  method: string | undefined;
  openSeconds: number;
};

/** PASS-2: what a person must show before they choose a password. */
export function passwordNeeds({
  hasPassword,
  hasIdentity,
  method,
  openSeconds,
}: PasswordStanding): "nothing" | "current-password" | "sign-in-again" {
  const fresh = openSeconds < freshSeconds;
  if (fresh && method === "link") return "nothing";
  if (hasPassword) return "current-password";
  // Who has no other way in would be locked out by the question.
  return fresh || !hasIdentity ? "nothing" : "sign-in-again";
}
