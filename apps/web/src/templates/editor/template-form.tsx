import { memo } from "react";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { Panel } from "../../ui/panel.tsx";
import { type FieldPath, type FieldValue, removeTemplate, setTemplateField } from "../edit-template.ts";
import type { Template } from "../template-graph.ts";
import { CheckBox } from "../../ui/check-box.tsx";
import { CommitField } from "./commit-field.tsx";
import type { Apply } from "./use-template-text.ts";

const strategies = ["FAIL_FAST", "SKIP_FAILED", "PAUSE"] as const;

/** What holds for the template as a whole. */
export const TemplateForm = memo(Form);

function Form({ template, apply }: { template: Template; apply: Apply }) {
  const { policy } = template;
  const set = (path: FieldPath, value: FieldValue, said: string) =>
    apply((text) => setTemplateField(text, template.id, path, value), said);
  const count = (key: string, label: string) => (
    <CommitField
      label={label}
      inputMode="numeric"
      value={typeof policy[key] === "number" ? String(policy[key]) : ""}
      onCommit={(typed) => {
        if (typed.trim() === "") return set(["policy", key], undefined, `${label}: the default.`);
        const value = Number(typed);
        if (!Number.isInteger(value) || value < 0) return `“${typed}” is not a whole number.`;
        return set(["policy", key], value, `${label}: ${value}.`);
      }}
    />
  );
  return (
    <Panel heading="The whole">
      <div className="grid gap-4">
        <CommitField label="Name" value={template.name} onCommit={(to) => set(["name"], to, "Named it.")} />
        <CommitField
          label="Description"
          value={template.description}
          onCommit={(to) => set(["description"], to === "" ? undefined : to, "Described it.")}
        />
        <Select
          label="When a stage fails for good"
          value={strategies.find((known) => known === policy["failure_strategy"]) ?? "PAUSE"}
          options={strategies}
          onValue={(to) => set(["policy", "failure_strategy"], to, `A failure: ${to}.`)}
        />
        {count("max_total_retries", "Retries in all")}
        {count("max_rejections", "Rewinds in all")}
        <CommitField
          label="Deadline"
          value={typeof policy["pipeline_deadline"] === "string" ? policy["pipeline_deadline"] : ""}
          hint="Such as 30m; empty for none."
          onCommit={(to) =>
            set(["policy", "pipeline_deadline"], to === "" ? undefined : to, `Deadline: ${to || "none"}.`)
          }
        />
        <CheckBox
          label="No stage may be skipped"
          checked={policy["require_all_stages"] === true}
          onChecked={(to) =>
            set(["policy", "require_all_stages"], to ? true : undefined, "Whether stages may be skipped.")
          }
        />
        <div>
          <Button
            onClick={() => {
              apply((text) => removeTemplate(text, template.id), `${template.id} is gone from this version.`);
            }}
          >
            Delete this template
          </Button>
        </div>
      </div>
    </Panel>
  );
}
