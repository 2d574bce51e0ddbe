import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
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
  /** Undefined where it was sealed under another password, for another place, or was changed, and where it lies open. */
  open(sealed: Uint8Array, place: string): string | undefined;
  /** Tells whether two texts are the same without telling what they say, which a plain digest of a short text does. */
  fingerprint(text: string): Uint8Array;
  /** For a text that gives nothing away: told from all others as a sealed one is, bound to nothing, and read by `openTextOf`. */
  leaveOpen(text: string): Uint8Array;
}

const ALGORITHM = "aes-256-gcm";
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = NONCE_BYTES + TAG_BYTES;
/** No text that is sealed has it, but for one in 2^128. */
const NO_TAG = Buffer.alloc(TAG_BYTES);

export function sealFor(url: string): Seal {
  const password = passwordOf(url);
  // As a KeyObject: Node reads any other key anew at each use, which took a fifth of the time of an event's report.
  const bytesFor = (purpose: string): Buffer =>
    Buffer.from(hkdfSync("sha256", password, "signalbox", purpose, 32));
  const sealing: KeyObject = createSecretKey(bytesFor("held text"));
  const mark = keyedDigest(bytesFor("fingerprints"));
  const nextNonce = nonces();
  return {
    close(text, place) {
      const nonce = nextNonce();
      const cipher = createCipheriv(ALGORITHM, sealing, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(place));
      const body = [cipher.update(text, "utf8"), cipher.final()];
      return Buffer.concat([nonce, cipher.getAuthTag(), ...body]);
    },
    open(sealed, place) {
      if (sealed.length < HEADER_BYTES) return undefined;
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const tag = sealed.subarray(NONCE_BYTES, HEADER_BYTES);
      const decipher = createDecipheriv(ALGORITHM, sealing, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(place));
      decipher.setAuthTag(tag);
      try {
        const body = [decipher.update(sealed.subarray(HEADER_BYTES)), decipher.final()];
        return Buffer.concat(body).toString("utf8");
      } catch {
        return undefined;
      }
    },
    fingerprint: mark,
    leaveOpen: (text) => Buffer.concat([nextNonce(), NO_TAG, Buffer.from(text)]),
  };
}

/** Undefined where it is sealed. Whoever may write where it lies may have changed it. */
export function openTextOf(bytes: Uint8Array): string | undefined {
  const liesOpen = bytes.length >= HEADER_BYTES && NO_TAG.equals(bytes.subarray(NONCE_BYTES, HEADER_BYTES));
  return liesOpen ? Buffer.from(bytes.subarray(HEADER_BYTES)).toString("utf8") : undefined;
}

/** Drawn for many at once: for twelve bytes the way to the generator costs a quarter of what sealing does. */
function nonces(): () => Uint8Array {
  let drawn = randomBytes(0);
  return () => {
    if (drawn.length === 0) drawn = randomBytes(NONCE_BYTES * 256);
    const nonce = drawn.subarray(0, NONCE_BYTES);
    drawn = drawn.subarray(NONCE_BYTES);
    return nonce;
  };
}

/** What no two texts that were ever sealed have in common. */
export const nonceOf = (sealed: Uint8Array): Uint8Array => sealed.subarray(0, NONCE_BYTES);

const BLOCK_BYTES = 64;
const sha256 = (bytes: Buffer): Buffer => hash("sha256", bytes, "buffer");

/**
 * HMAC-SHA-256 (RFC 2104) by two digests in one call each. Node's createHmac gives the same bytes in four times the time,
 * which it spends on making a stream: a tenth of the time of an event's report.
 */
function keyedDigest(key: Buffer): (text: string) => Buffer {
  const padded = (byte: number) =>
    Buffer.from(Uint8Array.from({ length: BLOCK_BYTES }, (_, at) => (key[at] ?? 0) ^ byte));
  const [inner, outer] = [padded(0x36), padded(0x5c)];
  return (text) => sha256(Buffer.concat([outer, sha256(Buffer.concat([inner, Buffer.from(text)]))]));
}
