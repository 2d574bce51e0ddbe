import { may } from "@signalbox/core/permissions";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
import { usePeople } from "../escalations/people.ts";
import { Refusal } from "../problem/refusal.tsx";
import { currentSession } from "../session/session.ts";
import { client } from "../trpc.ts";
import { Moment } from "../ui/moment.tsx";
import { Panel } from "../ui/panel.tsx";
import { ReasonButton } from "../ui/reason-button.tsx";
import { Lamp } from "../ui/signal.tsx";
import { type Hold, lookAgainAtRetention } from "./retention-queries.ts";

const onSettled = () => lookAgainAtRetention();

export function HoldList({ holds }: { holds: readonly Hold[] }) {
  const { data: session } = useSuspenseQuery(currentSession());
  const place = useOneAtATime({
    mutationFn: (reason: string) => client.retention.hold.mutate({ reason }),
    onSettled,
  });
  const release = useOneAtATime({
    mutationFn: (said: { holdId: string; reason: string }) => client.retention.release.mutate(said),
    onSettled,
  });
  const allowed = session === null ? undefined : may(session, "retention.hold", undefined);
  const unavailable = allowed?.allowed === true ? undefined : `Not allowed: ${allowed?.reason}`;
  const error = place.error ?? release.error;
  return (
    <Panel heading="Holds">
      <div className="grid gap-5">
        <p className="max-w-prose text-sm text-ink-soft">
          While one is open nothing of the record goes, however old it is.
        </p>
        <div>
          <ReasonButton
            action="Hold the record"
            what="so that nothing goes"
            question="Hold the record?"
            unavailable={unavailable}
            onReason={place.mutate}
          >
            <p>Nothing of it goes until the hold is released.</p>
          </ReasonButton>
        </div>
        {error !== null && <Refusal error={error} />}
        {holds.length === 0 ? (
          <p className="text-sm text-ink-soft">Nothing holds the record, and nothing ever did.</p>
        ) : (
          <ul aria-label="Holds" className="board divide-y divide-rule/70">
            {holds.map((hold) => (
              <li key={hold.holdId} className="flex flex-wrap items-start justify-between gap-4 px-5 py-4">
                <HoldFacts hold={hold} />
                {hold.releasedBy === null && (
                  <ReasonButton
                    action="Release"
                    what={`the hold: ${hold.reason.slice(0, 60)}`}
                    question="Release the hold?"
                    unavailable={unavailable}
                    onReason={(reason, then) => release.mutate({ holdId: hold.holdId, reason }, then)}
                  >
                    <p>What is past its time goes within the hour, unless another hold is open.</p>
                  </ReasonButton>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Panel>
  );
}

function HoldFacts({ hold }: { hold: Hold }) {
  const { nameOf } = usePeople();
  const { reason, placedBy, placedAt, releasedBy, releasedAt, releaseReason } = hold;
  return (
    <div className="grid min-w-0 flex-1 basis-64 grid-cols-[auto_minmax(0,1fr)] gap-x-4">
      <Lamp aspect={releasedBy === null ? "caution" : "unlit"} />
      <div className="min-w-0 space-y-1 text-sm">
        <p className="anywhere font-medium whitespace-pre-line">{reason}</p>
        <p className="anywhere text-ink-soft">
          Placed by {nameOf(placedBy)}, <Moment at={placedAt} />
        </p>
        {releasedBy !== null && releasedAt !== null && (
          <p className="anywhere text-ink-soft">
            Released by {nameOf(releasedBy)}, <Moment at={releasedAt} />: {releaseReason}
          </p>
        )}
      </div>
    </div>
  );
}
