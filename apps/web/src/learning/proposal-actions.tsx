import { may } from "@signalbox/core/permissions";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
import { lookAgainAtDocuments } from "../documents/document-queries.ts";
import { Refusal } from "../problem/refusal.tsx";
import { currentSession } from "../session/session.ts";
import { client, queryClient } from "../trpc.ts";
import { ReasonButton } from "../ui/reason-button.tsx";
import { learningKey, type ProposalInFull } from "./learning-queries.ts";
import { changeInWords } from "./learning-words.ts";

/** Accepts or refuses it, each with a reason; what was looked at is what is accepted, or nothing. */
export function ProposalActions({ of: { proposalId, change, effect } }: { of: ProposalInFull }) {
  const { data: session } = useSuspenseQuery(currentSession());
  const decide = useOneAtATime({
    mutationFn: ({ word, reason }: { word: "accept" | "refuse"; reason: string }) =>
      word === "refuse"
        ? client.learning.refuse.mutate({ proposalId, reason })
        : client.learning.accept.mutate({
            proposalId,
            reason,
            ...(effect.kind === "changes" && { replaces: effect.replaces }),
          }),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: learningKey }),
        lookAgainAtDocuments("routing-policy"),
      ]),
  });
  if (session === null) return null;
  const decision = may(session, "learning.decide", undefined);
  const refusal = decision.allowed
    ? decide.isPending
      ? "One moment."
      : undefined
    : `Not allowed: ${decision.reason}.`;
  const what = `the proposal: ${changeInWords(change)}`;
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap gap-3">
        <ReasonButton
          action="Accept"
          what={what}
          question={
            effect.kind === "changes" ? `Publish it as routing policy ${effect.version}?` : "Accept it?"
          }
          unavailable={refusal ?? (effect.kind === "none" ? effect.why : undefined)}
          onReason={(reason, then) => decide.mutate({ word: "accept", reason }, then)}
        >
          <p>
            {effect.kind === "changes"
              ? `${effect.version} takes the place of ${effect.replaces}`
              : "It holds"}{" "}
            at once, for every task from then on. What was asked, answered and kept before stays as it is, and
            a roll back takes it back.
          </p>
        </ReasonButton>
        <ReasonButton
          action="Refuse"
          what={what}
          question="Refuse this proposal?"
          unavailable={refusal}
          onReason={(reason, then) => decide.mutate({ word: "refuse", reason }, then)}
        >
          <p>The same is not proposed again; what later signals suggest otherwise may be.</p>
        </ReasonButton>
      </div>
      {decide.error !== null && <Refusal error={decide.error} />}
    </div>
  );
}
