import { may } from "@signalbox/core/permissions";
import type { Caller } from "@signalbox/core";
import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
import { useKeptForm } from "../documents/use-kept-form.ts";
import { isAllBeside } from "../problem/fault-of.ts";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { useFormFaults } from "../problem/use-form-faults.ts";
import { client, queryClient } from "../trpc.ts";
import { CommandButton } from "../ui/command-button.tsx";
import { Moment } from "../ui/moment.tsx";
import { Panel } from "../ui/panel.tsx";
import { TextArea } from "../ui/text-area.tsx";
import { oneKey, type EscalationInFull } from "./escalation-queries.ts";
import { usePeople } from "./people.ts";

export function Comments({ of, session }: { of: EscalationInFull; session: Caller }) {
  const { nameOf } = usePeople();
  const kept = useKeptForm({ session, kind: "comment", name: of.escalationId }, { text: "" }, (said) => ({
    text: said["text"] ?? "",
  }));
  const { text } = kept.form;
  const say = useOneAtATime({
    mutationFn: () => client.escalations.comment.mutate({ escalationId: of.escalationId, comment: text }),
    onSuccess: () => {
      kept.clear();
      return queryClient.invalidateQueries({ queryKey: oneKey(of.escalationId) });
    },
  });
  const { form, attempt, fault } = useFormFaults(say.error, {
    comment: { value: text, says: "The comment is missing: what whoever answers should know." },
  });
  const decision = may(session, "escalation.comment", undefined);
  const refusal = decision.allowed ? undefined : `Not allowed: ${decision.reason}.`;
  return (
    <Panel heading="Comments">
      <ol className="grid gap-4" aria-label="Comments">
        {of.comments.map(({ number, authorId, text: said, createdAt }) => (
          <li key={number} className="border-l-2 border-rule pl-4">
            <p className="text-sm text-ink-soft">
              <span className="font-medium text-ink">{nameOf(authorId)}</span>, <Moment at={createdAt} />
            </p>
            <p className="anywhere mt-1 text-sm whitespace-pre-wrap">{said}</p>
          </li>
        ))}
      </ol>
      <form
        ref={form}
        noValidate
        className={`grid gap-3 ${of.comments.length > 0 ? "mt-6" : ""}`}
        onSubmit={(event) => event.preventDefault()}
      >
        <TextArea
          label="Comment"
          rows={2}
          value={text}
          onValue={(written) => kept.change({ text: written })}
          fault={fault("comment")}
          hint="For whoever answers. Secrets in it are masked, and the record keeps it."
        />
        {say.error !== null && !isAllBeside(say.error, ["comment"]) && (
          <ProblemNotice problem={problemOf(say.error)} />
        )}
        <div>
          <CommandButton
            unavailable={refusal ?? (say.isPending ? "One moment." : undefined)}
            onClick={() => attempt(() => say.mutate())}
          >
            Add the comment
          </CommandButton>
        </div>
      </form>
    </Panel>
  );
}
