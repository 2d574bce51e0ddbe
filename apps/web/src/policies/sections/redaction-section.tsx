import { useQuery } from "@tanstack/react-query";
import type { YamlPath } from "@signalbox/core/edit-yaml";
import { redactionInForce } from "../../settings/redaction-queries.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Entries, EntryCard, Part } from "./entry-card.tsx";
import { NameTokens } from "./name-tokens.tsx";
import { numberTyped } from "./plain-values.ts";
import type { RedactionOutline } from "./section-outline.ts";
import type { Writing } from "./writing.ts";

const section = "redaction_policy";
const rules = ["secrets", "strip_lines", "personal_data"];

type RedactionProps = { outline: RedactionOutline | undefined; writing: Writing };

export function RedactionSection({ outline, writing }: RedactionProps) {
  const { set, add, remove, faultAt, faultIn } = writing;
  if (outline === undefined) return <NoRedaction onBegin={(begun) => set([section], begun)} />;
  return (
    <Panel
      heading="Redaction"
      aside={
        <Button onClick={() => set([section], undefined)}>
          Remove<span className="sr-only"> the section of redaction</span>
        </Button>
      }
    >
      <div className="grid gap-8">
        <p className="max-w-prose text-sm text-ink-soft">
          It takes the place of what is built in. Secrets that are recognised are masked in every text all the
          same.
        </p>
        {faultAt([section]) !== undefined && <p role="alert">{faultAt([section])}</p>}
        <NameTokens
          heading="Always masked"
          label="Always masked"
          of="what is always masked"
          names={outline.always}
          addLabel="Mask another field"
          placeholder="**/*.token"
          fault={faultIn([section, "always_redact"])}
          onAdd={(path) => add([section, "always_redact"], path)}
          onRemove={(place) => remove([section, "always_redact", place], "keep")}
        />
        <Part
          heading="Masked by rule"
          add={
            <Button onClick={() => add([section, "conditional_redact"], { field: "", rule: "secrets" })}>
              Add a rule of redaction
            </Button>
          }
        >
          <Entries
            label="Masked by rule"
            entries={outline.conditional}
            none="No field has a rule of its own."
          >
            {(rule, index) => (
              <Rule rule={rule} at={[section, "conditional_redact", index]} index={index} writing={writing} />
            )}
          </Entries>
          <p className="max-w-prose text-sm text-ink-soft">
            “secrets” masks what is recognised as one, “strip_lines” leaves out lines that hold one,
            “personal_data” also masks addresses, telephone and social security numbers.
          </p>
        </Part>
        <NameTokens
          heading="Enforcement"
          label="Enforcement"
          of="enforcement"
          names={outline.enforcement}
          addLabel="Add a sentence on enforcement"
          hint="For people to read; nothing is masked by it."
          fault={faultIn([section, "enforcement"])}
          onAdd={(sentence) => add([section, "enforcement"], sentence)}
          onRemove={(place) => remove([section, "enforcement", place], "keep")}
        />
      </div>
    </Panel>
  );
}

type RuleProps = {
  rule: RedactionOutline["conditional"][number];
  at: YamlPath;
  index: number;
  writing: Writing;
};

function Rule({ rule: { field, rule, maxLength }, at, index, writing: { set, remove, faultAt } }: RuleProps) {
  return (
    <EntryCard
      named={`Redaction of ${field === "" ? `field ${index + 1}` : field}`}
      fault={faultAt(at)}
      onRemove={() => remove(at, "keep")}
    >
      <div className="grid gap-5 sm:grid-cols-3">
        <Field
          label="Field"
          value={field}
          spellCheck={false}
          placeholder="evidence_item.output"
          fault={faultAt([...at, "field"])}
          onValue={(value) => set([...at, "field"], value)}
        />
        <Select
          label="Rule"
          value={rule}
          options={[...new Set([...rules, rule])]}
          fault={faultAt([...at, "rule"])}
          onValue={(value) => set([...at, "rule"], value)}
        />
        <Field
          label="Most characters kept"
          inputMode="numeric"
          value={maxLength}
          hint="Empty: all."
          fault={faultAt([...at, "max_length"])}
          onValue={(value) => set([...at, "max_length"], numberTyped(value))}
        />
      </div>
    </EntryCard>
  );
}

type Begun = {
  always_redact: readonly string[];
  conditional_redact: readonly { [key: string]: string | number }[];
};

/** An empty section would take away what is built in: it begins as what holds now, so that nothing is unmasked by adding it. */
function NoRedaction({ onBegin }: { onBegin: (begun: Begun) => void }) {
  const { data, isError } = useQuery(redactionInForce());
  const reason = isError ? "What is in force could not be read." : "What is in force is being read.";
  return (
    <Panel
      heading="Redaction"
      aside={
        <Button
          unavailable={data === undefined ? reason : undefined}
          onClick={() => {
            if (data === undefined) return;
            onBegin({
              always_redact: data.alwaysRedact,
              conditional_redact: data.conditionalRedact.map(({ field, rule, maxLength }) =>
                maxLength === null ? { field, rule } : { field, rule, max_length: maxLength },
              ),
            });
          }}
        >
          Add a section of redaction
        </Button>
      }
    >
      <p className="max-w-prose text-sm text-ink-soft">
        This policy says nothing of it, so that what is built in holds. A section begins as what is in force.
      </p>
    </Panel>
  );
}
