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
export function StandingActions({ of }: { of: Instance }) {
  const { packId, instanceId, presence, draining } = of;
  const { data: session } = useSuspenseQuery(currentSession());
  const change = useOneAtATime({
    mutationFn: ({ act, note }: { act: Act; note: string }) =>
      client.instances[act].mutate({ packId, instanceId, note }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: instancesKey }),
  });
  if (session === null) return null;
  const acts: Act[] = [
    presence === "quarantined" ? "restore" : "quarantine",
    draining === null ? "drain" : "resume",
  ];
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-3">
        {acts.map((act) => {
          const decision = may(session, `instance.${act}`, { packId });
          const { action, says } = words[act];
          return (
            <ReasonButton
              key={act}
              action={action}
              what={`the instance ${instanceId} of ${packId}`}
              question={`${action} ${instanceId}?`}
              optional={act === "resume"}
              unavailable={decision.allowed ? undefined : `Not allowed: ${decision.reason}.`}
              onReason={(note, then) => change.mutate({ act, note }, then)}
            >
              <p>{says}</p>
            </ReasonButton>
          );
        })}
      </div>
      {change.error !== null && <ProblemNotice problem={problemOf(change.error)} />}
    </div>
  );
}

type Act = "quarantine" | "restore" | "drain" | "resume";

const words: Record<Act, { action: string; says: string }> = {
  restore: {
    action: "Restore",
    says: "It may be given work again from now on, as if nothing had been held against it.",
  },
  quarantine: {
    action: "Quarantine",
    says: "It is given no more work until somebody restores it. What it has under way it may finish.",
  },
  drain: {
    action: "Drain",
    says: "It is asked to finish what it has, and is given no more until somebody lets it resume. Nothing is held against it.",
  },
  resume: { action: "Resume", says: "It may be given work again from now on." },
};
