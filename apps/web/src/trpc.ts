import type { AppRouter } from "@signalbox/api";
import { QueryCache, QueryClient } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, httpLink, splitLink } from "@trpc/client";
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
  // Where the browser says that there is no network, what is pressed fails at once, as where the server is away: it would be kept
  // back, and be carried out when nobody wants it any more. What is read may wait.
  defaultOptions: {
    mutations: { networkMode: "always" },
    queries: {
      // Long enough for a loader and its page to share one answer, and no longer.
      staleTime: 1_000,
      retry: (failures, error) => failures < 2 && isWorthRetrying(error),
      retryDelay: (attempt) => reconnectDelay(attempt, Math.random),
    },
  },
});

export const client = createTRPCClient<AppRouter>({
  links: [
    splitLink({
      // What the frame needs is answered in a batch only when the slowest of it is: it would wait for the page's own data.
      condition: ({ path }) => path.startsWith("session."),
      true: httpLink({ url: endpoints.trpc }),
      // The server takes no more than twenty together; where all that is shown is asked for anew there are more.
      false: httpBatchLink({ url: endpoints.trpc, maxURLLength: 4000, maxItems: 20 }),
    }),
  ],
});
