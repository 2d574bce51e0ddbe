import type { YamlPath, YamlValue } from "@signalbox/core/edit-yaml";

export type Mapping = Readonly<Record<string, unknown>>;

/** What is not as it should be reads as not said; the check says so at its place. */
export const mapping = (value: unknown): Mapping =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
export const textsOf = (value: unknown): readonly string[] => list(value).map(textOf);

export const optional = (value: string): string | undefined => (value === "" ? undefined : value);

/** What is a number to the letter becomes one; anything else stays what was typed, for the check to judge. */
export const numberTyped = (value: string): YamlValue | undefined =>
  /^\d{1,9}(\.\d{1,6})?$/.test(value) && String(Number(value)) === value ? Number(value) : optional(value);

/** As the check writes a place; the form's own places have plain keys alone. */
export const placeOf = (path: YamlPath): string =>
  path
    .map((step, index) => (typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join("");
