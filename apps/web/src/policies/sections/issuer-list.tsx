import { useRowIds } from "../../ui/use-row-ids.ts";
import type { YamlPath } from "@signalbox/core/edit-yaml";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { NamedField } from "../../ui/named-field.tsx";
import { optional } from "./plain-values.ts";
import type { CapabilityOutline } from "./section-outline.ts";
import type { Writing } from "./writing.ts";

type IssuersProps = {
  issuers: CapabilityOutline["issuers"];
  /** The capability's place. */
  at: YamlPath;
  named: string;
  packs: readonly string[];
  writing: Writing;
};

const people = "people and their keys, no agent";
const listed = "who is named below alone";
const kinds = ["user", "system", "agent"];

/** Nothing said and an empty list are two things: the one lets people, the other lets nobody. */
export function IssuerList({ issuers, at, named, packs, writing }: IssuersProps) {
  const { set, add, remove, faultAt } = writing;
  const path = [...at, "issuers"];
  const ids = useRowIds(issuers ?? []);
  const fault = faultAt(path);
  return (
    <div className="grid min-w-0 gap-4">
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-0 grow sm:max-w-xs">
          <Select
            label="Who may issue its tasks"
            value={issuers === undefined ? people : listed}
            options={[people, listed]}
            fault={fault}
            onValue={(value) => set(path, value === people ? undefined : [{ agent_kind: "user" }])}
          />
        </div>
        {issuers !== undefined && (
          <Button onClick={() => add(path, { agent_kind: "agent" })}>
            Add an issuer<span className="sr-only"> of {named}</span>
          </Button>
        )}
      </div>
      {issuers?.length === 0 && <p className="text-sm text-ink-soft">Nobody is named: nobody may.</p>}
      {issuers !== undefined && issuers.length > 0 && (
        <ol aria-label={`Issuers of ${named}`} className="grid gap-4">
          {issuers.map(({ kind, id }, index) => (
            <li key={ids[index]} className="grid items-start gap-3 sm:grid-cols-[10rem_minmax(0,1fr)_auto]">
              <Select
                label={`Kind of issuer ${index + 1}`}
                value={kind}
                options={[...new Set([...kinds, kind])]}
                fault={faultAt([...path, index]) ?? faultAt([...path, index, "agent_kind"])}
                onValue={(value) => set([...path, index, "agent_kind"], value)}
              />
              <NamedField
                label={`Id of issuer ${index + 1}, or any of the kind`}
                value={id}
                options={kind === "agent" ? packs : []}
                fault={faultAt([...path, index, "agent_id"])}
                onValue={(value) => set([...path, index, "agent_id"], optional(value))}
              />
              <div className="sm:pt-[1.625rem]">
                <Button onClick={() => remove([...path, index], "keep")}>
                  Remove
                  <span className="sr-only">
                    {" "}
                    issuer {index + 1} of {named}
                  </span>
                </Button>
              </div>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
