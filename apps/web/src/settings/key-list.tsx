import { may } from "@signalbox/core/permissions";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
import { Refusal } from "../problem/refusal.tsx";
import { currentSession } from "../session/session.ts";
import { client } from "../trpc.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { Moment } from "../ui/moment.tsx";
import { NameList, Plate } from "../ui/plate.tsx";
import { useNow } from "../ui/use-now.ts";
import { type Key, lookAgainAtKeys } from "./pages.ts";

export function KeyList({ keys }: { keys: readonly Key[] }) {
  const { data: session } = useSuspenseQuery(currentSession());
  const revoke = useOneAtATime({
    mutationFn: (keyId: string) => client.keys.revoke.mutate({ keyId }),
    onSettled: () => lookAgainAtKeys(),
  });
  const revokes = session !== null && may(session, "key.revoke", undefined).allowed;
  return (
    <div className="grid gap-4">
      {revoke.error !== null && <Refusal error={revoke.error} />}
      <ul aria-label="Keys" className="board divide-y divide-rule/70">
        {keys.map((key) => (
          <li key={key.keyId} className="flex flex-wrap items-start justify-between gap-4 px-5 py-4">
            <div className="min-w-0 flex-1 basis-64 space-y-1.5">
              <p className="anywhere font-medium">{key.label}</p>
              <p className="flex flex-wrap items-center gap-2 text-sm">
                <Plate>{key.role}</Plate>
                <code className="font-mono text-xs">{key.prefix}…</code>
              </p>
              {key.packIds !== null && <NameList items={key.packIds} none="no pack" />}
              <p className="anywhere text-sm text-ink-soft">
                <KeyStanding of={key} />
              </p>
            </div>
            {revokes && key.revokedAt === null && (
              <ConfirmButton
                action="Revoke"
                what={`the key ${key.label}`}
                question={`Revoke “${key.label}”?`}
                onConfirm={() => revoke.mutate(key.keyId)}
              >
                <p>Whatever uses it is refused from its next request on. It cannot be given back.</p>
              </ConfirmButton>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function KeyStanding({ of: { createdAt, expiresAt, lastUsedAt, revokedAt } }: { of: Key }) {
  const now = useNow();
  if (revokedAt !== null) {
    return (
      <>
        Revoked <Moment at={revokedAt} />
      </>
    );
  }
  return (
    <>
      Made <Moment at={createdAt} />;{" "}
      {lastUsedAt === null ? (
        "never used"
      ) : (
        <>
          used last <Moment at={lastUsedAt} />
        </>
      )}
      ;{" "}
      {expiresAt === null ? (
        "has no end"
      ) : (
        <>
          {Date.parse(expiresAt) < now ? "ended" : "ends"} <Moment at={expiresAt} />
        </>
      )}
    </>
  );
}
