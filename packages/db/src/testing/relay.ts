import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A relay before the database: either side can be silenced, the server exchanged, and watched for what it is sent. */
export async function startRelay(databaseUrl: string) {
  let target = new URL(databaseUrl);
  let silent = false;
  const pairs = new Set<{ client: Socket; upstream: Socket }>();
  const statements = countStatements();
  let lastSent: Frontend | undefined;

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const pair = { client, upstream };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.on("close", end).on("error", end);
    const messagesOf = splitMessages();
    let frozen = false;
    client.on("data", (bytes) => {
      for (const { type, message } of messagesOf(bytes)) {
        if (frozen) return;
        statements.note(type);
        upstream.write(message);
        frozen = type === lastSent;
      }
    });
    upstream.on("data", (bytes) => client.write(bytes));
    if (silent) upstream.pause();
  });
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  };
  const cut = async () => {
    for (const { client, upstream } of pairs) {
      client.destroy();
      upstream.destroy();
    }
    server.close();
    await once(server, "close");
  };
  const port = await listen(0);
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(port);

  const setSilent = (wanted: boolean) => {
    silent = wanted;
    for (const { upstream } of pairs) upstream[wanted ? "pause" : "resume"]();
  };
  return {
    url: url.href,
    /** From now on no answer arrives: what a frozen server looks like. */
    silence: () => setSilent(true),
    speak: () => setSilent(false),
    /** The next message of this kind is the last that a client sends: what a frozen process looks like. */
    freezeAfter: (type: Frontend) => void (lastSent = type),
    moveTo: (other: string) => void (target = new URL(other)),
    /** Resolves when so many more statements have been sent. */
    statementsSent: (count: number) => statements.reached(count),
    /** Whoever connects is refused: what a server looks like that is not there. */
    cut,
    restore: () => listen(port),
    close: cut,
  };
}

/** What ends a part of a statement in the protocol's frontend: Flush, and Execute. */
type Frontend = "H" | "E";

/** Counts the messages Execute and Query of the protocol's frontend. */
function countStatements() {
  let count = 0;
  const waiting = new Set<{ goal: number; resolve: () => void }>();
  const note = (type: string) => {
    if (type !== "E" && type !== "Q") return;
    count += 1;
    for (const waiter of waiting) if (count >= waiter.goal) waiter.resolve();
  };
  const reached = (more: number) =>
    new Promise<void>((resolve) => waiting.add({ goal: count + more, resolve }));
  return { note, reached };
}

/** What has arrived in whole of a connection's messages; the first one has no type. */
function splitMessages() {
  let rest = Buffer.alloc(0);
  let started = false;
  return function* (bytes: Buffer) {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const header = started ? 1 : 0;
      if (rest.length < header + 4) return;
      const length = header + rest.readUInt32BE(header);
      if (rest.length < length) return;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      yield { type: started ? String.fromCharCode(message[0] ?? 0) : "", message };
      started = true;
    }
  };
}
