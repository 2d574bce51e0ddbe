import { join } from "node:path";
import { AgentTransport } from "@signalbox/contracts";
import { createProcessAdapter } from "../process/adapter.ts";
import type { Way } from "./way.ts";

/** The agent is a program an attempt, as in dev mode; here as many at once as there are scenarios. */
export function processWay(): Way {
  const stopped = new Set<string>();
  const adapter = createProcessAdapter({
    program: () => ({
      command: process.execPath,
      arguments: [join(import.meta.dirname, "process-agent.ts")],
      directory: import.meta.dirname,
      environment: {},
      input: "envelope",
    }),
    atOnce: 50,
    onLine: (_, line) => {
      if (line.startsWith("stopped ")) stopped.add(line.slice("stopped ".length));
    },
  });
  return {
    name: "process",
    adapter: { transport: AgentTransport.PROCESS, adapter },
    start: async () => ({ address: "", stopped, stop: async () => undefined }),
  };
}
