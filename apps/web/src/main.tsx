import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { onRecovery } from "./connection/connection-store.ts";
import { paths } from "./paths.ts";
import { readFailedAnew } from "./problem/read-failed-anew.ts";
import { createAppRouter } from "./router.tsx";
import { dropAllDrafts, dropIfSignedOut } from "./documents/drop-drafts.ts";
import { onSessionNews } from "./session/session-channel.ts";
import { takeTokenFromUrl } from "./session/sign-in-link.ts";
import { giveFocusOnPages } from "./shell/focus-on-pages.ts";
import { keepFocus } from "./shell/kept-focus.ts";
import { queryClient } from "./trpc.ts";

takeTokenFromUrl(window);
const router = createAppRouter();

// A page whose code is asked for while the server restarts would fail to load, and the router would then reload.
const stopWaiting = router.subscribe("onRendered", () => {
  stopWaiting();
  for (const route of Object.values(router.routesById)) void router.loadRouteChunk(route);
});

keepFocus();
giveFocusOnPages(router);

// A link pasted over the sign-in page's own URL changes the fragment only, and loads nothing.
window.addEventListener("hashchange", () => {
  if (takeTokenFromUrl(window)) void router.invalidate();
});

onRecovery(() => {
  void queryClient.invalidateQueries();
  // A page that reads without a loader would throw again what its query failed with while nobody could be reached.
  void readFailedAnew(queryClient).then(() => router.invalidate());
});

dropIfSignedOut(window, Date.now());
onSessionNews((news) => {
  if (news === "role-changed") {
    // Seldom, and so no part of what every page waits for.
    void import("./session/judge-anew.ts").then(({ judgeAnew }) => judgeAnew(queryClient, router));
    return;
  }
  queryClient.clear();
  // Who signs out leaves no trace of where they were; whose session ran out comes back to it.
  if (news === "signed-out") {
    dropAllDrafts(window, Date.now());
    void router.navigate(paths.signIn());
  } else void router.invalidate();
});

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
