/** What the page knows of its line to the server. Times are milliseconds since the epoch. */
export type Connection =
  | { kind: "idle" }
  | { kind: "connecting" }
  | { kind: "connected" }
  | { kind: "lost"; since: number; attempts: number };

export type ConnectionEvent =
  | { type: "rested" }
  | { type: "started" }
  | { type: "opened" }
  | { type: "failed"; at: number };

export function step(connection: Connection, event: ConnectionEvent): Connection {
  if (event.type === "opened") return { kind: "connected" };
  if (event.type === "rested") return { kind: "idle" };
  if (connection.kind !== "lost") {
    return event.type === "started" ? { kind: "connecting" } : { kind: "lost", since: event.at, attempts: 1 };
  }
  return event.type === "started" ? connection : { ...connection, attempts: connection.attempts + 1 };
}

/** The line for tRPC's calls and readings, and the one to `/v1/stream`, which rests on pages that follow nothing. */
export type Lines = { readonly calls: Connection; readonly stream: Connection };

/** For whoever reads the page they are one connection: lost while either is, and since the first of them was. */
export function together({ calls, stream }: Lines): Connection {
  if (stream.kind !== "lost") return calls;
  return calls.kind === "lost" && calls.since <= stream.since ? calls : stream;
}

/** The line is back after a loss: whatever the page shows may have changed meanwhile. */
export const isRecovery = (before: Connection, after: Connection): boolean =>
  before.kind === "lost" && after.kind === "connected";

const firstDelay = 250;
const longestDelay = 4000;

/**
 * Short at first, since most losses are a restart; then up to four seconds. The random half keeps a hundred open
 * pages from knocking at a restarted server in the same instant.
 */
export function reconnectDelay(attempt: number, random: () => number): number {
  const whole = Math.min(longestDelay, firstDelay * 2 ** attempt);
  return whole / 2 + (whole / 2) * random();
}
