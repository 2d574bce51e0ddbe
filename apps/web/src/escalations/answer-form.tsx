import { may } from "@signalbox/core/permissions";
import type { Caller } from "@signalbox/core";
import { useId } from "react";
import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
import { useKeptForm } from "../documents/use-kept-form.ts";
import { isAllBeside } from "../problem/fault-of.ts";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { useFormFaults } from "../problem/use-form-faults.ts";
import { client, queryClient } from "../trpc.ts";
import { CommandButton } from "../ui/command-button.tsx";
import { Field, Select } from "../ui/field.tsx";
import { Panel } from "../ui/panel.tsx";
import { TextArea } from "../ui/text-area.tsx";
import { answerOf, emptyDraft, isWritten, keptAnswer, neededFor, type AnswerDraft } from "./answer-draft.ts";
import { inboxKey, oneKey, type EscalationInFull } from "./escalation-queries.ts";
import { doesWhat, optionWords, type Option } from "./words.ts";

type AnswerFormProps = {
  of: EscalationInFull;
  session: Caller;
  /** Stages that the pipeline came through: where it may be sent back to. */
  stages: readonly string[];
  /** Why nobody can answer any more; what was written stays to be read and copied. */
  over: string | undefined;
};

const beside = ["comment", "instructions", "stageId", "answer", "extendBy"];

export function AnswerForm({ of, session, stages, over }: AnswerFormProps) {
  const empty = emptyDraft(of.recommended, of.stageId);
  const kept = useKeptForm({ session, kind: "answer", name: of.escalationId }, empty, (said) =>
    keptAnswer(said, empty, of.options),
  );
  const draft = kept.form;
  const change = (part: Partial<AnswerDraft>) => kept.change({ ...draft, ...part });
  const resolve = useOneAtATime({
    mutationFn: () => client.escalations.resolve.mutate(answerOf(of.escalationId, draft)),
    onSuccess: () => kept.clear(),
    onSettled: () =>
      Promise.all(
        [oneKey(of.escalationId), inboxKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ),
  });
  const { error } = resolve;
  const { form, attempt, fault } = useFormFaults(error, neededFor(draft));
  if (over !== undefined && !isWritten(draft)) return null;
  const decision = may(session, "escalation.resolve", undefined);
  const refusal = decision.allowed ? undefined : `Not allowed: ${decision.reason}.`;
  return (
    <Panel heading={over === undefined ? "Your answer" : "What you had written"}>
      <form ref={form} noValidate className="grid gap-6" onSubmit={(event) => event.preventDefault()}>
        <Options of={of} value={draft.option} onOption={(option) => change({ option })} />
        <Parts draft={draft} stages={stages} change={change} fault={fault} />
        <TextArea
          label="Reason"
          value={draft.comment}
          onValue={(comment) => change({ comment })}
          fault={fault("comment")}
          hint="Why so. The record keeps it with your name."
        />
        {error !== null && !isAllBeside(error, beside) && <ProblemNotice problem={problemOf(error)} />}
        <div>
          <CommandButton
            kind="main"
            unavailable={over ?? refusal ?? (resolve.isPending ? "One moment." : undefined)}
            onClick={() => attempt(() => resolve.mutate())}
          >
            {optionWords[draft.option].name}
          </CommandButton>
        </div>
      </form>
    </Panel>
  );
}

type OptionsProps = {
  of: EscalationInFull;
  value: Option;
  onOption: (option: Option) => void;
};

function Options({ of, value, onOption }: OptionsProps) {
  const name = useId();
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-sm font-medium">What is to be done</legend>
      {of.options.map((option) => (
        <label
          key={option}
          className="flex cursor-pointer items-start gap-3 rounded-sm border border-rule bg-panel px-4 py-3 text-sm has-checked:border-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--focus)"
        >
          <input
            type="radio"
            name={name}
            value={option}
            aria-labelledby={`${name}-${option}`}
            aria-describedby={`${name}-${option}-does`}
            checked={option === value}
            onChange={() => onOption(option)}
            className="mt-0.5 size-4 accent-(--ink) outline-none"
          />
          <span className="min-w-0">
            <span id={`${name}-${option}`}>
              <span className="font-medium">{optionWords[option].name}</span>
              {option === of.recommended && <span className="text-ink-soft">, recommended</span>}
            </span>
            <span id={`${name}-${option}-does`} className="block text-ink-soft">
              {doesWhat(option, of)}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

type PartsProps = {
  draft: AnswerDraft;
  stages: readonly string[];
  change: (part: Partial<AnswerDraft>) => void;
  fault: (field: string) => string | undefined;
};

/** What the option needs beside the reason. */
function Parts({ draft, stages, change, fault }: PartsProps) {
  const { option } = draft;
  return (
    <>
      {option === "rewind" && (
        <Select
          label="Back to stage"
          value={draft.stageId}
          options={stages.includes(draft.stageId) ? stages : [draft.stageId, ...stages]}
          onValue={(stageId) => change({ stageId })}
        />
      )}
      {(option === "retry" || option === "rewind") && (
        <TextArea
          label="Instructions"
          value={draft.instructions}
          onValue={(instructions) => change({ instructions })}
          fault={fault("instructions")}
          hint="The agent reads them in its next attempt. They may be left out."
        />
      )}
      {option === "answer" && (
        <TextArea
          label="Answer to the agent"
          value={draft.answer}
          onValue={(answer) => change({ answer })}
          fault={fault("answer")}
        />
      )}
      {option === "extend" && (
        <Field
          label="More time"
          value={draft.extendBy}
          onValue={(extendBy) => change({ extendBy })}
          fault={fault("extendBy")}
          hint="Such as 30m or 2h."
        />
      )}
    </>
  );
}
