import { freeId } from "../../templates/free-id.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Entries, EntryCard } from "./entry-card.tsx";
import type { GuardrailOutline } from "./section-outline.ts";
import type { Writing } from "./writing.ts";

const at = ["answer_policy", "guardrails"];
const effects = ["redact_message", "fail"];

type AnswersProps = { guardrails: readonly GuardrailOutline[]; writing: Writing };

export function AnswersSection({ guardrails, writing }: AnswersProps) {
  const { set, add, remove, faultAt } = writing;
  const taken = guardrails.map(({ name }) => name);
  const begin = () =>
    add(at, { name: freeId("guardrail", taken), when: "sensitive.message", effect: "redact_message" });
  const fault = faultAt(["answer_policy"]) ?? faultAt(at);
  return (
    <Panel heading="Answers" aside={<Button onClick={begin}>Add a guardrail</Button>}>
      <div className="grid gap-4">
        <p className="max-w-prose text-sm text-ink-soft">
          Rules that see each answer before anybody else does: “redact_message” withholds the message and
          keeps the data, “fail” makes the answer a failure.
        </p>
        {fault !== undefined && <p role="alert">{fault}</p>}
        <Entries label="Guardrails" entries={guardrails} none="Answers pass as they are.">
          {({ name, when, effect }, index) => (
            <EntryCard
              named={`Guardrail ${name === "" ? index + 1 : name}`}
              fault={faultAt([...at, index])}
              onRemove={() => remove([...at, index], "keep")}
            >
              <div className="grid gap-5 sm:grid-cols-2">
                <Field
                  label="Name"
                  value={name}
                  spellCheck={false}
                  fault={faultAt([...at, index, "name"])}
                  onValue={(value) => set([...at, index, "name"], value)}
                />
                <Select
                  label="Effect"
                  value={effect}
                  options={[...new Set([...effects, effect])]}
                  fault={faultAt([...at, index, "effect"])}
                  onValue={(value) => set([...at, index, "effect"], value)}
                />
              </div>
              <Field
                label="When"
                value={when}
                spellCheck={false}
                hint={<code>response.status == "failure" && sensitive.data</code>}
                fault={faultAt([...at, index, "when"])}
                onValue={(value) => set([...at, index, "when"], value)}
              />
            </EntryCard>
          )}
        </Entries>
      </div>
    </Panel>
  );
}
