import { createHmac, createHash, pbkdf2Sync, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify<string, string, number, Buffer>(scrypt);

/**
 * signalbox_app's password, derived from the given login's: every node with the same DATABASE_URL arrives at the same one
 * without a store between them, and who learns it learns nothing of the login's.
 */
export async function deriveAppPassword(loginPassword: string): Promise<string> {
  const key = await derive(loginPassword, "signalbox_app", 32);
  return key.toString("base64url");
}

const ITERATIONS = 4096;

/** What Postgres stores of a password (RFC 5803). Sent in its place, the password never stands in a server's log. */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, "sha256");
  const clientKey = createHmac("sha256", salted).update("Client Key").digest();
  const storedKey = createHash("sha256").update(clientKey).digest("base64");
  const serverKey = createHmac("sha256", salted).update("Server Key").digest("base64");
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}
