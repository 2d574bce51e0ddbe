import { personalDataRules } from "./personal-data.ts";
import { FIELD_RULE, LENGTH_RULE, POLICY_RULE } from "./redact-value.ts";
import { secretRules } from "./secret-rules.ts";

/** `always` holds for every text that is written; `policy` where the policy asks for it. */
export type CataloguedRule = {
  readonly id: string;
  readonly description: string;
  readonly applies: "always" | "policy";
};

/** Every rule that a marker may name, but for a tenant's own patterns, which their policy names. */
export const redactionRules: readonly CataloguedRule[] = [
  ...secretRules.map(({ id, description }): CataloguedRule => ({ id, description, applies: "always" })),
  {
    id: FIELD_RULE,
    description: "A field whose name is that of a credential, in any spelling",
    applies: "always",
  },
  ...personalDataRules.map(({ id, description }): CataloguedRule => ({ id, description, applies: "policy" })),
  { id: POLICY_RULE, description: "A field that the policy always masks", applies: "policy" },
  {
    id: LENGTH_RULE,
    description: "What is beyond the length that the policy gives a field",
    applies: "policy",
  },
];
