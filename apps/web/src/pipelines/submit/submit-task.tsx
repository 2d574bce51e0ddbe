import { Link, useNavigate } from "@tanstack/react-router";
import type { Caller } from "@signalbox/core";
import { useOneAtATime } from "../../commands/use-one-at-a-time.ts";
import { useKeptForm } from "../../documents/use-kept-form.ts";
import { paths } from "../../paths.ts";
import { isAllBeside } from "../../problem/fault-of.ts";
import { ProblemNotice } from "../../problem/problem-notice.tsx";
import { problemOf } from "../../problem/problem.ts";
import { useFormFaults } from "../../problem/use-form-faults.ts";
import { client } from "../../trpc.ts";
import { SubmitButton } from "../../ui/button.tsx";
import { JsonFaults } from "./json-faults.tsx";
import { shownFields, TaskFields } from "./task-fields.tsx";
import { emptyForm, keptTask, neededOf, submissionOf, type TaskDraft } from "./task-form.ts";
import { TextArea } from "../../ui/text-area.tsx";

/** The form for what most tasks need; the text for all that a task can say. The form's content goes on in the text. */
export function SubmitTask({ asJson, session }: { asJson: boolean; session: Caller }) {
  const navigate = useNavigate();
  const kept = useKeptForm<TaskDraft>({ session, kind: "task" }, emptyForm, keptTask);
  const { written, ...form } = kept.form;
  const json = asJson ? (written ?? submissionOf(form)) : submissionOf(form);
  const submit = useOneAtATime({
    mutationFn: (text: string) => client.pipelines.submit.mutate({ json: text }),
    onSuccess: ({ pipelineId }) => {
      kept.drop();
      return navigate(paths.pipeline(pipelineId));
    },
  });
  const { error } = submit;
  const { form: formElement, submit: whereWhole, fault } = useFormFaults(error, asJson ? {} : neededOf(form));
  return (
    <>
      <nav aria-label="Ways to submit" className="mb-6 flex gap-6 border-b border-rule">
        <WayLink name="Form" link={paths.submitTask()} isHere={!asJson} />
        <WayLink name="JSON" link={paths.submitTask("json")} isHere={asJson} />
      </nav>
      <form
        noValidate
        className="grid max-w-3xl gap-5"
        ref={formElement}
        onSubmit={whereWhole(() => {
          if (!submit.isPending) submit.mutate(json);
        })}
      >
        {asJson ? (
          <>
            <TextArea
              label="The task, as REST takes it at POST /v1/tasks"
              rows={18}
              code
              value={json}
              onValue={(text) => kept.change({ ...form, written: text })}
            />
            <JsonFaults json={json} error={error} refused={submit.variables} />
          </>
        ) : (
          <>
            <TaskFields form={form} error={error} fault={fault} onForm={kept.change} />
            {error !== null && !isAllBeside(error, shownFields) && (
              <ProblemNotice problem={problemOf(error)} />
            )}
          </>
        )}
        <div>
          <SubmitButton>{submit.isPending ? "One moment…" : "Submit the task"}</SubmitButton>
        </div>
      </form>
    </>
  );
}

type WayProps = { name: string; link: ReturnType<typeof paths.submitTask>; isHere: boolean };

function WayLink({ name, link, isHere }: WayProps) {
  return (
    <Link
      {...link}
      replace
      activeOptions={{ exact: true, includeSearch: true }}
      aria-current={isHere ? "page" : undefined}
      className="inline-flex min-h-11 items-center border-b-2 border-transparent text-sm text-ink-soft hover:text-ink aria-[current=page]:border-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink"
    >
      {name}
    </Link>
  );
}
