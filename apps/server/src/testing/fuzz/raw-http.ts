import { connect, type Socket } from "node:net";

export type RawRequest = {
  method: string;
  target: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer | undefined;
};
export type RawAnswer = { status: number; head: string; body: Buffer };
/** Hung up: the connection ended without an answer. Silent: it did not come in time. */
export type Told = RawAnswer | "hung up" | "silent";

/** Bytes as they are: no client library would send such requests. */
export function bytesOf({ method, target, headers, body }: RawRequest): Buffer {
  const framed = body === undefined ? [] : [["content-length", String(body.length)] as const];
  const lines = [...headers, ...framed].map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1");
  return body === undefined ? head : Buffer.concat([head, body]);
}

/** One keep-alive connection, made anew when it has ended. */
export function rawConnection(port: number) {
  let socket: Socket | undefined;
  const opened = (): Socket => {
    if (socket !== undefined && !socket.destroyed && socket.writable) return socket;
    const made = connect(port, "127.0.0.1");
    made.setNoDelay(true);
    made.on("error", () => made.destroy());
    made.on("end", () => made.destroy());
    socket = made;
    return made;
  };
  const close = () => socket?.destroy();

  function exchange(
    bytes: Buffer,
    { isHead, withinMs }: { isHead: boolean; withinMs: number },
  ): Promise<Told> {
    const own = opened();
    return new Promise((resolve) => {
      let seen: Buffer = Buffer.alloc(0);
      const finish = (told: Told) => {
        clearTimeout(timer);
        own.off("data", onData);
        own.off("close", onClose);
        const isOver =
          typeof told === "string" || told.status === 101 || /^connection: close/im.test(told.head);
        if (isOver) own.destroy();
        resolve(told);
      };
      const onData = (chunk: Buffer) => {
        seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
        const answer = readAnswer(seen, isHead);
        if (answer !== undefined) finish(answer);
      };
      const onClose = () => finish("hung up");
      const timer = setTimeout(() => finish("silent"), withinMs);
      own.on("data", onData);
      own.on("close", onClose);
      own.write(bytes);
    });
  }
  return { exchange, close };
}

/** RFC 9112, as far as this server's answers go; an interim answer is passed over. */
function readAnswer(seen: Buffer, isHead: boolean): RawAnswer | undefined {
  const end = seen.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const head = seen.toString("latin1", 0, end);
  const status = Number(head.slice(9, 12));
  const rest = seen.subarray(end + 4);
  if (status === 100) return readAnswer(rest, isHead);
  if (status === 101 || isHead || status === 204 || status === 304)
    return { status, head, body: Buffer.alloc(0) };
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length !== undefined) {
    return rest.length < Number(length)
      ? undefined
      : { status, head, body: rest.subarray(0, Number(length)) };
  }
  if (!/^transfer-encoding: *chunked/im.test(head)) return { status, head, body: rest };
  return lastChunk.test(rest.toString("latin1", Math.max(0, rest.length - 4_000)))
    ? { status, head, body: rest }
    : undefined;
}

/** RFC 9112 §7.1: an empty chunk and the trailers, where gRPC has its status. */
const lastChunk = /(?:^|\r\n)0\r\n(?:[\w-]+:[^\r\n]*\r\n)*\r\n$/;
