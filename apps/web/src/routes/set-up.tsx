import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link, redirect, useNavigate } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { ErrorPage } from "../problem/error-page.tsx";
import { canComeBack, ownAccount } from "../session/account.ts";
import { AccountForm } from "../session/account-form.tsx";
import { currentSession } from "../session/session.ts";
import { wordsOf } from "../settings/role-words.ts";
import { BareFrame } from "../shell/bare-frame.tsx";
import { queryClient } from "../trpc.ts";
import { useDocumentTitle } from "../ui/document-title.ts";
import { Plate } from "../ui/plate.tsx";

export const Route = createFileRoute("/set-up")({
  beforeLoad: async () => {
    if ((await queryClient.ensureQueryData(currentSession())) === null)
      throw redirect(paths.signIn("/set-up"));
  },
  loader: () => queryClient.ensureQueryData(ownAccount()),
  component: SetUp,
  errorComponent: (failure) => (
    <BareFrame>
      <ErrorPage {...failure} />
    </BareFrame>
  ),
});

function SetUp() {
  useDocumentTitle("Set up your account");
  const { data: account } = useSuspenseQuery(ownAccount());
  const navigate = useNavigate();
  return (
    <BareFrame>
      <div className="mx-auto flex w-full max-w-xl flex-col gap-6 px-4 pt-10 pb-24 sm:px-8">
        <h1 className="text-2xl font-semibold tracking-tight sm:text-3xl">
          {canComeBack(account) ? "Choose a new password" : "Set up your account"}
        </h1>
        <p className="anywhere text-ink-soft">
          You are signed in as <Plate>{account.role}</Plate>, who {wordsOf(account.role)}. With an address and
          a password you can come back without a link.
        </p>
        <AccountForm
          account={account}
          action={canComeBack(account) ? "Save" : "Set up the account"}
          onDone={() => {
            void navigate(paths.overview());
          }}
        />
        <p>
          <Link {...paths.overview()} className="text-sm font-medium underline underline-offset-4">
            Not now: go to the overview
          </Link>
        </p>
      </div>
    </BareFrame>
  );
}
