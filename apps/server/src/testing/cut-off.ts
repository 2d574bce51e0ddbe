import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A relay before the database, so that a test can cut it off and let it come back. */
export async function startCutOff(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(socket);
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.on("error", () => other.destroy());
      socket.pipe(other);
    }
  });
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  };
  const cut = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  };
  const port = await listen(0);
  const relayed = new URL(databaseUrl);
  relayed.port = String(port);
  return { url: relayed.href, cut, restore: () => listen(port), close: cut };
}
