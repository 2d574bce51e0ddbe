import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";

/** What Signalbox proves with that a call is its own. Ed25519 (RFC 8032), as a JSON Web Key (RFC 8037). */
export type SigningKey = {
  readonly jwk: PublicJwk;
  sign(bytes: Uint8Array): Uint8Array;
};

export type PublicJwk = {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly x: string;
  readonly kid: string;
  readonly use: "sig";
  readonly alg: "EdDSA";
};

export const SEED_BYTES = 32;
/** PKCS #8's header of an Ed25519 private key (RFC 8410); the seed follows. */
const pkcs8 = Buffer.from("302e020100300506032b657004220420", "hex");

export function signingKeyOf(seed: Uint8Array): SigningKey {
  if (seed.length !== SEED_BYTES)
    throw new Error(`a signing key has ${SEED_BYTES} bytes, not ${seed.length}`);
  const key = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: "der", type: "pkcs8" });
  const x = createPublicKey(key).export({ format: "jwk" }).x ?? "";
  // RFC 7638: the members in this order, and nothing else.
  const thumbprint = createHash("sha256").update(JSON.stringify({ crv: "Ed25519", kty: "OKP", x }));
  const jwk = {
    kty: "OKP",
    crv: "Ed25519",
    x,
    kid: thumbprint.digest("base64url"),
    use: "sig",
    alg: "EdDSA",
  } as const;
  return { jwk, sign: (bytes) => sign(null, bytes, key) };
}
