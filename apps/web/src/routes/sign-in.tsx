import { createFileRoute, redirect, useRouter } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { ErrorPage } from "../problem/error-page.tsx";
import { waysIn } from "../session/account.ts";
import { forgetEnd, hasHeardEnd } from "../session/heard-end.ts";
import { PasswordForm } from "../session/password-form.tsx";
import { currentSession, exchangeToken } from "../session/session.ts";
import { ownPath, peekToken } from "../session/sign-in-link.ts";
import { SignInFrame, SignInWorking } from "../session/sign-in-frame.tsx";
import {
  OidcRefused,
  SessionEnded,
  SignInForm,
  SignInRefused,
  SignInUnanswered,
} from "../session/sign-in-states.tsx";
import { BareFrame } from "../shell/bare-frame.tsx";
import { queryClient } from "../trpc.ts";
import { Panel } from "../ui/panel.tsx";

type Search = { next?: string; refused?: string; tenant?: string };

export const Route = createFileRoute("/sign-in")({
  validateSearch: ({ next: asked, refused, tenant }): Search => {
    const next = ownPath(asked);
    return {
      ...(next !== undefined && { next }),
      ...(typeof refused === "string" && { refused }),
      ...(typeof tenant === "string" && { tenant }),
    };
  },
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => {
    const token = peekToken();
    if (token === undefined) {
      const session = await queryClient.fetchQuery(currentSession());
      if (session === null) {
        await queryClient.ensureQueryData(waysIn());
        return { outcome: "no-token" as const };
      }
    } else {
      const exchange = await exchangeToken(token);
      if (exchange.outcome === "refused") await queryClient.ensureQueryData(waysIn());
      if (exchange.outcome !== "signed-in") return exchange;
    }
    forgetEnd();
    // Judged again where it is followed: whoever has just signed in is not sent away by an address that somebody gave them.
    const next = ownPath(deps.next);
    throw next === undefined ? redirect(paths.overview()) : redirect({ href: next });
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
  const { next, refused, tenant } = Route.useSearch();
  const router = useRouter();
  const again = () => {
    void router.invalidate();
  };
  if (state.outcome === "unanswered") {
    return (
      <SignInFrame>
        <SignInUnanswered problem={state.problem} onRetry={again} />
      </SignInFrame>
    );
  }
  return (
    <SignInFrame>
      {state.outcome === "no-token" && hasHeardEnd() && <SessionEnded />}
      {state.outcome === "refused" && <SignInRefused problem={state.problem} />}
      {refused !== undefined && <OidcRefused reason={refused} />}
      <PasswordForm next={next} tenantId={tenant} onSignedIn={again} />
      <Panel heading="Or with a link">
        <div className="grid gap-5">
          <SignInForm onToken={again} />
        </div>
      </Panel>
    </SignInFrame>
  );
}
