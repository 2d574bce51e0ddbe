import type { YamlPath } from "@signalbox/core/edit-yaml";
import { checkWords } from "../../settings/gate-words.ts";
import { CheckBox } from "../../ui/check-box.tsx";
import { Field } from "../../ui/field.tsx";
import { EntryCard } from "./entry-card.tsx";
import { numberTyped } from "./plain-values.ts";
import type { PrincipleOutline } from "./section-outline.ts";
import type { Writing } from "./writing.ts";

const everyCheck = Object.keys(checkWords);

type PrincipleProps = { outline: PrincipleOutline; at: YamlPath; index: number; writing: Writing };

export function PrincipleCard({
  outline: { principle, checks = everyCheck, escalateAbove, refuseAbove },
  at,
  index,
  writing: { set, remove, faultAt, faultIn },
}: PrincipleProps) {
  const fault = faultIn([...at, "checks"]);
  const unknown = checks.filter((name) => !everyCheck.includes(name));
  const choose = (name: string, isChosen: boolean) => {
    const chosen = [...everyCheck, ...unknown].filter((one) =>
      one === name ? isChosen : checks.includes(one),
    );
    set([...at, "checks"], chosen.length === everyCheck.length && unknown.length === 0 ? undefined : chosen);
  };
  return (
    <EntryCard
      named={principle === "" ? `Principle ${index + 1}` : `Principle ${principle}`}
      fault={faultAt(at)}
      onRemove={() => remove(at, "keep")}
    >
      <div className="grid gap-5 sm:grid-cols-3">
        <Field
          label="Principle"
          value={principle}
          spellCheck={false}
          fault={faultAt([...at, "principle"])}
          onValue={(value) => set([...at, "principle"], value)}
        />
        <Field
          label="A person decides above"
          inputMode="decimal"
          value={escalateAbove}
          hint="PSI, 0 to 100. Empty: never."
          fault={faultAt([...at, "escalate_above"])}
          onValue={(value) => set([...at, "escalate_above"], numberTyped(value))}
        />
        <Field
          label="Refused above"
          inputMode="decimal"
          value={refuseAbove}
          hint="PSI, 0 to 100. Empty: never."
          fault={faultAt([...at, "refuse_above"])}
          onValue={(value) => set([...at, "refuse_above"], numberTyped(value))}
        />
      </div>
      <fieldset className="min-w-0">
        <legend className="mb-1.5 text-sm font-medium">Checks that testify to it</legend>
        <div className="flex flex-wrap gap-x-6">
          {[...everyCheck, ...unknown].map((name) => (
            <CheckBox
              key={name}
              label={name}
              checked={checks.includes(name)}
              onChecked={(isChosen) => choose(name, isChosen)}
            />
          ))}
        </div>
        {fault !== undefined && (
          <p role="alert" className="anywhere mt-1.5 text-sm">
            {fault}
          </p>
        )}
      </fieldset>
    </EntryCard>
  );
}
