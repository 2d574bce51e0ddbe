import { may } from "@signalbox/core/permissions";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { currentSession } from "../session/session.ts";
import { client } from "../trpc.ts";
import { CommandButton } from "../ui/command-button.tsx";
import { CodeBlock } from "../ui/code-block.tsx";
import { Panel } from "../ui/panel.tsx";
import { ShownOnce } from "../ui/shown-once.tsx";
import type { PackVersion } from "../paths.ts";
import { connectors, keepKey } from "./connect-commands.ts";

const daysOfKey = 90;

/** A key is made on a click, bound to this pack, and shown once; it is kept in no query, so that leaving forgets it. */
export function ConnectPanel({ packId, packVersion }: PackVersion) {
  const { data: session } = useSuspenseQuery(currentSession());
  const [secret, setSecret] = useState<string>();
  const make = useOneAtATime({
    mutationFn: () =>
      client.keys.create.mutate({
        label: `agent of ${packId}`.slice(0, 100).trim(),
        role: "agent",
        packIds: [packId],
        expiresInDays: daysOfKey,
      }),
    gcTime: 0,
    onSuccess: (made) => {
      setSecret(made.secret);
      make.reset();
    },
  });
  const decision =
    session === null
      ? { allowed: false as const, reason: "nobody is signed in" }
      : may(session, "key.create", undefined);
  return (
    <Panel heading="Connect an agent">
      <div className="grid gap-6">
        {secret === undefined ? (
          <div className="grid gap-3">
            <p className="max-w-prose text-sm text-ink-soft">
              An agent signs in by a key that speaks for this pack and for no other.
            </p>
            <CommandButton
              unavailable={
                decision.allowed
                  ? make.isPending
                    ? "One moment."
                    : undefined
                  : `Not allowed: ${decision.reason}.`
              }
              onClick={() => make.mutate()}
            >
              Make a key for this pack
            </CommandButton>
          </div>
        ) : (
          <ShownOnce
            title="The key of this agent"
            advice={`It is good for ${daysOfKey} days. Signalbox keeps only its hash and cannot show it again.`}
            secret={secret}
            what="the key of this agent"
            onDone={() => setSecret(undefined)}
          />
        )}
        {make.error !== null && <ProblemNotice problem={problemOf(make.error)} />}
        <CodeBlock
          what="a way to keep the key out of the shell’s history: paste it when asked"
          code={keepKey}
        />
        {connectors(window.location.origin, { packId, packVersion }).map(({ name, what, says, code }) => (
          <section key={name}>
            <h3 className="mb-1 font-medium">{name}</h3>
            <p className="mb-2 max-w-prose text-sm text-ink-soft">{says}</p>
            <CodeBlock what={what} code={code} />
          </section>
        ))}
      </div>
    </Panel>
  );
}
