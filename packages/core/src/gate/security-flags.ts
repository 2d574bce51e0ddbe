import type { SafetyContext, SecurityFlags } from "@signalbox/contracts";

type FlagKey = Exclude<keyof SecurityFlags, `$${string}`>;

const flags: readonly { readonly key: FlagKey; readonly name: string }[] = [
  { key: "touchesAuth", name: "touches_auth" },
  { key: "touchesSchema", name: "touches_schema" },
  { key: "touchesBilling", name: "touches_billing" },
  { key: "touchesSecrets", name: "touches_secrets" },
];

/** GATE-21: the flags that are set and that the stage's escalation policy names, as `touches_auth` or `auth`. */
export function flagsThatCall(safety: SafetyContext | undefined, escalateOn: readonly string[]): string[] {
  if (safety?.securityFlags === undefined) return [];
  const asked = new Set(escalateOn.map((name) => name.trim().toLowerCase()));
  return flags
    .filter(
      ({ key, name }) =>
        safety?.securityFlags?.[key] === true &&
        (asked.has(name) || asked.has(name.slice("touches_".length))),
    )
    .map(({ name }) => name);
}
