import { may } from "@signalbox/core/permissions";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { currentSession } from "../session/session.ts";
import { client, queryClient } from "../trpc.ts";
import { ReasonButton } from "../ui/reason-button.tsx";
import { instancesKey, type Instance } from "./instance-queries.ts";

/** Keeps work from it, or gives it back: each with a reason that the record keeps. */
export function StandingActions({ of: { packId, instanceId, presence } }: { of: Instance }) {
  const { data: session } = useSuspenseQuery(currentSession());
  const isOut = presence === "quarantined";
  const change = useOneAtATime({
    mutationFn: (note: string) =>
      isOut
        ? client.instances.restore.mutate({ packId, instanceId, note })
        : client.instances.quarantine.mutate({ packId, instanceId, note }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: instancesKey }),
  });
  if (session === null) return null;
  const decision = may(session, isOut ? "instance.restore" : "instance.quarantine", { packId });
  const what = `the instance ${instanceId} of ${packId}`;
  const shared = {
    what,
    unavailable: decision.allowed ? undefined : `Not allowed: ${decision.reason}.`,
    onReason: change.mutate,
  };
  return (
    <div className="grid gap-3">
      {isOut ? (
        <ReasonButton key="restore" {...shared} action="Restore" question={`Restore ${instanceId}?`}>
          <p>It may be given work again from now on, as if nothing had been held against it.</p>
        </ReasonButton>
      ) : (
        <ReasonButton key="quarantine" {...shared} action="Quarantine" question={`Quarantine ${instanceId}?`}>
          <p>It is given no more work until somebody restores it. What it has under way it may finish.</p>
        </ReasonButton>
      )}
      {change.error !== null && <ProblemNotice problem={problemOf(change.error)} />}
    </div>
  );
}
