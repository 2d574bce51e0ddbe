import { useSyncExternalStore } from "react";
import { socket } from "../trpc.ts";
import { step, type Connection, type ConnectionEvent } from "./connection.ts";

let connection: Connection = { kind: "idle" };
const watchers = new Set<() => void>();
const recoveryListeners = new Set<() => void>();

socket.connectionState.subscribe({
  next: (state) => {
    const next = step(connection, eventOf(state));
    connection = next.connection;
    for (const watcher of watchers) watcher();
    if (next.recovered) for (const listener of recoveryListeners) listener();
  },
});

function eventOf(state: ReturnType<typeof socket.connectionState.get>): ConnectionEvent {
  if (state.state === "idle") return { type: "rested" };
  if (state.state === "pending") return { type: "opened" };
  return state.error === null ? { type: "started" } : { type: "failed", at: Date.now() };
}

const watch = (watcher: () => void): (() => void) => {
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
  };
};

export const useConnection = (): Connection => useSyncExternalStore(watch, () => connection);

export function onRecovery(listener: () => void): () => void {
  recoveryListeners.add(listener);
  return () => {
    recoveryListeners.delete(listener);
  };
}
