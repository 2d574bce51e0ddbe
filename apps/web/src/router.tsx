import { createRouter, type RouterHistory } from "@tanstack/react-router";
import { ErrorPage } from "./problem/error-page.tsx";
import { NotFoundPage } from "./problem/not-found-page.tsx";
import { routeTree } from "./route-tree.gen.ts";
import { readsOnly, searchOfText, textOfSearch } from "./search-text.ts";
import { PendingPage } from "./ui/pending-page.tsx";

export function createAppRouter(options: { history?: RouterHistory } = {}) {
  const router = createRouter({
    routeTree,
    defaultPreload: "intent",
    // TanStack Query judges what is fresh; the router asks it each time.
    defaultPreloadStaleTime: 0,
    defaultPendingComponent: PendingPage,
    defaultPendingMs: 250,
    defaultPendingMinMs: 250,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
    parseSearch: searchOfText,
    stringifySearch: textOfSearch,
    ...options,
  });
  // Of every route, whoever writes the next one.
  for (const { options: route } of Object.values(router.routesById)) {
    const read: unknown = "validateSearch" in route ? route.validateSearch : undefined;
    if (typeof read === "function")
      Object.assign(route, { validateSearch: readsOnly((search) => Object(read(search))) });
  }
  return router;
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
