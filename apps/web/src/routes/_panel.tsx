import { createFileRoute, Outlet, redirect } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { ErrorPage } from "../problem/error-page.tsx";
import { ReadinessProvider } from "../readiness/readiness-provider.tsx";
import { ownAccount } from "../session/account.ts";
import { currentSession } from "../session/session.ts";
import { BareFrame } from "../shell/bare-frame.tsx";
import { Shell } from "../shell/shell.tsx";
import { queryClient } from "../trpc.ts";

/** Every page inside the shell needs a signed-in person; the others come back after signing in. */
export const Route = createFileRoute("/_panel")({
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(currentSession());
    if (session === null) throw redirect(paths.signIn(location.href));
    return { session };
  },
  loader: () => accountNotice(),
  component: Panel,
  errorComponent: (failure) => (
    <BareFrame>
      <ErrorPage {...failure} />
    </BareFrame>
  ),
});

/**
 * Comes with the page, and is there at its first paint: a notice that came later, even by the moment that a lazy component
 * takes, would move what somebody is about to press. No page fails for it.
 */
async function accountNotice() {
  const [notice] = await Promise.allSettled([
    import("../session/account-notice.tsx"),
    queryClient.ensureQueryData({ ...ownAccount(), staleTime: Infinity }),
  ]);
  return notice.status === "fulfilled" ? notice.value.AccountNotice : undefined;
}

function Panel() {
  return (
    <ReadinessProvider>
      <Shell Notice={Route.useLoaderData()}>
        <Outlet />
      </Shell>
    </ReadinessProvider>
  );
}
