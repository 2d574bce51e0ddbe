import { createFileRoute, redirect, useRouter } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { ErrorPage } from "../problem/error-page.tsx";
import { exchangeToken } from "../session/session.ts";
import { peekToken } from "../session/sign-in-link.ts";
import { SignInFrame, SignInWorking } from "../session/sign-in-frame.tsx";
import { SignInForm, SignInRefused, SignInUnanswered } from "../session/sign-in-states.tsx";
import { BareFrame } from "../shell/bare-frame.tsx";

/** Where the link leads that an administrator hands on: it signs in once, and then asks for an account of one's own. */
export const Route = createFileRoute("/invitation")({
  loader: async () => {
    const token = peekToken();
    if (token === undefined) return { outcome: "no-token" as const };
    const exchange = await exchangeToken(token);
    if (exchange.outcome !== "signed-in") return exchange;
    throw redirect(paths.setUp());
  },
  gcTime: 0,
  pendingMs: 0,
  pendingComponent: SignInWorking,
  component: Invitation,
  errorComponent: (failure) => (
    <BareFrame>
      <ErrorPage {...failure} />
    </BareFrame>
  ),
});

function Invitation() {
  const state = Route.useLoaderData();
  const router = useRouter();
  const again = () => {
    void router.invalidate();
  };
  return (
    <SignInFrame>
      {state.outcome === "refused" && <SignInRefused problem={state.problem} />}
      {state.outcome === "unanswered" ? (
        <SignInUnanswered problem={state.problem} onRetry={again} />
      ) : (
        <SignInForm onToken={again} />
      )}
    </SignInFrame>
  );
}
