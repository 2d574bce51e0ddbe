import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AgentTransport } from "@signalbox/contracts";
import type { AgentAdapter, AgentAdapters } from "@signalbox/engine";
import {
  agentHosts,
  createCallSigner,
  createGrpcAdapter,
  createHttpAdapter,
  createRedisStreamsAdapter,
  type PublicJwk,
  SEED_BYTES,
  type SigningKey,
  signingKeyOf,
} from "@signalbox/link";
import type { Config } from "./config.ts";

export type Called = {
  readonly adapters: AgentAdapters;
  /** What agents verify calls with; none where nothing is signed. */
  readonly keys: readonly PublicJwk[];
  close(): Promise<void>;
};

type Asked = {
  readonly config: Pick<
    Config,
    "agentHosts" | "signingKey" | "redisUrl" | "databaseUrl" | "dataDirectory" | "publicUrl"
  >;
  readonly now: () => number;
  readonly onFailure: (error: unknown, what: string) => void;
};

/** The ways in which this process calls agents, by what it was given (ADR 0023). */
export function openAgentAdapters({ config, now, onFailure }: Asked): Called {
  const adapters = new Map<AgentTransport, AgentAdapter>();
  const key = signingKey(config);
  if (key !== undefined) {
    const hosts = agentHosts(config.agentHosts);
    const signer = createCallSigner(key, config.publicUrl?.origin ?? "signalbox", now);
    adapters.set(AgentTransport.GRPC, createGrpcAdapter({ hosts, signer }));
    adapters.set(AgentTransport.HTTP, createHttpAdapter({ hosts, signer }));
  }
  const { redisUrl: url } = config;
  if (url !== undefined)
    adapters.set(AgentTransport.REDIS_STREAMS, createRedisStreamsAdapter({ url, onFailure }));
  return {
    adapters,
    keys: key === undefined ? [] : [key.jwk],
    close: async () => {
      await Promise.all([...adapters.values()].map((adapter) => adapter.close()));
    },
  };
}

/**
 * Every node signs with the same key, or an agent would have to know them all: beside a database of one's own it is given
 * to each; beside the embedded one there is only this node, which keeps its own.
 */
function signingKey({
  signingKey: given,
  databaseUrl,
  dataDirectory,
}: Pick<Config, "signingKey" | "databaseUrl" | "dataDirectory">): SigningKey | undefined {
  if (given !== undefined) return signingKeyOf(given);
  if (databaseUrl !== undefined) return undefined;
  const file = join(dataDirectory, "signing-key");
  if (!existsSync(file)) writeFileSync(file, randomBytes(SEED_BYTES), { mode: 0o600 });
  return signingKeyOf(readFileSync(file));
}
