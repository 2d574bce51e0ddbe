import { may } from "@signalbox/core/permissions";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
import { Refusal } from "../problem/refusal.tsx";
import { currentSession } from "../session/session.ts";
import { client, queryClient } from "../trpc.ts";
import { ReasonButton } from "../ui/reason-button.tsx";
import { useAsked } from "../ui/use-asked.ts";
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
  const trust = useAsked<Act>(presence === "quarantined" ? "restore" : "quarantine");
  const pace = useAsked<Act>(draining === null ? "drain" : "resume");
  if (session === null) return null;
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-3">
        {[trust, pace].map(({ shown: act, isPast, onOpen }) => {
          const decision = may(session, `instance.${act}`, { packId });
          const { action, says, past } = words[act];
          return (
            <ReasonButton
              key={act}
              action={action}
              what={`the instance ${instanceId} of ${packId}`}
              question={`${action} ${instanceId}?`}
              optional={act === "resume"}
              onOpen={onOpen}
              past={isPast ? past : undefined}
              unavailable={decision.allowed ? undefined : `Not allowed: ${decision.reason}.`}
              onReason={(note, then) => change.mutate({ act, note }, then)}
            >
              <p>{says}</p>
            </ReasonButton>
          );
        })}
      </div>
      {change.error !== null && <Refusal error={change.error} />}
    </div>
  );
}

type Act = "quarantine" | "restore" | "drain" | "resume";

const words: Record<Act, { action: string; says: string; past: string }> = {
  restore: {
    action: "Restore",
    says: "Nothing is held against it any more. It may be given work again, unless it is asked to drain.",
    past: "It is quarantined no more: somebody restored it meanwhile, or the policy lets it work on probation.",
  },
  quarantine: {
    action: "Quarantine",
    says: "It is given no more work until somebody restores it. What it has under way it may finish.",
    past: "It is quarantined by now.",
  },
  drain: {
    action: "Drain",
    says: "It is asked to finish what it has, and is given no more until somebody lets it resume. Nothing is held against it.",
    past: "It was asked to drain meanwhile.",
  },
  resume: {
    action: "Resume",
    says: "It may be given work again, unless it is quarantined.",
    past: "Somebody let it resume meanwhile.",
  },
};
