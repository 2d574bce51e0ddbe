import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";

/** What the process beside the server is asked to do: to read, and to tell when each reader has heard all. */
export type Readers = {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly readers: number;
  readonly messages: number;
  /** Sent once connected; a reader that comes back adds its cursor. */
  readonly subscribe: object | undefined;
  /** Each connection is cut after so long, and made again. */
  readonly cutAfterMs: number | undefined;
};

export type Heard = {
  readonly latencies: { readonly p50: number; readonly p99: number; readonly most: number };
  readonly missing: number;
  readonly double: number;
};

/** By millisecond. */
const latencies = new Uint32Array(60_000);
let double = 0;
let missing = 0;

const handshake = ({ url, headers }: Readers): string =>
  [
    `GET ${new URL(url).pathname} HTTP/1.1`,
    `host: ${new URL(url).host}`,
    "connection: upgrade",
    "upgrade: websocket",
    "sec-websocket-version: 13",
    `sec-websocket-key: ${randomBytes(16).toString("base64")}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "\r\n",
  ].join("\r\n");

/** As clients send: masked, here with zeros. */
function clientFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const head = Buffer.from([0x81, 0x80 | 126, length >> 8, length & 0xff, 0, 0, 0, 0]);
  return Buffer.concat([head, Buffer.from(text)]);
}

/**
 * Walks from frame to frame, and parses only the first and the last of what came together: a reader that parsed each
 * message of two hundred would measure itself. That none is missing between the two, their numbers say.
 */
function createWalk(onMessages: (first: string, last: string, count: number) => void) {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk: Buffer): void => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    let count = 0;
    let first: string | undefined;
    let last: [number, number] = [0, 0];
    while (at + 4 <= bytes.length) {
      const short = (bytes[at + 1] ?? 0) & 0x7f;
      const body = at + (short < 126 ? 2 : 4);
      const end = body + (short < 126 ? short : bytes.readUInt16BE(at + 2));
      if (end > bytes.length) break;
      if (bytes[at] === 0x81) {
        first ??= bytes.toString("utf8", body, end);
        last = [body, end];
        count += 1;
      }
      at = end;
    }
    rest = bytes.subarray(at);
    if (first !== undefined) onMessages(first, bytes.toString("utf8", ...last), count);
  };
}

type Message = { type?: string; cursor?: string; data?: { n: number; sent: number } };

async function read(asked: Readers, number: number, onReady: () => void): Promise<void> {
  const { hostname, port } = new URL(asked.url);
  let next = 0;
  let cursor: string | undefined;
  for (let isFirst = true; next < asked.messages; isFirst = false) {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    const walk = createWalk((first, last, count) => {
      const [oldest, newest] = [JSON.parse(first) as Message, JSON.parse(last) as Message];
      cursor = newest.cursor ?? cursor;
      if (isFirst && oldest.type === "subscribed") onReady();
      if (newest.data === undefined) return;
      const events = count - (oldest.data === undefined ? 1 : 0);
      const from = newest.data.n + 1 - events;
      const late = Date.now() - (oldest.data ?? newest.data).sent;
      const place = Math.min(latencies.length - 1, Math.max(0, late));
      // The oldest of what came together speaks for all of it.
      latencies[place] = (latencies[place] ?? 0) + events;
      if (from < next) double += next - from;
      else missing += from - next;
      next = newest.data.n + 1;
      if (next >= asked.messages) socket.destroy();
    });
    let upgraded = false;
    socket.on("data", (chunk: Buffer) => {
      if (upgraded) {
        walk(chunk);
        return;
      }
      upgraded = true;
      if (asked.subscribe === undefined) onReady();
      else socket.write(clientFrame(JSON.stringify({ ...asked.subscribe, after: cursor })));
      const end = chunk.indexOf("\r\n\r\n") + 4;
      if (end < chunk.length) walk(chunk.subarray(end));
    });
    socket.write(handshake(asked));
    const cut =
      asked.cutAfterMs === undefined
        ? undefined
        : setTimeout(() => socket.destroy(), asked.cutAfterMs + (number % 50) * 20);
    await once(socket, "close");
    clearTimeout(cut);
  }
}

function percentile(share: number): number {
  const total = latencies.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  return latencies.findIndex((count) => (seen += count) >= total * share);
}

process.once("message", (asked: Readers) => void serve(asked));

async function serve(asked: Readers): Promise<void> {
  let waiting = asked.readers;
  const onReady = (): void => {
    waiting -= 1;
    if (waiting === 0) process.send?.("ready");
  };
  await Promise.all(Array.from({ length: asked.readers }, (_, number) => read(asked, number, onReady)));
  const most = latencies.findLastIndex((count) => count > 0);
  const heard: Heard = {
    latencies: { p50: percentile(0.5), p99: percentile(0.99), most },
    missing,
    double,
  };
  process.send?.(heard, () => process.exit(0));
}
