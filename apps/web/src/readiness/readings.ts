import type { AppRouter } from "@signalbox/api";
import { createTRPCClient, createWSClient, wsLink } from "@trpc/client";
import { reconnectDelay, type ConnectionEvent } from "../connection/connection.ts";
import { reportLine } from "../connection/connection-store.ts";
import { endpoints } from "../paths.ts";
import { isSignedOut } from "../problem/problem.ts";
import { announceEnd } from "../session/session-channel.ts";
import type { Readiness } from "./signals.ts";

/**
 * Lazy, so that a page nobody has signed in to holds no line open. The ping finds a line that died without a
 * word: a laptop that slept, a network that changed.
 */
const socket = createWSClient({
  url: () => endpoints.socket(window.location.origin),
  lazy: { enabled: true, closeMs: 0 },
  keepAlive: { enabled: true, intervalMs: 10_000, pongTimeoutMs: 4_000 },
  retryDelayMs: (attempt) => reconnectDelay(attempt, Math.random),
});
socket.connectionState.subscribe({ next: (state) => reportLine("calls", eventOf(state)) });

function eventOf(state: ReturnType<typeof socket.connectionState.get>): ConnectionEvent {
  if (state.state === "idle") return { type: "rested" };
  if (state.state === "pending") return { type: "opened" };
  return state.error === null ? { type: "started" } : { type: "failed", at: Date.now() };
}

const client = createTRPCClient<AppRouter>({ links: [wsLink({ client: socket })] });

/** Gives what ends it. */
export function followReadiness(onReading: (reading: Readiness) => void): () => void {
  const subscribed = client.system.readiness.subscribe(undefined, {
    onData: onReading,
    onError: (error) => {
      if (isSignedOut(error)) announceEnd("session-ended");
    },
  });
  return () => subscribed.unsubscribe();
}
