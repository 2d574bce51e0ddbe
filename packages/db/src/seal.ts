import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { passwordOf } from "./database-url.ts";

/**
 * Keeps from a reader of the tables what has to lie in them for a while. The keys come from the login's own password, which
 * the database does not hold and every node of one DATABASE_URL does (ADR 0021).
 */
export interface Seal {
  /** Bound to its place: what is sealed for one row opens in no other. */
  close(text: string, place: string): Uint8Array;
  /** Undefined where it was sealed under another password, for another place, or was changed. */
  open(sealed: Uint8Array, place: string): string | undefined;
  /** Tells whether two texts are the same without telling what they say, which a plain digest of a short text does. */
  fingerprint(text: string): Uint8Array;
}

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function sealFor(url: string): Seal {
  const password = passwordOf(url);
  // As a KeyObject: Node reads any other key anew at each use, which took a fifth of the time of an event's report.
  const keyFor = (purpose: string): KeyObject =>
    createSecretKey(Buffer.from(hkdfSync("sha256", password, "signalbox", purpose, 32)));
  const sealing = keyFor("held text");
  const marking = keyFor("fingerprints");
  return {
    close(text, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, sealing, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(place));
      const body = [cipher.update(text, "utf8"), cipher.final()];
      return Buffer.concat([nonce, cipher.getAuthTag(), ...body]);
    },
    open(sealed, place) {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(ALGORITHM, sealing, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(place));
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        const body = [decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
        return Buffer.concat(body).toString("utf8");
      } catch {
        return undefined;
      }
    },
    fingerprint: (text) => createHmac("sha256", marking).update(text).digest(),
  };
}
