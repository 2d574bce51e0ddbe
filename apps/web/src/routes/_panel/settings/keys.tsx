import type { Caller } from "@signalbox/core";
import { may } from "@signalbox/core/permissions";
import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { useState } from "react";
import { useFresh } from "../../../live/use-fresh.ts";
import { KeyForm, type NewSecret } from "../../../settings/key-form.tsx";
import { KeyList } from "../../../settings/key-list.tsx";
import { keyPages, keysKey } from "../../../settings/pages.ts";
import { SettingsPage } from "../../../settings/settings-page.tsx";
import { ShowMore } from "../../../settings/show-more.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { ShownOnce } from "../../../ui/shown-once.tsx";

const lead = "Credentials of programs and agents. Each is shown once, when it is made.";

export const Route = createFileRoute("/_panel/settings/keys")({ component: Keys });

function Keys() {
  const { session } = Route.useRouteContext();
  const reads = may(session, "key.read", undefined);
  if (reads.allowed)
    return <ReadKeys session={session} makes={may(session, "key.create", undefined).allowed} />;
  return (
    <SettingsPage part="Keys" lead={lead}>
      <Notice aspect="unlit" title="Keys are not shown to you">
        <p>Not allowed: {reads.reason}.</p>
      </Notice>
    </SettingsPage>
  );
}

function ReadKeys({ session, makes }: { session: Caller; makes: boolean }) {
  const pages = useSuspenseInfiniteQuery(keyPages());
  const [made, setMade] = useState<NewSecret>();
  useFresh("tenant", (message) =>
    message.type === "started" || message.kind.startsWith("key.") ? [keysKey] : [],
  );
  const keys = pages.data.pages.flatMap((page) => page.keys);
  return (
    <SettingsPage part="Keys" lead={lead}>
      {makes && (
        <Panel heading="Make a key">
          <div className="grid gap-6">
            {made !== undefined && (
              <ShownOnce
                title={`The key “${made.label}”`}
                advice="Put it where the program reads it. Signalbox keeps only its hash and cannot show it again."
                secret={made.secret}
                what={`key ${made.label}`}
                onDone={() => setMade(undefined)}
              />
            )}
            <KeyForm session={session} onMade={setMade} />
          </div>
        </Panel>
      )}
      <Panel heading="Keys">
        {keys.length === 0 ? (
          <p className="text-sm text-ink-soft">There is no key yet: no program and no agent can come in.</p>
        ) : (
          <>
            <KeyList keys={keys} />
            <ShowMore count={keys.length} pages={pages} />
          </>
        )}
      </Panel>
    </SettingsPage>
  );
}
