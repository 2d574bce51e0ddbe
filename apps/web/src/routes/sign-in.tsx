import { createFileRoute, redirect, useRouter } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { ErrorPage } from "../problem/error-page.tsx";
import { currentSession, exchangeToken } from "../session/session.ts";
import { ownPath, peekToken } from "../session/sign-in-link.ts";
import { SignInFrame, SignInWorking } from "../session/sign-in-frame.tsx";
import { SignInForm, SignInRefused, SignInUnanswered } from "../session/sign-in-states.tsx";
import { BareFrame } from "../shell/bare-frame.tsx";
import { queryClient } from "../trpc.ts";

export const Route = createFileRoute("/sign-in")({
  validateSearch: (search): { next?: string } => {
    const next = ownPath(search.next);
    return next === undefined ? {} : { next };
  },
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => {
    const token = peekToken();
    if (token === undefined) {
      const session = await queryClient.fetchQuery(currentSession());
      if (session === null) return { outcome: "no-token" as const };
    } else {
      const exchange = await exchangeToken(token);
      if (exchange.outcome !== "signed-in") return exchange;
    }
    throw deps.next === undefined ? redirect(paths.overview()) : redirect({ href: deps.next });
  },
  gcTime: 0,
  pendingMs: 0,
  pendingComponent: SignInWorking,
  component: SignIn,
  errorComponent: (failure) => (
    <BareFrame>
      <ErrorPage {...failure} />
    </BareFrame>
  ),
});

function SignIn() {
  const state = Route.useLoaderData();
  const router = useRouter();
  const again = () => {
    void router.invalidate();
  };
  return (
    <SignInFrame>
      {state.outcome === "refused" && <SignInRefused problem={state.problem} />}
      {state.outcome === "unanswered" && <SignInUnanswered problem={state.problem} onRetry={again} />}
      {state.outcome !== "unanswered" && <SignInForm onToken={again} />}
    </SignInFrame>
  );
}
