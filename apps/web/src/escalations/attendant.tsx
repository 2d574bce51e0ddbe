import { may } from "@signalbox/core/permissions";
import type { Caller } from "@signalbox/core";
import { useState } from "react";
import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { client, queryClient } from "../trpc.ts";
import { CommandButton } from "../ui/command-button.tsx";
import { inboxKey, oneKey, type EscalationInFull } from "./escalation-queries.ts";
import { usePeople } from "./people.ts";

/** Who attends to it, and the ways to change that. It binds nobody. */
export function Attendant({ of, session }: { of: EscalationInFull; session: Caller }) {
  const { nameOf, able } = usePeople();
  const { escalationId, assigneeId, closedAt } = of;
  const own = session.actor.id;
  const assign = useOneAtATime({
    mutationFn: (assignee: string | null) =>
      client.escalations.assign.mutate({ escalationId, assignee, instead: assigneeId }),
    onSettled: () =>
      Promise.all(
        [oneKey(escalationId), inboxKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ),
  });
  const decision = may(session, "escalation.assign", undefined);
  const refusal = decision.allowed ? undefined : `Not allowed: ${decision.reason}.`;
  const others = able.filter(({ memberId }) => memberId !== own);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="anywhere text-sm">
        {assigneeId === null ? (
          `Nobody ${closedAt === null ? "attends" : "attended"} to it.`
        ) : closedAt !== null ? (
          <>
            <span className="font-medium">{assigneeId === own ? "You" : nameOf(assigneeId)}</span> attended to
            it.
          </>
        ) : (
          <>
            <span className="font-medium">{assigneeId === own ? "You" : nameOf(assigneeId)}</span>{" "}
            {assigneeId === own ? "attend" : "attends"} to it. Whoever may answer still may.
          </>
        )}
      </p>
      {closedAt === null && (
        <div className="flex flex-wrap items-center gap-3">
          {assigneeId === own ? (
            <CommandButton unavailable={refusal} onClick={() => assign.mutate(null)}>
              Let it go
            </CommandButton>
          ) : (
            <CommandButton unavailable={refusal} onClick={() => assign.mutate(own)}>
              Take it
            </CommandButton>
          )}
          {refusal === undefined && others.length > 0 && (
            <HandOn
              people={others}
              assigneeId={assigneeId}
              isAsked={assign.isPending}
              onPerson={(memberId) => assign.mutate(memberId)}
            />
          )}
        </div>
      )}
      {assign.error !== null && <ProblemNotice problem={problemOf(assign.error)} />}
    </div>
  );
}

type HandOnProps = {
  people: readonly { memberId: string; name: string }[];
  assigneeId: string | null;
  isAsked: boolean;
  onPerson: (memberId: string) => void;
};

/** An arrow key changes what a select shows: whom it goes to waits for the button. */
function HandOn({ people, assigneeId, isAsked, onPerson }: HandOnProps) {
  const [chosen, setChosen] = useState("");
  const missing =
    chosen === ""
      ? "Choose a person first."
      : chosen === assigneeId
        ? "This person attends to it already."
        : undefined;
  const unavailable = isAsked ? "It is being asked for." : missing;
  return (
    <div className="flex min-w-0 flex-1 basis-60 flex-wrap items-center gap-3">
      <select
        aria-label="Hand it on to"
        value={chosen}
        onChange={(event) => setChosen(event.target.value)}
        className="min-h-10 w-full min-w-0 flex-1 basis-40 rounded-sm border border-track/60 bg-panel px-3 text-sm"
      >
        <option value="" disabled>
          Hand it on to…
        </option>
        {people.map(({ memberId, name }) => (
          <option key={memberId} value={memberId}>
            {name}
          </option>
        ))}
      </select>
      <CommandButton
        unavailable={unavailable && <span className="sr-only">{unavailable}</span>}
        onClick={() => onPerson(chosen)}
      >
        Hand on
      </CommandButton>
    </div>
  );
}
