import type { EssenceRule } from "../documents/sap-section.ts";

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** SAP-41: what of the payload makes two tasks the same, as the policy's rule for the capability says. */
export function essenceOf(payload: Json, { include, exclude, foldText }: EssenceRule): Json {
  const kept = include === undefined ? payload : only(payload, include.map(stepsOf));
  const essence = exclude.map(stepsOf).reduce<Json>((rest, steps) => without(rest, steps), kept);
  return foldText ? foldedObject(essence) : essence;
}

const stepsOf = (path: string): readonly string[] => path.split(".");

function only(payload: Json, paths: readonly (readonly string[])[]): Json {
  const byFirst = Map.groupBy(paths, ([first = ""]) => first);
  return objectOf(
    [...byFirst].flatMap(([first, all]): [string, unknown][] => {
      if (!Object.hasOwn(payload, first)) return [];
      const value = payload[first];
      const deeper = all.map((steps) => steps.slice(1));
      if (deeper.some((steps) => steps.length === 0)) return [[first, value]];
      return isObject(value) ? [[first, only(value, deeper)]] : [];
    }),
  );
}

function without(value: Json, [first = "", ...rest]: readonly string[]): Json {
  if (!Object.hasOwn(value, first)) return value;
  const inner = value[first];
  return objectOf(
    Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
      if (name !== first) return [[name, member]];
      return rest.length > 0 && isObject(inner)
        ? [[name, without(inner, rest)]]
        : rest.length > 0
          ? [[name, member]]
          : [];
    }),
  );
}

const folded = (value: unknown): unknown => {
  if (typeof value === "string") return value.normalize("NFC").trim().replaceAll(/\s+/g, " ").toLowerCase();
  if (Array.isArray(value)) return value.map(folded);
  return isObject(value) ? foldedObject(value) : value;
};

const foldedObject = (value: Json): Json =>
  objectOf(Object.entries(value).map(([name, member]): [string, unknown] => [name, folded(member)]));

/** A member may be called `__proto__`: it is data, as everything in a payload. */
const objectOf = (members: readonly (readonly [string, unknown])[]): Json => Object.fromEntries(members);
