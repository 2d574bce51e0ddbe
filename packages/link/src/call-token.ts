import { createHash } from "node:crypto";
import type { Reached } from "@signalbox/engine";
import type { SigningKey } from "./signing-key.ts";

/** Who calls, and how an agent finds out that it is so. */
export type CallSigner = (call: SignedCall) => string;

type SignedCall = {
  readonly to: Reached;
  readonly method: "RunAgent" | "CancelAgent";
  readonly dispatchId: string;
  readonly attemptNumber: number;
  /** The body as it is sent, where the transport lets the agent see its bytes. */
  readonly body?: Uint8Array;
};

const GOOD_FOR_SECONDS = 300;

/**
 * A JSON Web Token (RFC 7519) for one call: for this instance, at this address, about this attempt, with this body and for
 * five minutes. An agent that is given it can show it to no other.
 */
export function createCallSigner(key: SigningKey, issuer: string, now: () => number): CallSigner {
  const header = encoded({ alg: "EdDSA", typ: "JWT", kid: key.jwk.kid });
  return ({ to, method, dispatchId, attemptNumber, body }) => {
    const at = Math.floor(now() / 1_000);
    const claims = encoded({
      iss: issuer,
      aud: to.address,
      sub: `${to.packId}/${to.instanceId}`,
      iat: at,
      exp: at + GOOD_FOR_SECONDS,
      tenant: to.tenantId,
      method,
      dispatch_id: dispatchId,
      attempt_number: attemptNumber,
      ...(body === undefined ? {} : { body_sha256: createHash("sha256").update(body).digest("base64url") }),
    });
    const signature = key.sign(Buffer.from(`${header}.${claims}`));
    return `${header}.${claims}.${Buffer.from(signature).toString("base64url")}`;
  };
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
