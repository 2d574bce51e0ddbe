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
