import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/panel.tsx";
import type { KnownNames } from "../../documents/known-names.ts";
import { Entries, EntryCard } from "./entry-card.tsx";
import { NameTokens } from "./name-tokens.tsx";
import { handoffLists, type HandoffOutline } from "./section-outline.ts";
import type { Writing } from "./writing.ts";

type HandoffsProps = {
  handoffs: readonly HandoffOutline[];
  /** Task types that have a route here: no other may be named. */
  routed: readonly string[];
  names: KnownNames;
  writing: Writing;
};

const words = {
  task_types: { heading: "Stages of the task type", addLabel: "Add a task type", hint: "None: of any." },
  pack_ids: { heading: "Asked for by the pack", addLabel: "Add a pack", hint: "None: by any." },
  to_task_types: { heading: "May become", addLabel: "Add a task type it may become", hint: undefined },
  to_pack_ids: { heading: "May go to the pack", addLabel: "Add a pack it may go to", hint: undefined },
} as const;

export function HandoffsSection({ handoffs, routed, names, writing }: HandoffsProps) {
  const { add, remove, faultAt, faultIn } = writing;
  const packs = names.packs.map(({ packId }) => packId);
  const fault = faultAt(["handoffs"]);
  const begin = () => {
    const [first] = packs;
    add(["handoffs"], first === undefined ? {} : { to_pack_ids: [first] });
  };
  return (
    <Panel heading="Handoffs" aside={<Button onClick={begin}>Add a handoff</Button>}>
      <div className="grid gap-4">
        <p className="max-w-prose text-sm text-ink-soft">
          Which agents may hand a stage on, and where to. Each rule says whither.
        </p>
        {fault !== undefined && <p role="alert">{fault}</p>}
        <Entries label="Handoffs" entries={handoffs} none="No agent may hand a stage on.">
          {(handoff, index) => (
            <EntryCard
              named={`Handoff ${index + 1}`}
              fault={faultAt(["handoffs", index])}
              onRemove={() => remove(["handoffs", index], "keep")}
            >
              <div className="grid gap-5 md:grid-cols-2">
                {handoffLists.map((key) => {
                  const { heading, addLabel, hint } = words[key];
                  return (
                    <NameTokens
                      key={key}
                      heading={heading}
                      label={`${heading}, handoff ${index + 1}`}
                      of={`“${heading}” of handoff ${index + 1}`}
                      names={handoff[key]}
                      options={key.endsWith("task_types") ? routed : packs}
                      addLabel={addLabel}
                      {...(hint !== undefined && { hint })}
                      fault={faultIn(["handoffs", index, key])}
                      onAdd={(name) => add(["handoffs", index, key], name)}
                      onRemove={(place) => remove(["handoffs", index, key, place], "drop")}
                    />
                  );
                })}
              </div>
            </EntryCard>
          )}
        </Entries>
      </div>
    </Panel>
  );
}
