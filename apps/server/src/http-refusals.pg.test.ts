import { once } from "node:events";
import { connect as connectHttp2, type ClientHttp2Stream, type IncomingHttpHeaders } from "node:http2";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { Code } from "@connectrpc/connect";
import { fromBinary } from "@bufbuild/protobuf";
import { ErrorDetailSchema } from "@signalbox/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import {
  bearer,
  bodyOf,
  manifestJson,
  register,
  startTestServer,
  type TestServer,
} from "./testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.dispose());

const registerPackPath = "/vasini.agent.v1.ControlPlaneService/RegisterPack";

async function raw(bytes: string): Promise<string> {
  const socket = connect(server.port, "127.0.0.1");
  await once(socket, "connect");
  // Not ended: Node takes a half-closed client for one that has gone.
  socket.write(bytes);
  return text(socket);
}

/** Sends without end, as long as there is room: what a sender does whose body is larger than anybody wants. */
function pour(stream: ClientHttp2Stream, chunk: Buffer): void {
  const write = () => {
    while (!stream.closed && stream.write(chunk));
  };
  stream.on("drain", write);
  write();
}

/** An answer over HTTP/2, once the stream of the request is closed on both sides. */
async function overHttp2(headers: Record<string, string>, send: (stream: ClientHttp2Stream) => void) {
  const session = connectHttp2(server.origin);
  try {
    const stream = session.request({ ...bearer(server.adminKey), ...headers });
    const fields: IncomingHttpHeaders = {};
    const read = (more: IncomingHttpHeaders) => void Object.assign(fields, more);
    stream.on("response", read).on("trailers", read);
    const closed = once(stream, "close");
    const body = text(stream);
    send(stream);
    await closed;
    return { fields, body: await body, code: stream.rstCode };
  } finally {
    session.destroy();
  }
}

const call = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
  fetch(`${server.origin}${registerPackPath}`, {
    method: "POST",
    headers: { ...bearer(server.adminKey), ...headers },
    body,
  });
const json = { "content-type": "application/json" };
const sendEncoded = (encoding: string, body: string | Uint8Array<ArrayBuffer>) =>
  fetch(`${server.origin}/v1/packs`, {
    method: "POST",
    headers: { ...bearer(server.adminKey), ...json, "content-encoding": encoding },
    body,
  });
const refusal = async (answer: Response) => {
  const { code, details } = (await answer.json()) as {
    code: string;
    details: { value: string; debug: { code: string; violations?: { field: string; rule: string }[] } }[];
  };
  const value = Buffer.from(details[0]?.value ?? "", "base64");
  expect(fromBinary(ErrorDetailSchema, value).code).toBe(details[0]?.debug.code);
  return [code, details[0]?.debug.code, details[0]?.debug.violations?.[0]?.field];
};

describe("what no route can take is a problem", () => {
  test.each(["BREW", "PROPFIND"])("the method %s, over HTTP/2", async (method) => {
    const answer = await overHttp2({ ":path": "/v1/packs", ":method": method }, (stream) => stream.end());
    expect(answer.fields).toMatchObject({ ":status": 501, "content-type": "application/problem+json" });
    expect(JSON.parse(answer.body)).toMatchObject({
      code: "UNIMPLEMENTED",
      requestId: answer.fields["x-request-id"],
    });
  });

  test("what is not HTTP is a problem too, with an id", async () => {
    const answer = await raw("BREW /pot HTCPCP/1.0\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
    expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}/);
    expect(answer).toContain(`"code":"MALFORMED_BODY"`);
  });

  test("a body that is packed is told so by its header", async () => {
    const answer = await sendEncoded("gzip", new Uint8Array(gzipSync("{}")));
    expect([answer.status, answer.headers.get("accept-encoding")]).toEqual([415, "identity"]);
    expect(await answer.json()).toMatchObject({
      code: "UNSUPPORTED_MEDIA_TYPE",
      violations: [{ field: "content-encoding", message: 'is "gzip"; send the body as it is' }],
    });
    expect((await sendEncoded("identity", "{}")).status).toBe(422);
  });

  test("headers over the limit are 431", async () => {
    const answer = await raw(`GET / HTTP/1.1\r\nhost: a\r\nx-long: ${"a".repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 431 /);
  });

  test.each([
    "/v1/packs/%zz/versions/1.0.0",
    "/v1/packs/%00/versions/1.0.0",
    `/v1/packs/${"a".repeat(600)}/versions/1`,
  ])("a path that cannot be is not found: %s", async (path) => {
    const answer = await raw(
      `GET ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${server.adminKey}\r\nconnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 404 /);
    expect(answer).toContain("application/problem+json");
    expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}/i);
  });

  test("a body that is no JSON, on a path that takes none", async () => {
    for (const path of ["/openapi.json", "/metrics", "/nowhere"]) {
      const answer = await fetch(server.origin + path, { method: "PATCH", headers: json, body: '"\u0007"' });
      expect(answer.status).toBeLessThan(500);
      expect(answer.headers.get("content-type")).toMatch(/^application\/problem\+json/);
    }
  });

  test.each([
    ["a method of WebDAV", "PROPFIND / HTTP/1.1\r\nhost: a\r\n\r\n", 501],
    ["no host", "GET /healthz HTTP/1.1\r\n\r\n", 400],
    ["another expectation", "GET /healthz HTTP/1.1\r\nhost: a\r\nexpect: tea\r\n\r\n", 417],
    [
      "a WebSocket of version 1",
      "GET /trpc HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 1\r\n" +
        "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
      400,
    ],
    [
      "an upgrade where none is",
      "GET /v1/nowhere HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n" +
        "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
      404,
    ],
  ])("%s, over HTTP/1.1", async (_, request, status) => {
    const answer = await raw(request);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain("content-type: application/problem+json");
    expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}/);
    expect(answer).toContain(`"status":${status}`);
  });

  test("who is refused an upgrade is told that the connection ends", async () => {
    const upgrade = "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13";
    expect(await raw(`GET /v1/packs HTTP/1.1\r\nhost: a\r\n${upgrade}\r\n\r\n`)).toMatch(
      /^connection: close\r$/im,
    );
  });

  test("and it ends, also where no hook has seen the request", async () => {
    const upgrade =
      "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==";
    const answer = await raw(
      `GET /v1/packs/${"a".repeat(4_000)}/versions/1 HTTP/1.1\r\nhost: a\r\n${upgrade}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 404 /);
    expect(answer).toMatch(/^connection: close\r$/im);
  });

  test("an upgrade to anything but a WebSocket is passed over, and the connection goes on", async () => {
    const socket = connect(server.port, "127.0.0.1");
    const offered =
      "host: a\r\nconnection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAEAAEAAAAIAAAAA";
    const body = "content-type: application/json\r\ncontent-length: 2\r\n\r\n{}";
    const told: string[] = [];
    for (const request of [
      `POST ${registerPackPath} HTTP/1.1\r\n${offered}\r\n${body}`,
      `GET /healthz HTTP/1.1\r\n${offered}\r\n\r\n`,
      "GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n",
    ]) {
      socket.write(request);
      const [answer] = await once(socket, "data");
      told.push(String(answer).slice(0, 12));
    }
    socket.destroy();
    expect(told).toEqual(["HTTP/1.1 401", "HTTP/1.1 200", "HTTP/1.1 200"]);
  });

  test.each([
    ["and the connection goes on", "keep-alive", ["HTTP/1.1 413", "HTTP/1.1 413", "HTTP/1.1 200"]],
    ["and no sooner is the connection ended that was to end", "close", ["HTTP/1.1 413"]],
  ])("whoever sends too much is told so once they have sent it, %s", async (_, connection, told) => {
    const size = 9 * 1024 * 1024;
    const body = "a".repeat(size);
    const head = `POST /v1/packs HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${server.adminKey}\r\ncontent-type: application/json\r\n`;
    const requests = [
      `${head}connection: ${connection}\r\ncontent-length: ${size}\r\n\r\n${body}`,
      `${head}transfer-encoding: chunked\r\n\r\n${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      "GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
    ];
    const sent = requests.slice(0, told.length).join("");
    expect((await raw(sent)).match(/HTTP\/1.1 \d+/g)).toEqual(told);
  });

  test("a client of HTTP/1.0, which knows no host, is served", async () => {
    expect(await raw("GET /healthz HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1.1 200 /);
  });
});

test("a call that cannot be answered ends, and stands in the log", async () => {
  const unended = `POST ${registerPackPath} HTTP/1.0\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`;
  expect(await raw(unended)).toBe("");
  expect(server.log()).toContain("call was not answered to its end");
});

describe("whoever sends too much over HTTP/2 is answered, and their stream ends", () => {
  test("REST: 413", async () => {
    const headers = { ":path": "/v1/packs", ":method": "POST", "content-type": "application/json" };
    const answer = await overHttp2(headers, (stream) => pour(stream, Buffer.alloc(65_536, "a")));
    expect(answer).toMatchObject({ fields: { ":status": 413 }, code: 0 });
    expect(JSON.parse(answer.body)).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  });

  test("gRPC: RESOURCE_EXHAUSTED, with its detail", async () => {
    const announced = Buffer.alloc(65_536);
    announced.writeUInt32BE(50_000_000, 1);
    const headers = { ":path": registerPackPath, ":method": "POST", "content-type": "application/grpc" };
    const answer = await overHttp2({ ...headers, te: "trailers" }, (stream) => pour(stream, announced));
    expect(answer).toMatchObject({ fields: { "grpc-status": String(Code.ResourceExhausted) }, code: 0 });
    expect(answer.fields["grpc-message"]).toContain("larger than the 1048576 bytes");
    expect(answer.fields["grpc-status-details-bin"]).toBeDefined();
  });
});

describe("Connect and gRPC read a message as REST reads its bodies", () => {
  test.each([
    [
      "a field that does not exist",
      `{"manifest":{"safteyTier":1}}`,
      "VALIDATION_FAILED",
      "manifest.safteyTier",
    ],
    ["a key twice", `{"manifest":{"packId":"a","packId":"b"}}`, "MALFORMED_BODY", "manifest.packId"],
    ["another type", `{"manifest":{"packId":5}}`, "VALIDATION_FAILED", "manifest.packId"],
    [
      "a broken rule",
      `{"manifest":{"packId":"a","packVersion":"one"}}`,
      "VALIDATION_FAILED",
      "manifest.packVersion",
    ],
    ["the other spelling", `{"manifest":{"pack_id":5}}`, "VALIDATION_FAILED", "manifest.pack_id"],
  ])("JSON with %s is refused by its field", async (_, body, code, field) => {
    expect(await refusal(await call(body, json))).toEqual(["invalid_argument", code, field]);
    const zipped = { ...json, "content-encoding": "gzip" };
    expect(await refusal(await call(new Uint8Array(gzipSync(body)), zipped))).toEqual([
      "invalid_argument",
      code,
      field,
    ]);
  });

  test("JSON that is too deep is refused", async () => {
    const deep = `{"manifest":${"[".repeat(50_000)}`;
    expect((await refusal(await call(deep, json))).slice(0, 2)).toEqual([
      "resource_exhausted",
      "PAYLOAD_TOO_LARGE",
    ]);
  });

  test.each([
    ["Connect", "application/proto", new Uint8Array([0x0a, 0x7f, 0x00])],
    ["what is no gzip", "application/proto", new Uint8Array([1, 2, 3])],
    ["a gzip that ends too soon", "application/proto", new Uint8Array(gzipSync("abc").subarray(0, -9))],
  ])("a binary that cannot be read is the caller's fault: %s", async (_, type, body) => {
    const headers = { "content-type": type, ...(body[0] !== 0x0a && { "content-encoding": "gzip" }) };
    expect((await refusal(await call(body, headers))).slice(0, 2)).toEqual([
      "invalid_argument",
      "MALFORMED_BODY",
    ]);
  });

  test("and over gRPC", async () => {
    const headers = { ":path": registerPackPath, ":method": "POST", "content-type": "application/grpc" };
    const answer = await overHttp2({ ...headers, te: "trailers" }, (stream) =>
      stream.end(Buffer.from([0, 0, 0, 0, 3, 0x0a, 0x7f, 0x00])),
    );
    expect(answer.fields["grpc-status"]).toBe(String(Code.InvalidArgument));
    expect(answer.fields["grpc-status-details-bin"]).toBeDefined();
  });

  test.each([
    ["compressed, where no header says how", 1],
    ["the trailers of an answer", 0x80],
    ["Connect's end of a stream", 2],
    ["what no protocol knows", 0x44],
  ])("a frame that is said to be %s is the caller's fault", async (_, flags) => {
    const frame = Buffer.from([flags, 0, 0, 0, 3, 0x0a, 0x7f, 0x00]);
    const headers = { ":path": registerPackPath, ":method": "POST", te: "trailers" };
    const grpc = await overHttp2({ ...headers, "content-type": "application/grpc" }, (stream) =>
      stream.end(frame),
    );
    expect(grpc.fields["grpc-status"]).toBe(String(Code.InvalidArgument));
    const web = await call(new Uint8Array(frame), { "content-type": "application/grpc-web" });
    expect(await web.text()).toContain(`grpc-status: ${Code.InvalidArgument}`);
  });

  test("a message that is compressed and sound is taken", async () => {
    const body = new Uint8Array(gzipSync(`{"manifest":${manifestJson({ packId: "zipped" })}}`));
    const answer = await call(body, { ...json, "content-encoding": "gzip" });
    expect(await answer.json()).toMatchObject({ packId: "zipped", created: true });
  });
});

test.each([
  ["as JSON has them", `{"packId":"","packVersion":"one"}`, ["packId", "packVersion"]],
  ["as the sender spelled them", `{"pack_id":"","packVersion":"one"}`, ["pack_id", "packVersion"]],
  ["for a fault of the form too", `{"packId":5}`, ["packId"]],
])("a violation over REST names fields %s", async (_, body, fields) => {
  const { violations = [] } = await bodyOf(await register(server, body));
  expect(violations.map(({ field }) => field)).toEqual(expect.arrayContaining(fields));
});

test.each(["/v1/stream", "/trpc"])(
  "%s: a frame that breaks RFC 6455 ends its connection, and is no failure of the server in the log",
  async (path) => {
    const before = server.log().length;
    const socket = new WebSocket(`${server.origin.replace("http", "ws")}${path}`, {
      headers: bearer(server.adminKey),
    });
    let stream: Socket | undefined;
    socket.on("upgrade", (answer) => (stream = answer.socket)).on("error", () => undefined);
    await once(socket, "open");
    const closed = once(socket, "close");
    // Unmasked, with an opcode that there is not.
    stream?.write(Buffer.from([0x83, 0x00]));
    await closed;
    expect(server.log().slice(before)).not.toMatch(/"level":"(?:error|fatal)"/);
  },
);
