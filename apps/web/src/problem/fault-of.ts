import { problemOf } from "./problem.ts";

/** What the server finds wrong with a field, to be shown beside it. */
export function faultOf(thrown: unknown, field: string): string | undefined {
  if (thrown === null || thrown === undefined) return undefined;
  const found = problemOf(thrown).violations.find((violation) => violation.field === field);
  return found === undefined ? undefined : `This ${found.message}.`;
}

/** Whether every fault stands beside its field, so that nothing more needs to be said. */
export const isAllBeside = (thrown: unknown, fields: readonly string[]): boolean => {
  const { violations } = problemOf(thrown);
  return violations.length > 0 && violations.every(({ field }) => fields.includes(field));
};
