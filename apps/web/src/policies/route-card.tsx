import { useId, useState } from "react";
import type { YamlPath, YamlValue } from "@signalbox/core/edit-yaml";
import { Button } from "../ui/button.tsx";
import { Field, Select } from "../ui/field.tsx";
import type { KnownNames } from "../documents/known-names.ts";
import type { RouteOutline } from "./policy-outline.ts";

type RouteCardProps = {
  route: RouteOutline;
  index: number;
  names: KnownNames;
  onSet: (path: YamlPath, value: YamlValue | undefined) => void;
  onAddPack: (packId: string) => void;
  onRemove: () => void;
};

const asTask = "as the task says";
const tiers = [asTask, "LOW", "NORMAL", "CRITICAL"];
const byDefault = "as the defaults say";
const person = "a person is asked";
const nobody = "whoever is best";

export function RouteCard({ route, index, names, onSet, onAddPack, onRemove }: RouteCardProps) {
  const named = route.taskType === "" ? `route ${index + 1}` : route.taskType;
  const packs = names.packs.map(({ packId }) => packId);
  const fallback = { unsaid: byDefault, person, pack: "" }[route.fallback.kind];
  const current = route.fallback.kind === "pack" ? route.fallback.packId : fallback;
  return (
    <fieldset className="board min-w-0 px-5 pt-3 pb-5">
      <legend className="sr-only">Route of {named}</legend>
      <div className="grid gap-5 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <TaskType value={route.taskType} names={names} onValue={(value) => onSet(["task_type"], value)} />
        <Allowed
          named={named}
          allowed={route.allowed}
          packs={packs}
          onAdd={onAddPack}
          onRemove={(place) => onSet(["allowed_pack_ids", place], undefined)}
        />
      </div>
      <div className="mt-5 grid gap-5 sm:grid-cols-3">
        <Select
          label="Preferred"
          value={route.preferred === "" ? nobody : route.preferred}
          options={[...new Set([nobody, ...(route.preferred ? [route.preferred] : []), ...route.allowed])]}
          onValue={(value) => onSet(["preferred_pack_id"], value === nobody ? undefined : value)}
        />
        <Select
          label="Least risk tier"
          value={route.minRiskTier === "" ? asTask : route.minRiskTier}
          options={tiers.includes(route.minRiskTier) ? tiers : [...tiers, route.minRiskTier].filter(Boolean)}
          onValue={(value) => onSet(["min_risk_tier"], value === asTask ? undefined : value)}
        />
        <Select
          label="If none of them is able"
          value={current}
          options={[...new Set([byDefault, person, current, ...packs])]}
          onValue={(value) =>
            onSet(["fallback_pack_id"], value === byDefault ? undefined : value === person ? null : value)
          }
        />
      </div>
      <div className="mt-5">
        <Button onClick={onRemove}>
          Remove<span className="sr-only"> the route of {named}</span>
        </Button>
      </div>
    </fieldset>
  );
}

function TaskType({
  value,
  names,
  onValue,
}: {
  value: string;
  names: KnownNames;
  onValue: (value: string) => void;
}) {
  const listId = useId();
  return (
    <div className="min-w-0">
      <Field label="Task type" value={value} onValue={onValue} list={listId} spellCheck={false} />
      <datalist id={listId}>
        {names.taskTypes.map((taskType) => (
          <option key={taskType}>{taskType}</option>
        ))}
      </datalist>
    </div>
  );
}

type AllowedProps = {
  named: string;
  allowed: readonly string[];
  packs: readonly string[];
  onAdd: (packId: string) => void;
  onRemove: (place: number) => void;
};

function Allowed({ named, allowed, packs, onAdd, onRemove }: AllowedProps) {
  const listId = useId();
  const [text, setText] = useState("");
  const add = () => {
    const packId = text.trim();
    if (packId === "" || allowed.includes(packId)) return;
    onAdd(packId);
    setText("");
  };
  return (
    <div className="min-w-0">
      <p className="mb-1.5 text-sm font-medium">Packs that may do it</p>
      <ul aria-label={`Packs that may do ${named}`} className="flex flex-wrap gap-2">
        {allowed.map((packId, place) => (
          <li
            key={packId}
            className="anywhere inline-flex items-center rounded-[3px] border border-track/60 pl-2 font-mono text-xs"
          >
            {packId}
            <button
              type="button"
              aria-label={`Remove ${packId} from ${named}`}
              className="min-h-8 px-2.5 text-ink-soft hover:text-ink"
              onClick={() => onRemove(place)}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <div className="mt-2 flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <Field
            label="Add a pack"
            list={listId}
            value={text}
            onValue={setText}
            spellCheck={false}
            placeholder="its id, or id@^1.2.0"
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              event.preventDefault();
              add();
            }}
          />
        </div>
        <Button onClick={add}>Add</Button>
      </div>
      <datalist id={listId}>
        {packs
          .filter((packId) => !allowed.includes(packId))
          .map((packId) => (
            <option key={packId}>{packId}</option>
          ))}
      </datalist>
    </div>
  );
}
