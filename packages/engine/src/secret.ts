import { hash } from "node:crypto";
import type { System } from "./system.ts";

/** 256 bits as text for a link or a cookie. Only its hash is ever stored. */
export const newSecret = ({ randomBytes }: Pick<System, "randomBytes">): string =>
  Buffer.from(randomBytes(32)).toString("base64url");

/** Plain SHA-256 suffices, because what is hashed is 128 random bits or more and cannot be guessed (RFC 6234). */
export const hashOfSecret = (secret: string): Uint8Array => hash("sha256", secret, "buffer");

/** The same in hexadecimal. */
export const hashTextOfSecret = (secret: string): string => hash("sha256", secret, "hex");
