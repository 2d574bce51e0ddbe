import type { YamlPath } from "@signalbox/core/edit-yaml";
import { Field } from "../../ui/field.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { EntryCard } from "./entry-card.tsx";
import { NamedField } from "../../ui/named-field.tsx";
import { optional } from "./plain-values.ts";
import type { PlaybookOutline } from "./section-outline.ts";
import type { Writing } from "./writing.ts";

type PlaybookProps = {
  outline: PlaybookOutline;
  at: YamlPath;
  index: number;
  capabilities: readonly string[];
  writing: Writing;
};

export function PlaybookCard({
  outline: { capability, territory, text },
  at,
  index,
  capabilities,
  writing: { set, remove, faultAt },
}: PlaybookProps) {
  return (
    <EntryCard
      named={`Playbook ${index + 1}${capability === "" ? "" : ` of ${capability}`}`}
      fault={faultAt(at)}
      onRemove={() => remove(at, "keep")}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <NamedField
          label="For the capability"
          value={capability}
          options={capabilities}
          fault={faultAt([...at, "capability"])}
          onValue={(value) => set([...at, "capability"], value)}
        />
        <Field
          label="Territory"
          value={territory}
          spellCheck={false}
          hint="Empty: any."
          fault={faultAt([...at, "territory"])}
          onValue={(value) => set([...at, "territory"], optional(value))}
        />
      </div>
      <TextArea
        label="What is told"
        value={text}
        fault={faultAt([...at, "text"])}
        onValue={(value) => set([...at, "text"], value)}
      />
    </EntryCard>
  );
}
