import { cloudRules } from "./rules/cloud.ts";
import { developmentRules } from "./rules/development.ts";
import { serviceRules } from "./rules/service.ts";
import { structureRules } from "./rules/structure.ts";
import type { SecretRule } from "./secret-rule.ts";

/** The built-in rules, the more telling first: where several match one place, its marker names the first. */
export const secretRules: readonly SecretRule[] = [
  ...cloudRules,
  ...developmentRules,
  ...serviceRules,
  ...structureRules,
];

const certain: ReadonlySet<string> = new Set(
  secretRules
    .filter(({ shape: { kind } }) => kind === "token" || kind === "armor" || kind === "jwt")
    .map(({ id }) => id),
);

/** Whether what the rule masks is a secret by its own form, and not only by a name beside it or by its randomness. */
export const isCertainRule = (id: string): boolean => certain.has(id);
