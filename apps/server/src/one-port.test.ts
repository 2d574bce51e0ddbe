import { once } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import {
  connect as connectHttp2,
  constants,
  type Http2ServerRequest,
  type ServerHttp2Stream,
} from "node:http2";
import { connect, type AddressInfo, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import * as fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createOnePort, defaultLimits, type Limits, type OnePort } from "./one-port.ts";

let onePort: OnePort | undefined;

const tellBack: RequestListener = (request, response) => {
  // The client learns from the headers that its request has arrived.
  response.flushHeaders();
  text(request).then(
    (body) => response.end(`${request.httpVersion} ${request.method} ${request.url} ${body}`),
    () => response.destroy(),
  );
};

async function listen(limits: Partial<Limits> = {}, handler: RequestListener = tellBack): Promise<number> {
  onePort = createOnePort(handler, { ...defaultLimits, ...limits });
  onePort.server.listen(0, "127.0.0.1");
  await once(onePort.server, "listening");
  return (onePort.server.address() as AddressInfo).port;
}

afterEach(async () => {
  onePort?.destroyConnections();
  onePort?.server.close();
  onePort = undefined;
});

const raw = async (port: number): Promise<Socket> => {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  return socket;
};
const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const emptySettings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);

async function overHttp2(port: number, path: string): Promise<string> {
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  try {
    return await text(session.request({ ":path": path }));
  } finally {
    session.close();
  }
}

const readSome = (request: IncomingMessage) => request[Symbol.asyncIterator]().next();

/** The compatibility API's request, typed as HTTP/1.1's by the handler. */
const isHttp2 = (request: object): request is Http2ServerRequest => "stream" in request;

describe("one port", () => {
  test("HTTP/1.1 and HTTP/2 with prior knowledge reach the same handler", async () => {
    const port = await listen();
    const body = await (await fetch(`http://127.0.0.1:${port}/a`, { method: "POST", body: "b" })).text();
    expect(body).toBe("1.1 POST /a b");
    expect(await overHttp2(port, "/a")).toBe("2.0 GET /a ");
  });

  test("methods that begin like the preface are HTTP/1.1", async () => {
    const port = await listen();
    for (const method of ["POST", "PUT", "PATCH", "PROPFIND"]) {
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method });
      expect(await answer.text()).toBe(`1.1 ${method} / `);
    }
  });

  test("wherever the first bytes are cut apart, the protocol is recognised", async () => {
    const port = await listen();
    const http2 = Buffer.concat([Buffer.from(preface), emptySettings]);
    const http1 = Buffer.from("PUT / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.integer({ min: 1, max: 23 }), async (second, cut) => {
        const bytes = second ? http2 : http1;
        const socket = await raw(port);
        socket.setNoDelay(true);
        socket.write(bytes.subarray(0, cut));
        await new Promise((resolve) => setImmediate(resolve));
        socket.write(bytes.subarray(cut));
        const [first] = (await once(socket, "data")) as [Buffer];
        socket.destroy();
        // A SETTINGS frame, or a status line.
        expect(second ? first.readUInt8(3) : first.toString("latin1", 0, 12)).toBe(
          second ? 4 : "HTTP/1.1 200",
        );
      }),
      { numRuns: 40 },
    );
  });

  test("random first bytes never end the process", async () => {
    const port = await listen({ headersMs: 200 });
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.uint8Array({ minLength: 1, maxLength: 64 }),
        async (afterPreface, bytes) => {
          const socket = await raw(port);
          socket.on("error", () => undefined);
          socket.end(Buffer.concat([Buffer.from(afterPreface ? preface : ""), bytes]));
          socket.resume();
          if (!socket.closed) await once(socket, "close");
        },
      ),
      { numRuns: 60 },
    );
    expect(await overHttp2(port, "/alive")).toBe("2.0 GET /alive ");
  });

  test.each([
    ["sends nothing", ""],
    ["stops inside the preface", preface.slice(0, 10)],
    ["stops inside the headers", "GET / HTTP/1.1\r\nhost: a\r\nx-slow: "],
    ["stops after the preface", preface],
    ["stops inside the body", "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nabc"],
  ])("a client that %s is cut", async (_, bytes) => {
    const port = await listen({ headersMs: 100, requestMs: 200, idleMs: 100 });
    const socket = await raw(port);
    socket.write(bytes);
    socket.resume();
    await expect(once(socket, "close")).resolves.toBeDefined();
  });

  test("an HTTP/2 body that never ends is cut", async () => {
    const port = await listen({ headersMs: 100, requestMs: 100 });
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    const stream = session.request({ ":path": "/", ":method": "POST" }, { endStream: false });
    stream.on("error", () => undefined);
    stream.write("a");
    await expect(once(stream, "close")).resolves.toBeDefined();
    session.destroy();
  });

  type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  const answers: [string, Answer, [status: number, length: number, grpcStatus: string | undefined]][] = [
    ["by its headers alone", async (_, response) => void response.end(), [200, 0, undefined]],
    [
      "by its headers alone after some of it was read",
      async (request, response) => {
        await readSome(request);
        await pause(50);
        response.writeHead(204).end();
      },
      [204, 0, undefined],
    ],
    [
      "with trailers after some of it was read",
      async (request, response) => {
        await readSome(request);
        await pause(50);
        response.addTrailers({ "grpc-status": "3" });
        response.writeHead(200).end("x".repeat(400_000));
      },
      [200, 400_000, "3"],
    ],
  ];
  test.each(answers)(
    "who is answered %s while there is no room for the rest of a body has the answer, and neither stream nor connection stays",
    async (_, answer, expected) => {
      let here: ServerHttp2Stream | undefined;
      const port = await listen({}, (request, response) => {
        if (isHttp2(request)) here = request.stream;
        // Until the client has sent all there is room for.
        void pause(50).then(() => answer(request, response));
      });
      const session = connectHttp2(`http://127.0.0.1:${port}`);
      const stream = session.request({ ":path": "/", ":method": "POST" });
      let length = 0;
      let [status, grpcStatus]: unknown[] = [];
      stream.on("response", (headers) => (status = headers[":status"]));
      stream.on("trailers", (trailers) => (grpcStatus = trailers["grpc-status"]));
      stream.on("data", (chunk: Buffer) => (length += chunk.length));
      stream.end(Buffer.alloc(300_000));
      await once(stream, "close");
      expect([status, length, grpcStatus]).toEqual(expected);
      session.close();
      await once(session, "close");
      await vi.waitFor(() => expect(here?.destroyed).toBe(true));
    },
  );

  test.each([
    ["without a body has no time limit, since nobody would read its end", undefined, 0],
    ["with a body has one", "b", 1],
  ])("an HTTP/2 request %s", async (_, body, timers) => {
    const requestMs = 54_321;
    const port = await listen({ requestMs });
    using timer = vi.spyOn(globalThis, "setTimeout");
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    const method = body === undefined ? "GET" : "POST";
    const stream = session.request({ ":path": "/", ":method": method });
    stream.end(body);
    expect(await text(stream)).toBe(`2.0 ${method} / ${body ?? ""}`);
    expect(timer.mock.calls.filter(([, ms]) => ms === requestMs)).toHaveLength(timers);
    session.close();
  });

  test("a client that resets, or closes its side early, leaves no connection behind", async () => {
    const port = await listen();
    const reset = await raw(port);
    reset.write("PRI * HT");
    reset.resetAndDestroy();
    const halfClosed = await raw(port);
    halfClosed.end("PRI * HT");
    await once(halfClosed.resume(), "close");
    const connections = await new Promise((resolve) => {
      onePort?.server.getConnections((_, count) => resolve(count));
    });
    expect(connections).toBe(0);
  });

  test("a client that goes while it waits over HTTP/2 is waited for no longer, however it went", async () => {
    const gone = vi.fn<() => void>();
    let waiting = 0;
    const port = await listen({ goneMs: 50 }, (_, response) => {
      waiting += 1;
      response.once("close", gone);
    });
    for (const leave of [
      (socket: Socket) => socket.destroy(),
      (socket: Socket) => socket.resetAndDestroy(),
    ]) {
      const socket = await raw(port);
      const session = connectHttp2(`http://127.0.0.1:${port}`, { createConnection: () => socket });
      session.on("error", () => undefined);
      const before = waiting;
      for (const path of ["/one", "/two"]) session.request({ ":path": path }).on("error", () => undefined);
      await vi.waitFor(() => expect(waiting).toBe(before + 2));
      leave(socket);
      await vi.waitFor(() => expect(gone).toHaveBeenCalledTimes(waiting));
    }
  });

  test("draining tells HTTP/2 clients to go away and lets the open request finish", async () => {
    const port = await listen();
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    const stream = session.request({ ":path": "/last", ":method": "POST" }, { endStream: false });
    stream.write("begun ");
    await once(stream, "response");
    const goneAway = once(session, "goaway");
    onePort?.drain();
    expect((await goneAway)[0]).toBe(constants.NGHTTP2_NO_ERROR);
    stream.end("finished");
    expect(await text(stream)).toBe("2.0 POST /last begun finished");
    await once(session, "close");
  });
});
