import { hash } from "node:crypto";
import { isIP } from "node:net";
import { toSignalboxError, type SignalboxError } from "@signalbox/contracts";
import { addressGroup } from "@signalbox/core";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { requestNote } from "../request-note.ts";
import type { Limited, Limits } from "./limits.ts";
import { createMeter, type Meter } from "./meter.ts";
import { createPauses } from "./pauses.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whoever keeps the process running asks it; it must be answered most of all when there is too much else. */
    unlimited?: boolean;
    /** A refusal is kept for the call, which answers it in its own protocol. */
    tellsLimits?: boolean;
  }
}

export type RequestLimits = {
  /** Counts every request of the app by its address, before anything of it is read. */
  readonly watch: (app: FastifyInstance) => void;
  /** For routes that tell of limits themselves: throws what was kept. */
  readonly refuse: (request: FastifyRequest) => void;
  /** One of several calls of a request, or one over its socket: the first was counted with it. */
  readonly countCall: (request: FastifyRequest) => void;
  /** Before the credential is looked up, so that who asks too often costs the database nothing. */
  readonly countCredential: (request: FastifyRequest, secret: string) => void;
  /** The same where its SHA-256 is known already, in hexadecimal. */
  readonly countCredentialOf: (request: FastifyRequest, digest: string) => void;
  readonly countTenant: (request: FastifyRequest, tenantId: string) => void;
  /** For a protocol whose refusals are no 429: settles once what a limit refused has waited, and at once for all else. */
  readonly pause: (request: FastifyRequest, thrown: unknown) => Promise<void>;
};

/** What a request has of the limits while it is under way. */
type Standing = {
  readonly address: string;
  readonly held: Map<Limited, () => void>;
  refusal: SignalboxError | undefined;
  /** Its refusal has waited already. */
  paused: boolean;
  calls: number;
  over: boolean;
};

/** The one place that counts, for every transport: by address, by key or session, by tenant. */
export function createRequestLimits(
  limits: Limits,
  now: () => number,
  wait: (goOn: () => void, milliseconds: number) => void = (goOn, milliseconds) =>
    void setTimeout(goOn, milliseconds),
): RequestLimits {
  const pauses = createPauses(wait);
  const standings = requestNote<Standing>();
  const meters: Readonly<Record<Limited, Meter>> = {
    address: createMeter("address", limits.address, now),
    key: createMeter("key", limits.key, now),
    tenant: createMeter("tenant", limits.tenant, now),
  };

  function count(kind: Limited, subject: string, standing: Standing | undefined): void {
    if (standing === undefined) return;
    if (standing.over || standing.held.has(kind)) meters[kind].count(subject);
    else standing.held.set(kind, meters[kind].enter(subject));
  }

  function enter(request: FastifyRequest, reply: FastifyReply): Standing {
    const standing: Standing = {
      address: addressOf(request),
      held: new Map(),
      refusal: undefined,
      paused: false,
      calls: 0,
      over: false,
    };
    standings.write(request, standing);
    // Of an upgrade it is the socket's end, for as long as the response was not ended.
    reply.raw.once("close", () => {
      standing.over = true;
      for (const release of standing.held.values()) release();
    });
    return standing;
  }

  const refuse = (request: FastifyRequest): void => {
    const refusal = standings.read(request)?.refusal;
    if (refusal !== undefined) throw refusal;
  };

  return {
    watch(app) {
      app.addHook("onRequest", (request, reply, done) => {
        const { config } = request.routeOptions;
        if (config.unlimited === true) {
          done();
          return;
        }
        const standing = enter(request, reply);
        try {
          count("address", standing.address, standing);
        } catch (error) {
          const refusal = toSignalboxError(error);
          const isTold = config.tellsLimits !== true || request.headers.upgrade !== undefined;
          if (!isTold) standing.refusal = refusal;
          standing.paused = true;
          pauses.hold(() => (isTold ? done(refusal) : done()));
          return;
        }
        done();
      });
      // By key or tenant it is refused further on, where the caller is named.
      app.addHook("onSend", (request, reply, payload, done) => {
        const isPaused = standings.read(request)?.paused ?? true;
        if (reply.statusCode === 429 && !isPaused) pauses.hold(() => done(null, payload));
        else done(null, payload);
      });
    },
    refuse,
    countCall(request) {
      refuse(request);
      const standing = standings.read(request);
      if (standing === undefined) return;
      standing.calls += 1;
      if (standing.calls > 1) count("address", standing.address, standing);
    },
    countCredential: (request, secret) =>
      count("key", hash("sha256", secret, "hex"), standings.read(request)),
    countCredentialOf: (request, digest) => count("key", digest, standings.read(request)),
    countTenant: (request, tenantId) => count("tenant", tenantId, standings.read(request)),
    async pause(request, thrown) {
      const standing = standings.read(request);
      if (standing === undefined || standing.paused) return;
      if (toSignalboxError(thrown).code !== "RATE_LIMITED") return;
      standing.paused = true;
      await new Promise<void>((goOn) => pauses.hold(goOn));
    },
  };
}

/** Where a proxy says what is no address, the proxy's own stands for it: what was made up must not be counted by. */
function addressOf(request: FastifyRequest): string {
  const { ip } = request;
  if (ip !== undefined && isIP(ip) !== 0) return addressGroup(ip);
  return addressGroup(request.raw.socket.remoteAddress ?? "unknown");
}
