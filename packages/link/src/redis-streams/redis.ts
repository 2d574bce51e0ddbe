export type Redis = {
  /** One command; its answer as RESP2 has it, with texts as bytes. Rejects at once while nobody answers, once that is known. */
  call(...parts: readonly (string | Uint8Array)[]): Promise<unknown>;
  close(): Promise<void>;
};

const CONNECT_WITHIN_MS = 5_000;
const LONGEST_PAUSE_MS = 2_000;

/** A connection that comes back by itself. What is asked while it is away fails, rather than to wait for nobody knows what. */
export function connectRedis(url: string, onFailure: (error: unknown, what: string) => void): Redis {
  const opened = open(url, onFailure);
  // Nobody may be asking yet: a rejection that nobody hears ends the process.
  opened.catch((error: unknown) => onFailure(error, "reaching Redis"));
  return {
    async call(...parts) {
      const { bytes, tried } = await opened;
      await tried;
      return bytes.sendCommand(parts.map((part) => (typeof part === "string" ? part : Buffer.from(part))));
    },
    async close() {
      const one = await opened.catch(() => undefined);
      one?.client.destroy();
      await one?.connecting;
    },
  };
}

/** By its code alone it could be PostgreSQL's connection, of which the process has said already that it is lost. */
const redisFailed = (cause: unknown): Error => {
  const said = cause instanceof Error ? cause.message || cause.name : String(cause);
  return new Error(`Redis does not answer: ${said}`, { cause });
};

/** Its module brings every command that Redis has: six megabytes, which only a process that has a Redis is to hold. */
async function open(url: string, onFailure: (error: unknown, what: string) => void) {
  const { createClient, RESP_TYPES } = await import("@redis/client");
  const client = createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_WITHIN_MS,
      reconnectStrategy: (retries) => Math.min(LONGEST_PAUSE_MS, 50 * 2 ** Math.min(retries, 10)),
    },
  });
  let isAway = false;
  client.on("error", (error: unknown) => {
    if (!isAway) onFailure(redisFailed(error), "reaching Redis");
    isAway = true;
  });
  client.on("ready", () => (isAway = false));
  const connecting = client.connect().catch((error: unknown) => onFailure(error, "reaching Redis"));
  const tried = Promise.race([connecting, new Promise((resolve) => client.once("error", resolve))]);
  return { client, connecting, tried, bytes: client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer }) };
}
