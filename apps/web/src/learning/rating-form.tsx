import type { Caller } from "@signalbox/core";
import { may } from "@signalbox/core/permissions";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
import type { Texts } from "../documents/kept-texts.ts";
import { useKeptForm } from "../documents/use-kept-form.ts";
import { faultOf, isAllBeside } from "../problem/fault-of.ts";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { currentSession } from "../session/session.ts";
import { client, queryClient } from "../trpc.ts";
import { CommandButton } from "../ui/command-button.tsx";
import { Select } from "../ui/field.tsx";
import { TextArea } from "../ui/text-area.tsx";
import { type GivenRating, learningKey, type RatedTask } from "./learning-queries.ts";
import { isOver } from "./learning-words.ts";

const unsaid = "nothing said";
const scores = [unsaid, "1, of no use", "2", "3", "4", "5, exactly right"] as const;
const approvals = [unsaid, "approved", "not approved"] as const;

type RatingDraft = {
  score: (typeof scores)[number];
  approved: (typeof approvals)[number];
  note: string;
};

const saidBefore = (own: GivenRating | undefined): RatingDraft => ({
  score: scores[own?.score ?? 0] ?? unsaid,
  approved: own?.approved === true ? "approved" : own?.approved === false ? "not approved" : unsaid,
  note: own?.note ?? "",
});

const keptRating = (said: Texts, before: RatingDraft): RatingDraft => ({
  score: scores.find((score) => score === said["score"]) ?? before.score,
  approved: approvals.find((approved) => approved === said["approved"]) ?? before.approved,
  note: said["note"] ?? before.note,
});

type RatingProps = { taskId: string; status: RatedTask["status"]; ratings: readonly GivenRating[] };

export function RatingForm(of: RatingProps) {
  const { data: session } = useSuspenseQuery(currentSession());
  return session === null ? null : <Form {...of} session={session} />;
}

/**
 * What somebody says of a result; it begins as what they said before, and takes its place. What is written stays, and so does
 * the focus, when news of other people's ratings come.
 */
function Form({ taskId, status, ratings, session }: RatingProps & { session: Caller }) {
  const own = ratings.find(({ by }) => by === session.actor.id);
  const before = saidBefore(own);
  const kept = useKeptForm({ session, kind: "rating", name: taskId }, before, (said) =>
    keptRating(said, before),
  );
  const { score, approved, note } = kept.form;
  const set = (part: Partial<RatingDraft>) => kept.change({ ...kept.form, ...part });
  const headingId = useId();
  const rate = useOneAtATime({
    mutationFn: () =>
      client.learning.rate.mutate({
        taskId,
        ...(score !== unsaid && { score: scores.indexOf(score) }),
        ...(approved !== unsaid && { approved: approved === "approved" }),
        ...(note.trim() !== "" && { note }),
      }),
    onSuccess: () => {
      kept.drop();
      return queryClient.invalidateQueries({ queryKey: learningKey });
    },
  });
  const decision = may(session, "sap.rate", undefined);
  const refusal = !decision.allowed
    ? `Not allowed: ${decision.reason}.`
    : isOver(status)
      ? undefined
      : "A result is rated once its task is over.";
  return (
    <form
      noValidate
      aria-labelledby={headingId}
      className="grid max-w-prose gap-4"
      onSubmit={(event) => event.preventDefault()}
    >
      <p id={headingId} className="text-sm font-semibold">
        {own === undefined ? "Say what it was worth" : "What you said of it"}
        <span className="sr-only">: task {taskId}</span>
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        <Select label="Score" value={score} options={scores} onValue={(chosen) => set({ score: chosen })} />
        <Select
          label="Approval"
          value={approved}
          options={approvals}
          onValue={(chosen) => set({ approved: chosen })}
        />
      </div>
      <TextArea
        label="Note"
        value={note}
        onValue={(text) => set({ note: text })}
        hint="What should have been otherwise. Of like notes on several results a playbook may come. Secrets are masked, and the record keeps it."
        fault={faultOf(rate.error, "note")}
      />
      {rate.error !== null && !isAllBeside(rate.error, ["note"]) && (
        <ProblemNotice problem={problemOf(rate.error)} />
      )}
      <div className="flex flex-wrap items-center gap-4">
        <CommandButton
          unavailable={refusal ?? (rate.isPending ? "One moment." : undefined)}
          onClick={() => rate.mutate()}
        >
          {own === undefined ? "Rate the result" : "Say it anew"}
        </CommandButton>
        <output className="text-sm text-ink-soft">{rate.isSuccess && "It is on record."}</output>
      </div>
    </form>
  );
}
