import { once } from "node:events";
import { createServer } from "node:http";

type Between = {
  readonly port?: number;
  /** Runs as each request comes, before it is passed on. */
  readonly before?: (method: string, path: string) => Promise<void>;
  /** Whether its answer is lost on the way back. */
  readonly loses?: (method: string, path: string) => boolean;
};

/** A server in front of another, which can be gone while the other stays. */
export async function interpose(target: URL, { port: wanted = 0, before, loses }: Between = {}) {
  let served = 0;
  const server = createServer((request, response) => {
    void (async () => {
      const body: Buffer[] = [];
      for await (const chunk of request) body.push(Buffer.from(chunk));
      await before?.(request.method ?? "", request.url ?? "");
      const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
      const answer = await fetch(new URL(request.url ?? "/", target), {
        method: request.method ?? "GET",
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        ...(body.length === 0 ? {} : { body: Buffer.concat(body) }),
      });
      if (loses?.(request.method ?? "", request.url ?? "") === true) {
        await answer.text();
        request.socket.destroy();
        return;
      }
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
      response.end(await answer.text());
      served += 1;
    })();
  }).listen(wanted, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return {
    port,
    served: () => served,
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
