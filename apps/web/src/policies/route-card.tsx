import type { YamlPath, YamlValue } from "@signalbox/core/edit-yaml";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/field.tsx";
import type { KnownNames } from "../documents/known-names.ts";
import type { RouteOutline } from "./policy-outline.ts";
import { NamedField } from "../ui/named-field.tsx";
import { NameTokens } from "./sections/name-tokens.tsx";

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
        <NamedField
          label="Task type"
          value={route.taskType}
          options={names.taskTypes}
          onValue={(value) => onSet(["task_type"], value)}
        />
        <NameTokens
          heading="Packs that may do it"
          label={`Packs that may do ${named}`}
          of={named}
          names={route.allowed}
          options={packs}
          addLabel="Add a pack"
          placeholder="its id, or id@^1.2.0"
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
