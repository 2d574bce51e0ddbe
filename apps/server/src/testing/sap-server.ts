import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createApp, type Limits } from "@signalbox/api";
import { createKey } from "@signalbox/engine";
import { askedBy, openTestEngine, type SapSender, sapWorld } from "@signalbox/engine/testing";
import { createLog } from "../log.ts";

/** The doors over an engine that the suite's world stands on, with a key for each of its senders. */
export async function startSapServer() {
  const opened = await openTestEngine();
  const { engine } = opened;
  const closing: (() => Promise<unknown>)[] = [];
  /** Another port over the same engine. */
  const listen = async (limits?: Limits): Promise<string> => {
    const app = await createApp({
      system: engine,
      log: createLog({ level: "silent" }, { write: () => undefined }),
      serverFactory: (handler) => createServer(handler),
      ...(limits && { limits }),
    });
    closing.push(() => app.close());
    await app.listen({ host: "127.0.0.1", port: 0 });
    return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  };
  const origin = await listen();
  const world = await sapWorld(engine);
  const admin = askedBy("admin");
  const operator = await createKey(engine, admin, { label: "gateway", role: "operator" });
  const prime = await createKey(engine, admin, { label: "prime", role: "agent", packIds: ["prime"] });
  const keys: Record<SapSender, string> = {
    operator: operator.secret,
    prime: prime.secret,
    nobody: "x".repeat(48),
  };
  return {
    engine,
    databaseUrl: opened.made.url,
    origin,
    listen,
    keys,
    async dispose() {
      await world.stop();
      for (const close of closing) await close();
      await opened.end();
    },
  };
}

export type SapServer = Awaited<ReturnType<typeof startSapServer>>;
