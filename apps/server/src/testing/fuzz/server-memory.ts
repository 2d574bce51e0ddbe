import { once } from "node:events";
import { WebSocket } from "ws";
import { z } from "zod";
import type { ServerProcess } from "../server-process.ts";

const reply = z.looseObject({ id: z.number(), result: z.unknown() });
const usage = z.object({
  result: z.object({ value: z.object({ heapUsed: z.number(), external: z.number() }) }),
});

/** What a server process holds on to after a full collection, asked of its inspector: the product has no such door. */
export async function serverMemory(server: ServerProcess) {
  const url = /Debugger listening on (ws:\S+)/.exec(server.errors())?.[1];
  if (url === undefined) throw new Error("the server runs without an inspector");
  const socket = new WebSocket(url);
  await once(socket, "open");
  let last = 0;
  const ask = (method: string, params: object = {}): Promise<unknown> =>
    new Promise((resolve) => {
      const id = (last += 1);
      const listen = (data: Buffer) => {
        const read = reply.parse({ id: 0, result: undefined, ...JSON.parse(data.toString()) });
        if (read.id !== id) return;
        socket.off("message", listen);
        resolve(read.result);
      };
      socket.on("message", listen);
      socket.send(JSON.stringify({ id, method, params }));
    });
  return {
    /** In bytes: objects, and buffers outside the heap that objects hold. */
    async held(): Promise<number> {
      await ask("HeapProfiler.collectGarbage");
      await ask("HeapProfiler.collectGarbage");
      const read = await ask("Runtime.evaluate", {
        expression: "process.memoryUsage()",
        returnByValue: true,
      });
      const { value } = usage.parse(read).result;
      return value.heapUsed + value.external;
    },
    close: () => socket.terminate(),
  };
}

/** What the process said that is none of its log's ordinary lines; the inspector's own greetings are left out. */
export const alarmsIn = (errors: string): string[] =>
  errors
    .split("\n")
    .filter((line) => line !== "" && !/^(Debugger |For help, see)/.test(line))
    .filter((line) => !/^\{"level":"(trace|debug|info|warn)"/.test(line));
