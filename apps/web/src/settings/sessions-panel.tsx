import { useSuspenseQuery } from "@tanstack/react-query";
import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
import { Refusal } from "../problem/refusal.tsx";
import { ownSessions } from "../session/account.ts";
import { client, queryClient } from "../trpc.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { Moment } from "../ui/moment.tsx";
import { Panel } from "../ui/panel.tsx";

const ways: Record<string, string> = {
  link: "a link",
  password: "password",
  oidc: "your organisation",
  token: "a token",
};

type Ending = { isToken: boolean; createdAt: string; onEnd: () => void };

function EndSession({ isToken, createdAt, onEnd }: Ending) {
  return isToken ? (
    <ConfirmButton action="Revoke" what={`the token of ${createdAt}`} question="Revoke it?" onConfirm={onEnd}>
      <p>The program that has it is refused from its next call on.</p>
    </ConfirmButton>
  ) : (
    <ConfirmButton
      action="Sign out there"
      what={`the session of ${createdAt}`}
      question="Sign out there?"
      onConfirm={onEnd}
    >
      <p>Whoever uses that session stands at the sign-in page from their next click on.</p>
    </ConfirmButton>
  );
}

/** Where one is signed in. One that is not recognised is closed here, and then the password is changed. */
export function SessionsPanel() {
  const { data: sessions } = useSuspenseQuery(ownSessions());
  const end = useOneAtATime({
    mutationFn: (sessionId: string) => client.session.end.mutate({ sessionId }),
    onSettled: () => queryClient.invalidateQueries(ownSessions()),
  });
  return (
    <Panel heading="Where you are signed in, and who speaks for you">
      {end.error !== null && <Refusal error={end.error} />}
      <ul aria-label="Your sessions" className="board divide-y divide-rule/70">
        {sessions.map(({ sessionId, current, method, browser, createdAt, lastSeenAt, expiresAt }) => (
          <li key={sessionId} className="flex flex-wrap items-center justify-between gap-4 px-5 py-4 text-sm">
            <div className="min-w-0">
              <p className="clamped-2 font-medium">{browser ?? "A browser that did not say which"}</p>
              <p className="mt-1 text-ink-soft">
                by {ways[method ?? ""] ?? "an earlier version"}, <Moment at={createdAt} />;{" "}
                {lastSeenAt === createdAt ? (
                  "not used yet"
                ) : (
                  <>
                    last used <Moment at={lastSeenAt} />
                  </>
                )}
                ; ends <Moment at={expiresAt} />
                {method !== "token" && ", or sooner when nobody uses it"}
              </p>
            </div>
            {current ? (
              <span className="text-ink-soft">This one</span>
            ) : (
              <EndSession
                isToken={method === "token"}
                createdAt={createdAt}
                onEnd={() => end.mutate(sessionId)}
              />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
