import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { ownAccount, ownSessions } from "../../../session/account.ts";
import { AccountForm } from "../../../session/account-form.tsx";
import { SessionsPanel } from "../../../settings/sessions-panel.tsx";
import { TokenForm } from "../../../settings/token-form.tsx";
import { SettingsPage } from "../../../settings/settings-page.tsx";
import { queryClient } from "../../../trpc.ts";
import { Panel } from "../../../ui/panel.tsx";

export const Route = createFileRoute("/_panel/settings/")({
  loader: () =>
    Promise.all([queryClient.ensureQueryData(ownAccount()), queryClient.ensureQueryData(ownSessions())]),
  component: You,
});

function You() {
  const { session } = Route.useRouteContext();
  const { data: account } = useSuspenseQuery(ownAccount());
  return (
    <SettingsPage part="You" lead={`You are ${account.name}, with the role ${account.role}.`}>
      <Panel heading="Your account">
        <AccountForm key={account.email ?? ""} account={account} action="Save" onDone={() => undefined} />
      </Panel>
      <SessionsPanel />
      <Panel heading="Let a program speak for you">
        <TokenForm session={session} />
      </Panel>
    </SettingsPage>
  );
}
