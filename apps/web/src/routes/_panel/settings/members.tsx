import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { useState } from "react";
import { peopleKey } from "../../../escalations/people.ts";
import { useFresh } from "../../../live/use-fresh.ts";
import { type Handed, InviteForm } from "../../../settings/invite-form.tsx";
import { MemberList } from "../../../settings/member-list.tsx";
import { memberPages, membersKey } from "../../../settings/pages.ts";
import { SettingsPage } from "../../../settings/settings-page.tsx";
import { ShowMore } from "../../../settings/show-more.tsx";
import { queryClient } from "../../../trpc.ts";
import { Panel } from "../../../ui/panel.tsx";
import { ShownOnce } from "../../../ui/shown-once.tsx";

export const Route = createFileRoute("/_panel/settings/members")({
  loader: () => queryClient.ensureInfiniteQueryData(memberPages()),
  component: Members,
});

function Members() {
  const { session } = Route.useRouteContext();
  const pages = useSuspenseInfiniteQuery(memberPages());
  const [handed, setHanded] = useState<Handed>();
  useFresh("tenant", (message) =>
    message.type === "started" || message.kind.startsWith("member.") ? [membersKey, peopleKey] : [],
  );
  const members = pages.data.pages.flatMap((page) => page.members);
  return (
    <SettingsPage part="Members" lead="People, and what each of them may do. A role holds at once.">
      <Panel heading="Invite somebody">
        <div className="grid gap-6">
          {handed !== undefined && (
            <ShownOnce
              title={`A link for ${handed.name}`}
              advice="Hand it to them in a way that only they read. It signs in once, within a week, and is not shown again."
              secret={new URL(handed.link, window.location.origin).href}
              what={`link for ${handed.name}`}
              onDone={() => setHanded(undefined)}
            />
          )}
          <InviteForm session={session} onInvited={setHanded} />
        </div>
      </Panel>
      <Panel heading="Members">
        <MemberList members={members} isWhole={!pages.hasNextPage} onLink={setHanded} />
        <ShowMore count={members.length} pages={pages} />
      </Panel>
    </SettingsPage>
  );
}
