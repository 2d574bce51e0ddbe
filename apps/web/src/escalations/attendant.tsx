import { may } from "@signalbox/core/permissions";
import type { Caller } from "@signalbox/core";
import { useMutation } from "@tanstack/react-query";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { client, queryClient } from "../trpc.ts";
import { Button } from "../ui/button.tsx";
import { inboxKey, oneKey, type EscalationInFull } from "./escalation-queries.ts";
import { usePeople } from "./people.ts";

/** Who attends to it, and the ways to change that. It binds nobody. */
export function Attendant({ of, session }: { of: EscalationInFull; session: Caller }) {
  const { nameOf, able } = usePeople();
  const { escalationId, assigneeId, closedAt } = of;
  const own = session.actor.id;
  const assign = useMutation({
    mutationFn: (assignee: string | null) =>
      client.escalations.assign.mutate({ escalationId, assignee, instead: assigneeId }),
    onSettled: () =>
      Promise.all(
        [oneKey(escalationId), inboxKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ),
  });
  const decision = may(session, "escalation.assign", undefined);
  const refusal = decision.allowed ? undefined : `Not allowed: ${decision.reason}.`;
  const others = able.filter(({ memberId }) => memberId !== assigneeId && memberId !== own);
  return (
    <div className="grid gap-3">
      <p className="text-sm">
        {assigneeId === null ? (
          "Nobody attends to it."
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
            <Button unavailable={refusal} onClick={() => assign.mutate(null)}>
              Let it go
            </Button>
          ) : (
            <Button unavailable={refusal} onClick={() => assign.mutate(own)}>
              Take it
            </Button>
          )}
          {refusal === undefined && others.length > 0 && (
            <HandOn people={others} onChosen={(memberId) => assign.mutate(memberId)} />
          )}
        </div>
      )}
      {assign.error !== null && <ProblemNotice problem={problemOf(assign.error)} />}
    </div>
  );
}

type HandOnProps = {
  people: readonly { memberId: string; name: string }[];
  onChosen: (memberId: string) => void;
};

function HandOn({ people, onChosen }: HandOnProps) {
  return (
    <select
      aria-label="Hand it on to"
      value=""
      onChange={(event) => onChosen(event.target.value)}
      className="min-h-10 max-w-full min-w-0 rounded-sm border border-track/60 bg-panel px-3 text-sm"
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
  );
}
