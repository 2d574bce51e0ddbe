import { setStageField } from "../edit-template.ts";
import { beginContract, fieldAt, gateCommands, gateLists, linesAt } from "../gate-fields.ts";
import type { Stage, Template } from "../template-graph.ts";
import { Button } from "../../ui/button.tsx";
import type { SetField } from "./attempt-form.tsx";
import { CheckBox } from "../../ui/check-box.tsx";
import { CommitArea } from "./commit-area.tsx";
import { CommitField } from "./commit-field.tsx";
import type { Apply } from "./use-template-text.ts";

type GateProps = { template: Template; stage: Stage; apply: Apply; set: SetField };

/** What the gate holds a result of this stage against: its own contract, or that of each task. */
export function GateForm({ template, stage, apply, set }: GateProps) {
  const { id, fields } = stage;
  if (fields["contract_template"] === undefined) {
    return (
      <div className="grid gap-4">
        <p className="text-sm text-ink-soft">
          The gate holds the result against the contract of each task. The stage can have one of its own: what
          it says is then asked here, whatever the task says.
        </p>
        <CommitField
          label="Begin one: what must hold of the work"
          value=""
          placeholder="Every test passes."
          onCommit={(typed) => {
            if (typed.trim() === "") return undefined;
            return apply((text) => beginContract(text, template.id, stage, typed.trim()), `A gate of ${id}.`);
          }}
        />
      </div>
    );
  }
  return (
    <div className="grid gap-4">
      <CommitArea
        label="What must hold of the work"
        hint="One statement a line."
        entries={linesAt(fields, ["contract_template", "acceptance_criteria"])}
        onCommit={(entries) =>
          entries === undefined
            ? "A contract says at least one thing that must hold."
            : set(["contract_template", "acceptance_criteria"], entries, `Gate of ${id}.`)
        }
      />
      {gateCommands.map(([label, key]) => (
        <CommitField
          key={key}
          label={`${label}: the command that must have passed`}
          value={textOf(fieldAt(fields, ["contract_template", "environment", key]))}
          onCommit={(to) =>
            set(["contract_template", "environment", key], to === "" ? undefined : to, `Gate of ${id}.`)
          }
        />
      ))}
      {gateLists.map(({ label, hint, path }) => (
        <CommitArea
          key={label}
          label={label}
          hint={hint}
          entries={linesAt(fields, path)}
          onCommit={(entries) => set(path, entries, `Gate of ${id}.`)}
        />
      ))}
      <CheckBox
        label="It may break an interface"
        checked={fieldAt(fields, ["contract_template", "io", "breaking_change"]) === true}
        onChecked={(to) =>
          set(["contract_template", "io", "breaking_change"], to ? true : undefined, `Gate of ${id}.`)
        }
      />
      <div>
        <Button
          onClick={() => {
            apply(
              (text) => setStageField(text, template.id, id, ["contract_template"], undefined),
              `${id} is held against the contract of each task.`,
            );
          }}
        >
          Hold it against the task's contract instead
        </Button>
      </div>
    </div>
  );
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
