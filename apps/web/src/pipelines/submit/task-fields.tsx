import { useQuery } from "@tanstack/react-query";
import { problemOf } from "../../problem/problem.ts";
import { Field, Select } from "../../ui/field.tsx";
import { NamedField } from "../../ui/named-field.tsx";
import { knownWays } from "./known-ways.ts";
import { priorities, risks, type TaskForm } from "./task-form.ts";
import { TextArea } from "../../ui/text-area.tsx";

type FieldsProps = {
  form: TaskForm;
  error: unknown;
  fault: (field: string) => string | undefined;
  onForm: (form: TaskForm) => void;
};

export const shownFields = [
  "templateId",
  "taskType",
  "contract.taskId",
  "contract.title",
  "contract.acceptanceCriteria",
  "execution.riskTier",
  "execution.priority",
];

export function TaskFields({ form, error, fault, onForm }: FieldsProps) {
  const set = (part: Partial<TaskForm>): void => onForm({ ...form, ...part });
  const { data: known } = useQuery(knownWays());
  const byTemplate = form.way === "template";
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-[11rem_minmax(0,1fr)]">
        <Select
          label="By"
          value={form.way}
          options={["template", "task type"]}
          onValue={(way) => set({ way })}
        />
        <NamedField
          label={byTemplate ? "Template" : "Task type"}
          options={(byTemplate ? known?.templates : known?.taskTypes) ?? []}
          value={form.wayId}
          onValue={(wayId) => set({ wayId })}
          fault={fault(byTemplate ? "templateId" : "taskType")}
          hint={
            byTemplate
              ? "Its id, such as implement-and-review: the template’s stages do the work."
              : "Such as verification: one stage, sent as the routing policy says."
          }
        />
      </div>
      <div className="grid gap-5 sm:grid-cols-[11rem_minmax(0,1fr)]">
        <Field
          label="Task id"
          autoComplete="off"
          value={form.taskId}
          onValue={(taskId) => set({ taskId })}
          fault={fault("contract.taskId")}
          hint="As your tracker names it."
        />
        <Field
          label="Title"
          autoComplete="off"
          value={form.title}
          onValue={(title) => set({ title })}
          fault={fault("contract.title")}
          hint="What is to be done, in a line."
        />
      </div>
      <TextArea
        label="Accepted when"
        rows={3}
        value={form.criteria}
        onValue={(criteria) => set({ criteria })}
        fault={fault("contract.acceptanceCriteria") ?? criteriaFault(error)}
        hint="One criterion a line."
      />
      <TextArea
        label="Files that may be changed"
        rows={2}
        code
        value={form.files}
        onValue={(files) => set({ files })}
        hint="One a line; src/*.js is one too. None named: the gate does not look at which files were changed."
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Select
          label="Risk"
          value={form.risk}
          options={risks}
          onValue={(risk) => set({ risk })}
          fault={fault("execution.riskTier")}
          hint="How much harm a mistake would do. A route raises it and never lowers it; what is critical asks for a person."
        />
        <Select
          label="Priority"
          value={form.priority}
          options={priorities}
          onValue={(priority) => set({ priority })}
          fault={fault("execution.priority")}
          hint="Told to the agents."
        />
      </div>
    </>
  );
}

/** One of them may be at fault, or the list of them. */
function criteriaFault(error: unknown): string | undefined {
  if (error === null || error === undefined) return undefined;
  const { violations } = problemOf(error);
  const found = violations.find(({ field }) => field.startsWith("contract.acceptanceCriteria"));
  return found === undefined ? undefined : `This ${found.message}.`;
}
