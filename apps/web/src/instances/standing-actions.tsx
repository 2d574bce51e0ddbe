import { may } from "@signalbox/core/permissions";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
import { Refusal } from "../problem/refusal.tsx";
import { currentSession } from "../session/session.ts";
import { client, queryClient } from "../trpc.ts";
import { ReasonButton } from "../ui/reason-button.tsx";
import { useAsked } from "../ui/use-asked.ts";
import { instancesKey, type Instance } from "./instance-queries.ts";

/** Keeps work from it, or gives it back: each with a reason that the record keeps. */
export function StandingActions({ of }: { of: Instance }) {
  const { packId, instanceId, presence, draining, quarantine } = of;
  const { data: session } = useSuspenseQuery(currentSession());
  const change = useOneAtATime({
    mutationFn: ({ act, note }: { act: Act; note: string }) =>
      client.instances[act].mutate({ packId, instanceId, note }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: instancesKey }),
  });
  const trust = useAsked<Act>(presence === "quarantined" ? "restore" : "quarantine");
  const pace = useAsked<Act>(draining === null ? "drain" : "resume");
  const [isKeeping, setKeeping] = useState(false);
  // The policy would let it work again by itself: a person may say otherwise.
  const mayKeep = quarantine !== null && quarantine.probationAt !== null;
  if (session === null) return null;
  const asked = [trust, pace].map(({ shown: act, isPast, onOpen }) => ({
    act,
    say: words[act],
    isPast,
    onOpen,
  }));
  const keeping = { act: "quarantine", say: keepOut, isPast: !mayKeep, onOpen: setKeeping } as const;
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-3">
        {[...asked, ...(mayKeep || isKeeping ? [keeping] : [])].map(
          ({ act, say: { action, says, past }, isPast, onOpen }) => {
            const decision = may(session, `instance.${act}`, { packId });
            return (
              <ReasonButton
                key={action}
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
          },
        )}
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

const keepOut = {
  action: "Keep out",
  says: "The policy would let it work on probation; it stays quarantined until somebody restores it.",
  past: "It is quarantined no more, or by a person by now.",
};
