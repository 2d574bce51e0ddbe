import { memo } from "react";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { Panel } from "../../ui/panel.tsx";
import { moveStage, renameStage } from "../edit-stages.ts";
import { type FieldPath, type FieldValue, setStageField } from "../edit-template.ts";
import { fieldsOf, type Stage, type Template } from "../template-graph.ts";
import { AttemptForm } from "./attempt-form.tsx";
import { CheckBox } from "../../ui/check-box.tsx";
import { CommitField } from "./commit-field.tsx";
import { GateForm } from "./gate-form.tsx";
import type { Apply } from "./use-template-text.ts";
import { StageWays } from "./stage-ways.tsx";

type StageFormProps = {
  template: Template;
  stage: Stage;
  apply: Apply;
  taskTypes: readonly string[];
  onRenamed: (id: string) => void;
  onRemove: ((id: string) => void) | undefined;
};

const modes = ["not said", "NONE", "PREVIOUS", "CUMULATIVE"] as const;
const levels = ["not said", "MINIMAL", "LAYERED", "RICH"] as const;

export const StageForm = memo(Form);

function Form({ template, stage, apply, taskTypes, onRenamed, onRemove }: StageFormProps) {
  const { id, index } = stage;
  const set = (path: FieldPath, value: FieldValue, said: string) =>
    apply((text) => setStageField(text, template.id, id, path, value), said);
  const context = fieldsOf(stage.fields["context_propagation"]);
  const handoff = fieldsOf(stage.fields["handoff_policy"]);
  const move = (to: number) => apply((text) => moveStage(text, template.id, id, to), `Moved ${id}.`);
  return (
    <div className="grid gap-8">
      <Panel heading="Stage">
        <div className="grid gap-4">
          <CommitField
            label="Id"
            value={id}
            onCommit={(to) => {
              const reason = apply(
                (text) => renameStage(text, template.id, id, to),
                `${id} is ${to} now, wherever it is named.`,
              );
              if (reason === undefined) onRenamed(to);
              return reason;
            }}
          />
          <CommitField
            label="Task type"
            value={stage.taskType}
            hint="The routing policy says which packs may do it."
            offers={taskTypes}
            onCommit={(to) => set(["task_type"], to, `${id} is of the type ${to}.`)}
          />
          <CommitField
            label="Name for people"
            value={stage.name}
            onCommit={(to) => set(["stage_name"], to === "" ? undefined : to, `Named ${id}.`)}
          />
          <CheckBox
            label="The pipeline cannot complete without it"
            checked={stage.required}
            onChecked={(to) => set(["required"], to, to ? `${id} is required.` : `${id} is not required.`)}
          />
          <div className="flex flex-wrap gap-2">
            <Button
              unavailable={index === 0 ? "It is the first." : undefined}
              onClick={() => move(index - 1)}
            >
              Earlier
            </Button>
            <Button
              unavailable={index === template.stages.length - 1 ? "It is the last." : undefined}
              onClick={() => move(index + 1)}
            >
              Later
            </Button>
            <Button
              unavailable={template.stages.length === 1 ? "A template has at least one stage." : undefined}
              onClick={() => onRemove?.(id)}
            >
              Delete
            </Button>
          </div>
        </div>
      </Panel>
      <StageWays template={template} stage={stage} apply={apply} />
      <Panel heading="Attempts and people">
        <AttemptForm stage={stage} handoff={handoff} set={set} />
      </Panel>
      <Panel heading="Gate">
        <GateForm template={template} stage={stage} apply={apply} set={set} />
      </Panel>
      <Panel heading="Context">
        <div className="grid gap-4">
          <Select
            label="From stages before it"
            value={modes.find((mode) => mode === context["mode"]) ?? "not said"}
            options={modes}
            onValue={(to) =>
              set(
                ["context_propagation", "mode"],
                to === "not said" ? undefined : to,
                `Context of ${id}: ${to}.`,
              )
            }
          />
          <Select
            label="How much"
            value={levels.find((level) => level === handoff["context_level"]) ?? "not said"}
            options={levels}
            onValue={(to) =>
              set(
                ["handoff_policy", "context_level"],
                to === "not said" ? undefined : to,
                `Context of ${id}: ${to}.`,
              )
            }
          />
          <div>
            {(["artifacts", "decisions", "risks"] as const).map((what) => (
              <CheckBox
                key={what}
                label={`Carry ${what}`}
                checked={context[`carry_${what}`] === true}
                onChecked={(to) =>
                  set(["context_propagation", `carry_${what}`], to ? true : undefined, `Context of ${id}.`)
                }
              />
            ))}
          </div>
        </div>
      </Panel>
    </div>
  );
}
