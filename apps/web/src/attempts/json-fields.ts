/**
 * Envelope and result are the contract's JSON as it was kept. The pages read of it what they show, and show what a later
 * version added as it stands: nothing here takes a field for granted.
 */
export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
export const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0);
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textsOf = (value: unknown): string[] => listOf(value).filter((one) => typeof one === "string");
/** Whether there is anything in it at all. */
export const isGiven = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== "" &&
  JSON.stringify(value) !== "{}" &&
  JSON.stringify(value) !== "[]";
