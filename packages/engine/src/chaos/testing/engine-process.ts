import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { inspect } from "node:util";
import { SignalboxError } from "@signalbox/contracts";
import { openNode } from "../../testing/test-engine.ts";
import { answer, type Call } from "./commands.ts";
import type { RemoteOptions } from "./remote-engine.ts";

/**
 * An engine in a process of its own, which a test can kill or freeze. It begins with its first line of input, which says
 * how, and then takes commands by HTTP on loopback.
 */
const say = (said: object): void => void process.stdout.write(`${JSON.stringify(said)}\n`);

say({ loaded: true });
const lines = createInterface({ input: process.stdin });
// The test has ended, however it did: nothing of it stays behind.
lines.on("close", () => process.exit(0));
const [line] = (await once(lines, "line")) as [string];
const { url, ...given } = JSON.parse(line) as RemoteOptions;

const { engine } = await openNode(url, {
  ...given,
  onFailure: (error, what) => say({ failure: `${what}: ${String(error)}` }),
});

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const call = JSON.parse(await text(request)) as Call;
  response.end(JSON.stringify(await outcomeOf(call, gone.signal)));
}

async function outcomeOf(call: Call, signal: AbortSignal): Promise<object> {
  try {
    return { value: await answer(engine, call, signal) };
  } catch (error) {
    const known = error instanceof SignalboxError;
    return {
      error: known
        ? { code: error.code, detail: error.detail }
        : { code: "INTERNAL", detail: inspect(error) },
    };
  }
}

const server = createServer((request, response) => void serve(request, response));
server.listen(0, "127.0.0.1");
await once(server, "listening");
say({ port: (server.address() as AddressInfo).port });
