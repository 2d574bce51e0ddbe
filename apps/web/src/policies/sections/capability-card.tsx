import type { YamlPath } from "@signalbox/core/edit-yaml";
import { CheckBox } from "../../ui/check-box.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { EntryCard } from "./entry-card.tsx";
import { IssuerList } from "./issuer-list.tsx";
import { NamedField } from "../../ui/named-field.tsx";
import { NameTokens } from "./name-tokens.tsx";
import { optional } from "./plain-values.ts";
import type { CapabilityOutline } from "./section-outline.ts";
import type { Writing } from "./writing.ts";

type CapabilityProps = {
  outline: CapabilityOutline;
  at: YamlPath;
  index: number;
  taskTypes: readonly string[];
  packs: readonly string[];
  writing: Writing;
};

const works = {
  itself: "the task type of its name",
  task_type: "a task type",
  template_id: "a pipeline template",
} as const;
type Work = keyof typeof works;
const isWork = (key: string): key is Work => Object.hasOwn(works, key);

export function CapabilityCard({ outline, at, index, taskTypes, packs, writing }: CapabilityProps) {
  const { set, add, remove, faultAt, faultIn } = writing;
  const { capability, maxCacheAge, include, exclude, foldText } = outline;
  const named = capability === "" ? `Capability ${index + 1}` : `Capability ${capability}`;
  return (
    <EntryCard named={named} fault={faultAt(at)} onRemove={() => remove(at, "keep")}>
      <div className="grid gap-5 sm:grid-cols-2">
        <NamedField
          label="Capability"
          value={capability}
          options={taskTypes}
          fault={faultAt([...at, "capability"])}
          onValue={(value) => set([...at, "capability"], value)}
        />
        <Field
          label="Oldest answer from the cache"
          value={maxCacheAge}
          hint="Such as 24h. Empty: as the task says."
          fault={faultAt([...at, "max_cache_age"])}
          onValue={(value) => set([...at, "max_cache_age"], optional(value))}
        />
      </div>
      <WorkOf outline={outline} at={at} taskTypes={taskTypes} writing={writing} />
      <IssuerList issuers={outline.issuers} at={at} named={named} packs={packs} writing={writing} />
      <div className="grid gap-5 md:grid-cols-2">
        <NameTokens
          heading="Members that make two tasks the same"
          label={`Members that make two tasks the same, ${named}`}
          of={`what makes two tasks the same of ${named}`}
          names={include}
          addLabel="Compare a member of the payload"
          hint="None: all of the payload."
          fault={faultIn([...at, "essence", "include"])}
          onAdd={(path) => add([...at, "essence", "include"], path)}
          onRemove={(place) => remove([...at, "essence", "include", place], "drop")}
        />
        <NameTokens
          heading="Members that are left out of it"
          label={`Members that are left out, ${named}`}
          of={`what is left out of ${named}`}
          names={exclude}
          addLabel="Leave out a member of the payload"
          placeholder="options.seed"
          fault={faultIn([...at, "essence", "exclude"])}
          onAdd={(path) => add([...at, "essence", "exclude"], path)}
          onRemove={(place) => remove([...at, "essence", "exclude", place], "drop")}
        />
      </div>
      <CheckBox
        label="White space and case of texts mean nothing"
        checked={foldText}
        onChecked={(checked) => set([...at, "essence", "fold_text"], checked)}
      />
    </EntryCard>
  );
}

type WorkOfProps = Pick<CapabilityProps, "outline" | "at" | "taskTypes" | "writing">;

function WorkOf({ outline, at, taskTypes, writing }: WorkOfProps) {
  const { work, workName, capability } = outline;
  const { change, set, faultAt } = writing;
  const choose = (label: string) => {
    const chosen = Object.keys(works)
      .filter(isWork)
      .find((key) => works[key] === label);
    if (chosen === undefined || chosen === work) return;
    const taken = (["task_type", "template_id"] as const).filter((key) => key !== chosen);
    change([
      ...taken.map((key) => [[...at, key], undefined] as const),
      ...(chosen === "itself" ? [] : [[[...at, chosen], workName || capability] as const]),
    ]);
  };
  const fault = work === "itself" ? undefined : faultAt([...at, work]);
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Select label="Its work is" value={works[work]} options={Object.values(works)} onValue={choose} />
      {work === "task_type" && (
        <NamedField
          label="Task type it is"
          value={workName}
          options={taskTypes}
          fault={fault}
          onValue={(value) => set([...at, work], value)}
        />
      )}
      {work === "template_id" && (
        <Field
          label="Template it is"
          value={workName}
          spellCheck={false}
          fault={fault}
          onValue={(value) => set([...at, work], value)}
        />
      )}
    </div>
  );
}
