import { SignalboxError } from "@signalbox/contracts";
import type { Caller } from "@signalbox/core";
import {
  authenticateKey,
  authenticateSession,
  authenticateToken,
  type Credential,
  isToken,
  recallCaller,
  type RememberedCaller,
  type System,
} from "@signalbox/engine";
import type { FastifyRequest } from "fastify";
import type { RequestLimits } from "./limits/request-limits.ts";
import { crossOriginReason } from "./same-origin.ts";
import { sessionCookie } from "./session-cookie.ts";

const bearer = /^Bearer +([A-Za-z0-9._~+/=-]{1,512})$/i;
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

export type Identification = {
  /** Nobody when no credential is given, or a cookie whose session is over. A key that is wrong is refused. */
  callerOf(request: FastifyRequest): Promise<Caller | undefined>;
  requireCaller(request: FastifyRequest): Promise<Caller>;
  /** By the header alone, a program's key or a person's token (TOKEN-2): a cookie comes along by itself, whoever wrote the page. */
  requireBearer(request: FastifyRequest): Promise<Caller>;
  /** Whom a key named a moment ago, for a command that asks for the key once more where it writes; counted as any. */
  recall(request: FastifyRequest): RememberedCaller | undefined;
  /** Asks for the key anew, of a request that was counted: throws where it names nobody any more. */
  confirm(request: FastifyRequest): Promise<void>;
  sessionTokenOf(request: FastifyRequest): string | undefined;
  /** What the caller was known by: who stays for long is asked for it anew. */
  credentialOf(request: FastifyRequest): Credential | undefined;
  /** For a request that sets the cookie: a page of another site must not sign a person in as somebody else. */
  refuseForeignPage(request: FastifyRequest): void;
};

/**
 * The one place that says who asks, for every transport, and the one that counts them: nobody is named without being
 * counted. A key goes before a cookie, since it was sent on purpose.
 */
export function createIdentification(
  system: System,
  publicUrl: URL | undefined,
  limits: Pick<RequestLimits, "countCredential" | "countCredentialOf" | "countTenant">,
): Identification {
  const { name } = sessionCookie(publicUrl);
  const sessionTokenOf = (request: FastifyRequest) => request.cookies[name];

  const named = async (request: FastifyRequest): Promise<Caller | undefined> => {
    const { authorization } = request.headers;
    if (authorization !== undefined) {
      const key = keyIn(authorization);
      limits.countCredential(request, key);
      return callerByKey(system, key);
    }
    const token = sessionTokenOf(request);
    if (token === undefined) return undefined;
    if (!safeMethods.has(request.method) || request.ws) refuseCrossOrigin(request, publicUrl);
    limits.countCredential(request, token);
    return authenticateSession(system, token);
  };
  const callerOf = async (request: FastifyRequest): Promise<Caller | undefined> => {
    const caller = await named(request);
    if (caller !== undefined) limits.countTenant(request, caller.tenantId);
    return caller;
  };
  const requireCaller = async (request: FastifyRequest): Promise<Caller> => {
    const caller = await callerOf(request);
    if (caller !== undefined) return caller;
    throw new SignalboxError("UNAUTHENTICATED", "Send a key as `Authorization: Bearer <key>`, or sign in.");
  };
  return {
    callerOf,
    requireCaller,
    requireBearer: async (request) => {
      const { authorization } = request.headers;
      if (authorization === undefined) {
        await callerOf(request);
        throw new SignalboxError(
          "UNAUTHENTICATED",
          "Send a key, or a token that you made, as `Authorization: Bearer <key>`.",
        );
      }
      const secret = keyIn(authorization);
      if (!isToken(secret)) return requireCaller(request);
      limits.countCredential(request, secret);
      const caller = await authenticateToken(system, secret);
      if (caller === undefined)
        throw new SignalboxError(
          "UNAUTHENTICATED",
          "The token is unknown, expired or revoked. Make another one.",
        );
      limits.countTenant(request, caller.tenantId);
      return caller;
    },
    recall: (request) => {
      const { authorization } = request.headers;
      const key = authorization === undefined ? undefined : keyIn(authorization);
      const remembered = key === undefined ? undefined : recallCaller(system, key);
      if (remembered === undefined) return undefined;
      limits.countCredentialOf(request, remembered.unconfirmedKey);
      limits.countTenant(request, remembered.caller.tenantId);
      return remembered;
    },
    confirm: async (request) => {
      await callerByKey(system, keyIn(request.headers.authorization ?? ""));
    },
    sessionTokenOf,
    credentialOf: (request) => {
      const { authorization } = request.headers;
      const key = authorization === undefined ? undefined : bearer.exec(authorization)?.[1];
      if (key !== undefined) return { kind: "key", secret: key };
      const token = sessionTokenOf(request);
      return token === undefined ? undefined : { kind: "session", secret: token };
    },
    refuseForeignPage: (request) => {
      const { origin } = request.headers;
      if (origin === undefined && request.headers["sec-fetch-site"] === undefined) return;
      refuseCrossOrigin(request, publicUrl);
    },
  };
}

function keyIn(authorization: string): string {
  const key = bearer.exec(authorization)?.[1];
  if (key !== undefined) return key;
  throw new SignalboxError("UNAUTHENTICATED", "The authorization header is not `Bearer <key>`.");
}

async function callerByKey(system: System, key: string): Promise<Caller> {
  if (isToken(key))
    throw new SignalboxError("UNAUTHENTICATED", "A person's token counts at POST /mcp, and nowhere else.");
  const caller = await authenticateKey(system, key);
  if (caller === undefined)
    throw new SignalboxError("UNAUTHENTICATED", "The key is unknown, expired or revoked.");
  return caller;
}

function refuseCrossOrigin(request: FastifyRequest, publicUrl: URL | undefined): void {
  const reason = crossOriginReason({ ...request.headers, host: request.host }, publicUrl);
  if (reason === undefined) return;
  throw new SignalboxError(
    "FORBIDDEN",
    `A session's cookie counts only for requests from Signalbox's own pages: ${reason}.`,
  );
}
