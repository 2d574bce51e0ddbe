import { useSyncExternalStore } from "react";
import {
  isRecovery,
  step,
  together,
  type Connection,
  type ConnectionEvent,
  type Lines,
} from "./connection.ts";

let lines: Lines = { calls: { kind: "idle" }, stream: { kind: "idle" } };
let connection: Connection = together(lines);
const watchers = new Set<() => void>();
const recoveryListeners = new Set<() => void>();
const openedListeners = new Set<() => void>();

/** A page has two lines to the server, and for whoever reads it they are one connection. */
export function reportLine(name: keyof Lines, event: ConnectionEvent): void {
  const before = connection;
  lines = { ...lines, [name]: step(lines[name], event) };
  connection = together(lines);
  for (const watcher of watchers) watcher();
  if (name === "calls" && event.type === "opened") for (const listener of openedListeners) listener();
  if (isRecovery(before, connection)) for (const listener of recoveryListeners) listener();
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

/** The line for calls stands: whatever else waits for the server need not wait longer. */
export function onLineOpened(listener: () => void): void {
  openedListeners.add(listener);
}
