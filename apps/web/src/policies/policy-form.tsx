import { useId, useRef } from "react";
import { addToYaml, setInYaml, type YamlPath, type YamlValue } from "@signalbox/core/edit-yaml";
import { Button } from "../ui/button.tsx";
import { Field, Select } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import type { DocumentFault } from "../documents/document-queries.ts";
import type { KnownNames } from "../documents/known-names.ts";
import { fallbackOf, outlineOf, type PolicyOutline } from "./policy-outline.ts";
import { RouteCard } from "./route-card.tsx";
import { AnswersSection } from "./sections/answers-section.tsx";
import { HandoffsSection } from "./sections/handoffs-section.tsx";
import { optional, textOf } from "./sections/plain-values.ts";
import { RedactionSection } from "./sections/redaction-section.tsx";
import { SapSection } from "./sections/sap-section.tsx";
import { writingOn } from "./sections/writing.ts";
import { useRowIds } from "../ui/use-row-ids.ts";

type FormProps = { text: string; onText: (text: string) => void; names: KnownNames };
type WholeFormProps = FormProps & {
  /** What the check last said. */
  faults: readonly DocumentFault[];
  /** Why this person may not write. */
  refusal: string | undefined;
};

/** The same document as the YAML, field by field: what is changed here is changed there, and nothing else of it. */
export function PolicyForm({ text, onText, names, faults, refusal }: WholeFormProps) {
  const refusalId = useId();
  /** The place of the route that was just added: it stands below all others, and the focus goes there. */
  const begun = useRef<number>(undefined);
  const outline = outlineOf(text);
  const routeIds = useRowIds(outline?.routes ?? []);
  if (outline === undefined) {
    return (
      <Notice aspect="caution" title="The text cannot be read as YAML now">
        <p>Mend it in the YAML view; the form comes back by itself.</p>
      </Notice>
    );
  }
  const set = (path: YamlPath, value: YamlValue | undefined) => onText(setInYaml(text, path, value));
  const writing = writingOn(text, onText, faults);
  const { redaction, guardrails, sap, handoffs } = outline.sections;
  const routed = outline.routes.map(({ taskType }) => taskType);
  return (
    <fieldset
      disabled={refusal !== undefined}
      aria-describedby={refusal === undefined ? undefined : refusalId}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-10"
    >
      <legend className="sr-only">The policy as a form</legend>
      {refusal !== undefined && (
        <p id={refusalId} className="text-sm text-ink-soft">
          {refusal}
        </p>
      )}
      <Panel
        heading="Routes"
        aside={
          <AddRoute
            text={text}
            names={names}
            onText={(next) => {
              begun.current = outline.routes.length;
              onText(next);
            }}
          />
        }
      >
        {outline.routes.length === 0 ? (
          <p className="text-sm text-ink-soft">
            No task type has a route yet: each task would ask a person. Add the first.
          </p>
        ) : (
          <ol className="grid gap-4">
            {outline.routes.map((route, index) => (
              <li
                key={routeIds[index]}
                ref={(item) => {
                  if (item === null || begun.current !== index) return;
                  begun.current = undefined;
                  // Selected, since what one types is instead of the name that was made up, and not behind it.
                  item.querySelector("input")?.select();
                }}
              >
                <RouteCard
                  route={route}
                  index={index}
                  names={names}
                  onSet={(field, value) => set(["routing_policy", "routes", index, ...field], value)}
                  onAddPack={(packId) =>
                    onText(addToYaml(text, ["routing_policy", "routes", index, "allowed_pack_ids"], packId))
                  }
                  onRemove={() => set(["routing_policy", "routes", index], undefined)}
                />
              </li>
            ))}
          </ol>
        )}
      </Panel>
      <div className="grid gap-10 lg:grid-cols-2">
        <Admission outline={outline} onSet={set} />
        <Defaults outline={outline} names={names} onSet={set} />
      </div>
      <RedactionSection outline={redaction} writing={writing} />
      <AnswersSection guardrails={guardrails} writing={writing} />
      <SapSection outline={sap} routed={routed} names={names} writing={writing} />
      <HandoffsSection handoffs={handoffs} routed={routed} names={names} writing={writing} />
      {outline.others.length > 0 && (
        <p className="text-sm text-ink-soft">
          This policy also has {outline.others.map((name) => `“${name}”`).join(" and ")}, written in the YAML
          view.
        </p>
      )}
    </fieldset>
  );
}

type Set = (path: YamlPath, value: YamlValue | undefined) => void;

const at = (...path: string[]) => ["routing_policy", "admission", ...path];

/** Digits become a number; anything else stays what was typed, for the check to judge. */
const typed = (value: string): YamlValue => (/^\d{1,9}$/.test(value) ? Number(value) : value);

function Admission({
  outline: { version, admission, breaker },
  onSet,
}: {
  outline: PolicyOutline;
  onSet: Set;
}) {
  return (
    <Panel heading="Version and admission">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label="Version"
          value={version}
          onValue={(value) => onSet(["routing_policy", "version"], value)}
          spellCheck={false}
        />
        <Field
          label="Most stages in the queue"
          inputMode="numeric"
          value={textOf(admission["max_global_queue_depth"])}
          onValue={(value) => onSet(at("max_global_queue_depth"), typed(value))}
        />
        <Field
          label="Most tasks of one pack at once"
          inputMode="numeric"
          value={textOf(admission["max_per_pack_concurrent"])}
          onValue={(value) => onSet(at("max_per_pack_concurrent"), typed(value))}
        />
        <Field
          label="Longest wait for a busy pack"
          value={textOf(admission["max_wait"])}
          onValue={(value) => onSet(at("max_wait"), optional(value))}
          hint="Such as 10m. Empty: the usual."
        />
        <Field
          label="Breaker opens after failures"
          inputMode="numeric"
          value={textOf(breaker["error_threshold"])}
          onValue={(value) => onSet(at("circuit_breaker", "error_threshold"), typed(value))}
        />
        <Field
          label="… within"
          value={textOf(breaker["window"])}
          onValue={(value) => onSet(at("circuit_breaker", "window"), value)}
        />
        <Field
          label="… and is tried again after"
          value={textOf(breaker["half_open_after"])}
          onValue={(value) => onSet(at("circuit_breaker", "half_open_after"), value)}
        />
        <Field
          label="Grace for a pack that is away"
          value={textOf(admission["absence_grace"])}
          onValue={(value) => onSet(at("absence_grace"), optional(value))}
          hint="Such as 60s. Empty: the usual."
        />
        <Field
          label="Probation after a quarantine of"
          value={textOf(admission["probation_after"])}
          onValue={(value) => onSet(at("probation_after"), optional(value))}
          hint="Such as 1h. Empty: only a person restores it."
        />
      </div>
    </Panel>
  );
}

function Defaults({
  outline: { defaults },
  names,
  onSet,
}: {
  outline: PolicyOutline;
  names: KnownNames;
  onSet: Set;
}) {
  const id = useId();
  const fallback = fallbackOf(defaults);
  const ask = "a person is asked";
  const packs = names.packs.map(({ packId }) => packId);
  const current = fallback.kind === "pack" ? fallback.packId : ask;
  return (
    <Panel heading="Where a route says nothing">
      <div className="grid gap-5 sm:grid-cols-2">
        <Select
          label="Fallback"
          value={current}
          options={[...new Set([ask, current, ...packs])]}
          onValue={(value) =>
            onSet(["routing_policy", "defaults", "fallback_pack_id"], value === ask ? null : value)
          }
        />
        <Field
          label="Packs weighed at most"
          inputMode="numeric"
          value={textOf(defaults["max_candidate_agents"])}
          onValue={(value) => onSet(["routing_policy", "defaults", "max_candidate_agents"], typed(value))}
        />
        <label htmlFor={id} className="flex min-h-10 items-center gap-3 text-sm font-medium sm:col-span-2">
          <input
            id={id}
            type="checkbox"
            className="size-5 accent-plate"
            checked={defaults["require_healthy"] === true}
            onChange={(event) =>
              onSet(["routing_policy", "defaults", "require_healthy"], event.target.checked)
            }
          />
          Only instances that say they are healthy
        </label>
      </div>
    </Panel>
  );
}

function AddRoute({ text, onText, names }: FormProps) {
  return (
    <Button
      onClick={() => {
        const [first] = names.packs;
        const route = {
          task_type: unrouted(text, names),
          allowed_pack_ids: first === undefined ? [] : [first.packId],
          fallback_pack_id: null,
        };
        onText(addToYaml(text, ["routing_policy", "routes"], route));
      }}
    >
      Add a route
    </Button>
  );
}

/** A task type that packs can do and no route names yet. */
function unrouted(text: string, { taskTypes }: KnownNames): string {
  const routed = new Set(outlineOf(text)?.routes.map(({ taskType }) => taskType));
  return taskTypes.find((taskType) => !routed.has(taskType)) ?? "new-task-type";
}
