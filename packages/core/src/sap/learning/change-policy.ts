import { inc } from "semver";
import { addToYaml, readYaml, setInYaml, type YamlPath, type YamlValue } from "../../documents/edit-yaml.ts";
import type { RoutingPolicy } from "../../documents/routing-policy.ts";
import type { SapSection } from "../../documents/sap-section.ts";
import { LEARNT_PLAYBOOK } from "./propose-playbook.ts";
import type { PolicyChange } from "./proposal.ts";

/** SAP-59: whether the policy says already what is proposed, or stands where the proposal can do nothing. */
export function isMoot(change: PolicyChange, section: SapSection | undefined): boolean {
  switch (change.kind) {
    case "playbook":
      return (section?.playbooks ?? []).some(
        ({ capability, territory, text }) =>
          capability === change.capability &&
          (territory ?? null) === change.territory &&
          text === change.text,
      );
    case "threshold": {
      const rule = section?.principles.find(({ principle }) => principle === change.principle);
      return (
        rule?.escalateAbove === change.escalateAbove ||
        (rule?.refuseAbove !== undefined && rule.refuseAbove < change.escalateAbove)
      );
    }
    case "essence":
    default: {
      const rule = section?.capabilities.find(({ capability }) => capability === change.capability)?.essence;
      const excluded = change.exclude.every((path) => rule?.exclude.includes(path) === true);
      return excluded && (!change.foldText || rule?.foldText === true);
    }
  }
}

/** The version after this one, as far as there is one. */
export const nextVersion = (version: string): string | undefined => inc(version, "patch") ?? undefined;

/** SAP-59: the policy's text with the change in it, under its new version; comments and order stay. */
export function changePolicyText(
  text: string,
  version: string,
  policy: RoutingPolicy,
  change: PolicyChange,
): string {
  const named = setInYaml(text, ["routing_policy", "version"], version);
  switch (change.kind) {
    case "playbook":
      return withPlaybook(named, policy.sap, change);
    case "threshold":
      return withThreshold(named, policy.sap, change);
    case "essence":
    default:
      return withEssence(named, policy.sap, change);
  }
}

type Of<K extends PolicyChange["kind"]> = Extract<PolicyChange, { kind: K }>;

/** An entry of its own, unless an earlier one of the same kind was learnt for the same work: that is brought up to date. */
function withPlaybook(
  text: string,
  section: SapSection | undefined,
  { capability, territory, text: said }: Of<"playbook">,
): string {
  const at = (section?.playbooks ?? []).findIndex(
    (one) =>
      one.capability === capability &&
      (one.territory ?? null) === territory &&
      one.text.startsWith(LEARNT_PLAYBOOK),
  );
  if (at !== -1) return setInYaml(text, ["sap_policy", "playbooks", at, "text"], said);
  const entry = { capability, ...(territory === null ? {} : { territory }), text: said };
  return added(text, "playbooks", entry);
}

function withThreshold(
  text: string,
  section: SapSection | undefined,
  { principle, escalateAbove }: Of<"threshold">,
): string {
  const at = (section?.principles ?? []).findIndex((one) => one.principle === principle);
  if (at === -1) return added(text, "principles", { principle, escalate_above: escalateAbove });
  return setInYaml(text, ["sap_policy", "principles", at, "escalate_above"], escalateAbove);
}

function withEssence(
  text: string,
  section: SapSection | undefined,
  { capability, exclude, foldText }: Of<"essence">,
): string {
  const at = (section?.capabilities ?? []).findIndex((one) => one.capability === capability);
  const rule = section?.capabilities[at]?.essence;
  const all = [...new Set([...(rule?.exclude ?? []), ...exclude])];
  const fold = foldText ? { fold_text: true } : {};
  if (at === -1) return added(text, "capabilities", { capability, essence: { exclude: all, ...fold } });
  const path: YamlPath = ["sap_policy", "capabilities", at, "essence"];
  if (!isThere(text, path)) return setInYaml(text, path, { exclude: all, ...fold });
  const excluded = setInYaml(text, [...path, "exclude"], all);
  return foldText ? setInYaml(excluded, [...path, "fold_text"], true) : excluded;
}

/** A section, or a list of it, that is not there yet is made. */
function added(text: string, list: keyof SapSection, entry: YamlValue): string {
  if (!isThere(text, ["sap_policy"])) return setInYaml(text, ["sap_policy"], { [list]: [entry] });
  return addToYaml(text, ["sap_policy", list], entry);
}

function isThere(text: string, path: YamlPath): boolean {
  const read = readYaml(text)?.value;
  const found = path.reduce<unknown>(
    (value, step) => (typeof value === "object" && value !== null ? Reflect.get(value, step) : undefined),
    read,
  );
  return found !== undefined && found !== null;
}
