import { connect, type ClientHttp2Session, type OutgoingHttpHeaders } from "node:http2";
import type { Random } from "../seeded-random.ts";
import { callOf, isHeld } from "./connect-door.ts";
import type { Door, Yard } from "./door.ts";
import { frameOf, messageOf } from "./envelope.ts";
import { faultOfStatus, shownRequest } from "./findings.ts";

const timeouts = ["1", "x", "-1S", "123456789S", "99999999H", "1n", "100m", ""];
const encodings = ["gzip", "br", "identity", "deflate", "x", ""];
const types = [
  "application/grpc",
  "application/grpc+proto",
  "application/grpc+json",
  "application/grpc+x",
  "text/plain",
];

/** gRPC over HTTP/2: many calls at once over one session, as gRPC's own clients make them. */
export const grpcDoor: Door = {
  name: "gRPC",
  share: 0.12,
  workers: 12,
  open(yard, random) {
    let session: ClientHttp2Session | undefined;
    const opened = (): ClientHttp2Session => {
      if (session !== undefined && !session.closed && !session.destroyed) return session;
      session = connect(`http://127.0.0.1:${yard.port}`);
      session.on("error", () => undefined);
      return session;
    };
    return {
      close: () => session?.destroy(),
      next: () => call(opened(), yard, random),
    };
  },
};

function headersFor(
  path: string,
  yard: Yard,
  random: Random,
): OutgoingHttpHeaders & { "content-type": string } {
  const maybe = (name: string, values: readonly string[]) =>
    random.chance(0.06) ? { [name]: random.pick(values) } : {};
  return {
    ":method": random.chance(0.99) ? "POST" : random.pick(["GET", "PUT", "OPTIONS"]),
    ":path": random.chance(0.99) ? path : `${path}${random.pick(["x", "/", "?a=%", "%00"])}`,
    "content-type": random.chance(0.9) ? random.pick(types.slice(0, 3)) : random.pick(types),
    te: "trailers",
    ...random.pick(yard.credentials),
    ...maybe("grpc-timeout", timeouts),
    ...maybe("grpc-encoding", encodings),
    ...maybe("grpc-accept-encoding", encodings),
    ...maybe("x-bin", ["AAA", "!", "AAAA=="]),
  };
}

/** Sends one to four frames, and hears how the call ended; some callers reset it half-way. */
function call(session: ClientHttp2Session, yard: Yard, random: Random): Promise<number> {
  const called = callOf(yard, random);
  const headers = headersFor(called.path, yard, random);
  const json = headers["content-type"].endsWith("json");
  const count = random.chance(0.8) ? 1 : random.between(2, 4);
  const body = Buffer.concat(
    Array.from({ length: count }, () => frameOf(random, messageOf(called, yard.live, random, json))),
  );
  const leaves = random.chance(0.03);
  return new Promise((resolve) => {
    const stream = session.request(headers);
    let [status, grpcStatus, message]: (string | undefined)[] = [];
    const read = (told: Record<string, unknown>) => {
      if (typeof told[":status"] === "number") status = String(told[":status"]);
      if (typeof told["grpc-status"] === "string") grpcStatus = told["grpc-status"];
      if (typeof told["grpc-message"] === "string") message = told["grpc-message"];
    };
    const leave = () => {
      stream.close(8);
      // Node tells nobody of the end of a stream that was reset while it waited for room to write.
      stream.destroy();
    };
    const timer = setTimeout(leave, leaves ? 5 : isHeld(called) ? 100 : 30_000);
    stream.on("response", read);
    stream.on("trailers", read);
    stream.on("error", () => undefined);
    stream.on("close", () => {
      clearTimeout(timer);
      const fault = leaves
        ? undefined
        : (faultOfStatus(grpcStatus) ??
          (Number(status) >= 500 ? `status ${status}` : undefined) ??
          (status === undefined && !isHeld(called) ? "no answer" : undefined));
      const sent = `${JSON.stringify(headers)} ${shownRequest(body)}`;
      if (fault !== undefined)
        yard.findings.add({ door: "gRPC", fault, sent, told: `${status} ${grpcStatus} ${message}` });
      resolve(count);
    });
    stream.resume();
    if (leaves) stream.write(body.subarray(0, random.between(0, body.length)));
    else stream.end(body);
  });
}
