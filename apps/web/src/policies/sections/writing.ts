import { addToYaml, readYaml, setInYaml, type YamlPath, type YamlValue } from "@signalbox/core/edit-yaml";
import { list, mapping, placeOf } from "./plain-values.ts";

/** How a section of the form writes the text, and what the check says of a place in it. */
export type Writing = {
  set: (path: YamlPath, value: YamlValue | undefined) => void;
  /** What is one change to whoever makes it. */
  change: (steps: readonly (readonly [YamlPath, YamlValue | undefined])[]) => void;
  add: (path: YamlPath, value: YamlValue) => void;
  /** Takes out an entry, and with the last of them the list where an empty one would be a fault or mean another thing. */
  remove: (path: YamlPath, keep: "keep" | "drop") => void;
  /** What is wrong with the value at this place. */
  faultAt: (path: YamlPath) => string | undefined;
  /** What is wrong with a list or with the texts in it. */
  faultIn: (path: YamlPath) => string | undefined;
};

type PlacedFault = { readonly path: string; readonly message: string };

export function writingOn(
  text: string,
  onText: (text: string) => void,
  faults: readonly PlacedFault[],
): Writing {
  const first = (holds: (path: string) => boolean) => faults.find(({ path }) => holds(path))?.message;
  return {
    set: (path, value) => onText(setInYaml(text, path, value)),
    change: (steps) => onText(steps.reduce((so, [path, value]) => setInYaml(so, path, value), text)),
    add: (path, value) => onText(addToYaml(text, path, value)),
    remove: (path, keep) => onText(removeEntry(text, path, keep)),
    faultAt: (path) => first((place) => place === placeOf(path)),
    faultIn: (path) => first((place) => place === placeOf(path) || place.startsWith(`${placeOf(path)}[`)),
  };
}

export function removeEntry(text: string, path: YamlPath, keep: "keep" | "drop"): string {
  const above = path.slice(0, -1);
  const isLast = list(valueAt(readYaml(text)?.value, above)).length === 1;
  return setInYaml(text, isLast && keep === "drop" ? above : path, undefined);
}

const valueAt = (whole: unknown, path: YamlPath): unknown =>
  path.reduce<unknown>(
    (found, step) => (typeof step === "number" ? list(found)[step] : mapping(found)[step]),
    whole,
  );
