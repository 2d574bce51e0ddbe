import type { Caller, Once, Orchestrator } from "@signalbox/core";
import type { Database } from "@signalbox/db";
import type { Clock } from "./clock.ts";
import type { AgentAdapters } from "./link/agent-adapter.ts";
import type { ReadinessWatcher } from "./readiness-watcher.ts";
import type { Credential } from "./stream/standings.ts";

/** Everything a command needs of the world. The server makes one; tests make one with what they hold still. */
export type System = {
  database: Database;
  clock: Clock;
  /** Cryptographic randomness, for tokens. */
  randomBytes: (count: number) => Uint8Array;
  orchestrator: Orchestrator;
  readiness: ReadinessWatcher;
  startedAt: Date;
  /** The ways in which this process calls instances; without any, every instance leases its work. */
  adapters?: AgentAdapters;
};

/** Who asks, and under which request: every command's second parameter. */
export type Asked = {
  caller: Caller;
  requestId: string;
  /** The caller was named by memory: the transaction that writes asks whether the key with this hash still counts. */
  unconfirmedKey?: string | undefined;
  /** What they were let in with: who stays for long is asked for it anew. */
  credential?: Credential | undefined;
  /** D22: what the caller names the request by, so that it is carried out once. */
  once?: Once | undefined;
};
