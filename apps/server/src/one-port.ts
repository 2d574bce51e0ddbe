import {
  createServer as createHttp1Server,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from "node:http";
import {
  constants,
  createServer as createHttp2Server,
  type Http2Server,
  type Http2ServerRequest,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { Socket } from "node:net";

/** RFC 9113 §3.4: what an HTTP/2 client with prior knowledge sends first; no HTTP/1.1 request begins with it. */
const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");

export type Limits = {
  /** From the connection to its first request line, and from there to the end of the headers. */
  headersMs: number;
  /** From a request's first byte to its last. */
  requestMs: number;
  /** A connection without a request is closed after this. */
  idleMs: number;
  /** Who has closed their side of HTTP/2 is answered within this, or waited for no longer. */
  goneMs: number;
  headerBytes: number;
  concurrentStreams: number;
};

export const defaultLimits: Limits = {
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 75_000,
  goneMs: 1_000,
  headerBytes: 16_384,
  concurrentStreams: 128,
};

export type OnePort = {
  /** The server that listens. */
  server: Server;
  /** Lets clients finish what they began: HTTP/2's are told to begin nothing more, silent ones are cut. */
  drain(): void;
  /** Cuts every connection that is left, whatever it is doing. */
  destroyConnections(): void;
};

/**
 * One listening port for HTTP/1.1 and for HTTP/2 with prior knowledge. The HTTP/1.1 server is the one that listens, so
 * that its own header and request timeouts run (they start with `listening`); each new connection is looked at first.
 */
export function createOnePort(handler: RequestListener, limits: Limits = defaultLimits): OnePort {
  const connections = new Set<Socket>();
  const silent = new Set<Socket>();
  const { http2, sessions } = createSessions(handler, limits);
  const server: Server = createHttp1Server(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.idleMs,
      connectionsCheckingInterval: Math.min(1000, limits.headersMs),
      maxHeaderSize: limits.headerBytes,
      // The handler refuses what has none, with a reason.
      requireHostHeader: false,
      shouldUpgradeCallback: (request): boolean =>
        server.listenerCount("upgrade") > 0 && asksForWebSocket(request),
    },
    handler,
  );
  server.on("checkExpectation", handler);
  const http1Listeners = server.listeners("connection");
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.on("close", () => connections.delete(socket));
    // Without a listener a reset while nobody owns the socket would end the process.
    socket.on("error", () => socket.destroy());
    silent.add(socket);
    socket.on("close", () => silent.delete(socket));
    recognise(socket, limits.headersMs, (isHttp2) => {
      silent.delete(socket);
      if (isHttp2) http2.emit("connection", socket);
      else for (const listener of http1Listeners) listener.call(server, socket);
    });
  });
  return {
    server,
    drain: () => {
      for (const session of sessions) session.close();
      for (const socket of silent) socket.destroy();
    },
    destroyConnections: () => {
      for (const socket of connections) socket.destroy();
    },
  };
}

/**
 * RFC 9110 §7.8: any other upgrade may be passed over. Java's client asks for h2c with every first request, and goes on
 * as before when it is answered as if it had not; taken off the parser, the body of its POST would never be read.
 */
const asksForWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === "GET" && /(?:^|,)\s*websocket\s*(?:,|$)/i.test(headers.upgrade ?? "");

/** Reads until the bytes can or cannot be the preface, puts them back, and says which. A silent client is cut. */
function recognise(socket: Socket, withinMs: number, decide: (isHttp2: boolean) => void): void {
  let seen: Buffer = Buffer.alloc(0);
  const stopLooking = () => {
    clearTimeout(timer);
    socket.off("readable", look);
    socket.off("end", giveUp);
    socket.off("close", stopLooking);
  };
  const giveUp = () => {
    stopLooking();
    socket.destroy();
  };
  const look = () => {
    for (let chunk: Buffer | null = socket.read(); chunk !== null; chunk = socket.read()) {
      seen = Buffer.concat([seen, chunk]);
    }
    const compared = Math.min(seen.length, preface.length);
    const matches = seen.subarray(0, compared).equals(preface.subarray(0, compared));
    if (matches && compared < preface.length) return;
    stopLooking();
    socket.unshift(seen);
    decide(matches);
  };
  const timer = setTimeout(giveUp, withinMs);
  socket.on("readable", look);
  socket.on("end", giveUp);
  socket.on("close", stopLooking);
}

function createSessions(
  handler: RequestListener,
  limits: Limits,
): { http2: Http2Server; sessions: Set<ServerHttp2Session> } {
  const sessions = new Set<ServerHttp2Session>();
  const http2 = createHttp2Server({
    settings: { maxConcurrentStreams: limits.concurrentStreams, maxHeaderListSize: limits.headerBytes },
    maxSessionInvalidFrames: 100,
  });
  http2.on("session", (session) => {
    sessions.add(session);
    closeWhenIdle(session, limits.idleMs);
    session.on("close", () => sessions.delete(session));
    session.on("error", () => session.destroy());
    session.socket.on("end", () => closeAnswered(session, limits.goneMs));
  });
  http2.on("sessionError", () => undefined);
  http2.on("request", (request, response) => {
    const { stream } = request;
    stream.on("error", () => undefined);
    if (!stream.endAfterHeaders) {
      closeUnlessReceived(request, limits.requestMs);
      endOnceAnswered(stream);
    }
    // The compatibility API has the shape of HTTP/1.1's, which is what Fastify and Connect are written to.
    Reflect.apply(handler, undefined, [request, response]);
  });
  return { http2, sessions };
}

/**
 * A client that closed its side will send nothing more, and most that do are gone: their process ended. What can be answered is,
 * and that is the end; what waits would wait for nobody, keep its place, and be handed work.
 */
function closeAnswered(session: ServerHttp2Session, withinMs: number): void {
  const timer = setTimeout(() => session.destroy(), withinMs);
  session.on("close", () => clearTimeout(timer));
  session.close();
}

/**
 * RFC 9113 §8.1: who has been answered is told to send no more, where they would else wait for room to send the rest. And
 * what came of it and was not read is let go: Node keeps a closed stream, and with it the connection, until it is.
 */
function endOnceAnswered(stream: ServerHttp2Stream): void {
  const end = (isAnswered: () => boolean) => () => {
    setImmediate(() => {
      setImmediate(() => {
        if (stream.destroyed || stream.readableEnded || !isAnswered()) return;
        if (!stream.closed) stream.close(constants.NGHTTP2_NO_ERROR);
        stream.destroy();
      });
    });
  };
  // All of the answer has left but its trailers, which Node sends now and without telling: a turn writes them.
  stream.on(
    "wantTrailers",
    end(() => true),
  );
  // An answer that is its headers alone has none.
  stream.on(
    "finish",
    end(() => stream.state.localClose === 1),
  );
}

/**
 * HTTP/2 has no request timeout of its own: a body that trickles would keep its stream for ever. Not for a request
 * without a body: nobody reads it, so its end is never told and a slow answer would be cut.
 */
function closeUnlessReceived(request: Http2ServerRequest, withinMs: number): void {
  const { stream } = request;
  const timer = setTimeout(() => stream.close(), withinMs);
  const stop = () => clearTimeout(timer);
  request.on("end", stop);
  stream.on("close", stop);
}

/** A session's own timeout also fires while a stream waits for an answer, so idleness is counted here. */
function closeWhenIdle(session: ServerHttp2Session, idleMs: number): void {
  let open = 0;
  let timer = setTimeout(() => session.close(), idleMs);
  session.on("stream", (stream) => {
    open += 1;
    clearTimeout(timer);
    stream.on("close", () => {
      open -= 1;
      if (open === 0) timer = setTimeout(() => session.close(), idleMs);
    });
  });
  session.on("close", () => clearTimeout(timer));
}
