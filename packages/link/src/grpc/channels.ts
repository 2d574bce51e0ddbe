import { type Client, createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { AgentService } from "@signalbox/contracts";
import type { AgentHosts } from "../agent-hosts.ts";

type Channel = {
  readonly client: Client<typeof AgentService>;
  readonly sessions: Http2SessionManager;
};

export type Channels = {
  /** Runs a call on the one connection to an address, which closes by itself when it is not used. */
  with<T>(url: URL, call: (channel: Channel) => Promise<T>): Promise<T>;
  close(): void;
};

type Held = Channel & { inUse: number };

const MOST_CHANNELS = 1_000;
/** A peer that is gone without a word is noticed within the two: well before a lease would be renewed for it twice. */
const PING = { pingIntervalMs: 10_000, pingTimeoutMs: 10_000, idleConnectionTimeoutMs: 5 * 60_000 };
const MOST_BYTES = 4 * 1024 * 1024;

export function createChannels({ lookup }: Pick<AgentHosts, "lookup">): Channels {
  const channels = new Map<string, Held>();

  function open(url: URL): Held {
    const baseUrl = url.href.replace(/\/$/, "");
    const sessions = new Http2SessionManager(url.origin, PING, { lookup });
    const transport = createGrpcTransport({ baseUrl, sessionManager: sessions, readMaxBytes: MOST_BYTES });
    return { client: createClient(AgentService, transport), sessions, inUse: 0 };
  }

  function dropUnused(): void {
    for (const [address, { inUse, sessions }] of channels) {
      if (channels.size < MOST_CHANNELS) return;
      if (inUse > 0) continue;
      sessions.abort();
      channels.delete(address);
    }
  }

  return {
    async with(url, call) {
      const known = channels.get(url.href);
      if (known === undefined) dropUnused();
      const held = known ?? open(url);
      channels.set(url.href, held);
      held.inUse += 1;
      try {
        return await call(held);
      } finally {
        held.inUse -= 1;
      }
    },
    close() {
      for (const { sessions } of channels.values()) sessions.abort();
      channels.clear();
    },
  };
}
