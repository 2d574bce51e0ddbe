import type { Socket } from "node:net";
import type { WebSocket } from "@fastify/websocket";
import { PROBLEM_MEDIA_TYPE, SignalboxError, toProblem } from "@signalbox/contracts";
import { STREAM_CLOSE_CODES } from "@signalbox/contracts/stream";
import { mayListen } from "@signalbox/core";
import type { Asked, Fallen } from "@signalbox/engine";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { askedBy } from "../rest/asked.ts";
import type { Transport } from "../transport.ts";
import { type Connection, createConnection } from "./connection.ts";
import { createFanOut } from "./fan-out.ts";
import { streamLimits } from "./limits.ts";
import { createOutlet, type Outlet } from "./outlet.ts";

type Reader = {
  readonly connection: Connection;
  readonly outlet: Outlet;
  readonly socket: WebSocket;
  /** It gave a sign of life since the last heartbeat. */
  heard: boolean;
};

const fallen: Record<Fallen, { code: number; reason: string }> = {
  ended: { code: STREAM_CLOSE_CODES.UNAUTHENTICATED, reason: "the session or key counts no longer" },
  "role-changed": {
    code: STREAM_CLOSE_CODES.ROLE_CHANGED,
    reason: "the role is another one now: come back",
  },
};

/** `GET /v1/stream`, a WebSocket: what happens, as it happens (docs/stream.md). */
export function streamRoutes(app: FastifyInstance, transport: Transport): void {
  const { system, identification } = transport;
  const identify = askedBy(transport);
  const fanOut = createFanOut(system, system.standings.lookNow);
  const readers = new Set<Reader>();
  const ofTenant = new Map<string, number>();

  function mayEnter({ caller }: Asked): void {
    const decision = mayListen(caller, { kind: "pipeline", pipelineId: "" });
    if (!decision.allowed) throw new SignalboxError("FORBIDDEN", `Not allowed: ${decision.reason}.`);
    if (
      readers.size >= streamLimits.connections ||
      (ofTenant.get(caller.tenantId) ?? 0) >= streamLimits.connectionsOfTenant
    )
      throw new SignalboxError("RATE_LIMITED", "Too many readers are connected. Try again later.");
  }

  function enter(socket: WebSocket, request: FastifyRequest): void {
    const asked = identify.of(request);
    const { caller } = asked;
    const raw: Socket = request.raw.socket;
    raw.setNoDelay(true);
    const outlet = createOutlet(socket, raw);
    const connection = createConnection({ engine: system, fanOut, asked, outlet, log: request.log });
    const reader: Reader = { connection, outlet, socket, heard: true };
    readers.add(reader);
    ofTenant.set(caller.tenantId, (ofTenant.get(caller.tenantId) ?? 0) + 1);
    const credential = identification.credentialOf(request);
    const stopWatching =
      credential === undefined
        ? undefined
        : system.standings.watch(credential, caller, (why) =>
            outlet.close(fallen[why].code, fallen[why].reason),
          );
    socket.on("message", (data: Buffer, isBinary) => {
      reader.heard = true;
      connection.onMessage(isBinary ? undefined : data.toString("utf8"));
    });
    socket.on("pong", () => {
      reader.heard = true;
    });
    socket.on("close", () => {
      readers.delete(reader);
      const left = (ofTenant.get(caller.tenantId) ?? 1) - 1;
      if (left === 0) ofTenant.delete(caller.tenantId);
      else ofTenant.set(caller.tenantId, left);
      stopWatching?.();
      connection.end();
    });
  }

  const stopBeating = system.clock.repeat(streamLimits.heartbeatMs, () => {
    for (const reader of readers) {
      if (!reader.heard) {
        reader.socket.terminate();
        continue;
      }
      reader.heard = false;
      reader.connection.heartbeat();
      if (reader.outlet.isOpen()) reader.socket.ping();
    }
  });

  app.addHook("preClose", (done) => {
    stopBeating();
    for (const { outlet, socket } of readers) {
      outlet.close(STREAM_CLOSE_CODES.RESTART, "the process is stopping");
      // Whoever does not read would hold up the stop.
      setTimeout(() => socket.terminate(), streamLimits.closeMs).unref();
    }
    done();
  });

  app.route({
    method: "GET",
    url: "/v1/stream",
    onRequest: [identify.hook, async (request) => mayEnter(identify.of(request))],
    wsHandler: enter,
    handler: (request, reply) => {
      const error = new SignalboxError("MALFORMED_BODY", "This path is a WebSocket: send an upgrade to one.");
      return reply
        .code(426)
        .headers({ upgrade: "websocket", "cache-control": "no-store" })
        .type(PROBLEM_MEDIA_TYPE)
        .send(JSON.stringify({ ...toProblem(error, { requestId: request.id }), status: 426 }));
    },
  });
}
