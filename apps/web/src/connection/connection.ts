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

export type Step = {
  connection: Connection;
  /** The line is back after a loss: whatever the page shows may have changed meanwhile. */
  recovered: boolean;
};

export function step(connection: Connection, event: ConnectionEvent): Step {
  const wasLost = connection.kind === "lost";
  if (event.type === "opened") return { connection: { kind: "connected" }, recovered: wasLost };
  return { connection: unheard(connection, event), recovered: false };
}

function unheard(connection: Connection, event: Exclude<ConnectionEvent, { type: "opened" }>): Connection {
  if (event.type === "rested") return { kind: "idle" };
  if (connection.kind !== "lost") {
    return event.type === "started" ? { kind: "connecting" } : { kind: "lost", since: event.at, attempts: 1 };
  }
  return event.type === "started" ? connection : { ...connection, attempts: connection.attempts + 1 };
}

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
