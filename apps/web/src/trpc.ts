import type { AppRouter } from "@signalbox/api";
import { QueryCache, QueryClient } from "@tanstack/react-query";
import { createTRPCClient, createWSClient, httpBatchLink, splitLink, wsLink } from "@trpc/client";
import { reconnectDelay } from "./connection/connection.ts";
import { endpoints } from "./paths.ts";
import { isSignedOut, isWorthRetrying } from "./problem/problem.ts";
import { announceEnd } from "./session/session-channel.ts";

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (isSignedOut(error)) announceEnd("session-ended");
    },
  }),
  defaultOptions: {
    queries: {
      // Long enough for a loader and its page to share one answer, and no longer.
      staleTime: 1_000,
      retry: (failures, error) => failures < 2 && isWorthRetrying(error),
      retryDelay: (attempt) => reconnectDelay(attempt, Math.random),
    },
  },
});

/**
 * Lazy, so that a page nobody has signed in to holds no line open. The ping finds a line that died without a
 * word: a laptop that slept, a network that changed.
 */
export const socket = createWSClient({
  url: () => endpoints.socket(window.location.origin),
  lazy: { enabled: true, closeMs: 0 },
  keepAlive: { enabled: true, intervalMs: 10_000, pongTimeoutMs: 4_000 },
  retryDelayMs: (attempt) => reconnectDelay(attempt, Math.random),
});

export const client = createTRPCClient<AppRouter>({
  links: [
    splitLink({
      condition: (operation) => operation.type === "subscription",
      true: wsLink({ client: socket }),
      false: httpBatchLink({ url: endpoints.trpc, maxURLLength: 4000 }),
    }),
  ],
});
