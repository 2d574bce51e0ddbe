import { readYaml } from "@signalbox/core/edit-yaml";
import { list, type Mapping, mapping, textOf } from "./sections/plain-values.ts";
import { type SectionOutlines, sectionsOf, shownSections } from "./sections/section-outline.ts";

/** What the form shows of a text of any shape: what is not as it should be reads as not said, and the check says so. */
export type PolicyOutline = {
  readonly version: string;
  readonly routes: readonly RouteOutline[];
  readonly admission: Readonly<Record<string, unknown>>;
  readonly breaker: Readonly<Record<string, unknown>>;
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly sections: SectionOutlines;
  /** What the form has no place for. */
  readonly others: readonly string[];
};
export type RouteOutline = {
  readonly taskType: string;
  readonly allowed: readonly string[];
  readonly preferred: string;
  readonly minRiskTier: string;
  readonly fallback: Fallback;
};
/** D23: a route that says nothing takes the default's; null asks a person. */
export type Fallback = { kind: "unsaid" } | { kind: "person" } | { kind: "pack"; packId: string };

export const fallbackOf = (said: Mapping): Fallback => {
  if (!Object.hasOwn(said, "fallback_pack_id")) return { kind: "unsaid" };
  const packId = said["fallback_pack_id"];
  return packId === null ? { kind: "person" } : { kind: "pack", packId: textOf(packId) };
};

const shortTier = (tier: string) => tier.replace(/^RISK_TIER_/, "");

/** Undefined while the text is no YAML. */
export function outlineOf(text: string): PolicyOutline | undefined {
  const read = readYaml(text);
  if (read === undefined) return undefined;
  const whole = mapping(read.value);
  const policy = mapping(whole["routing_policy"]);
  const admission = mapping(policy["admission"]);
  return {
    version: textOf(policy["version"]),
    routes: list(policy["routes"]).map((one): RouteOutline => {
      const route = mapping(one);
      return {
        taskType: textOf(route["task_type"]),
        allowed: list(route["allowed_pack_ids"]).map(textOf),
        preferred: textOf(route["preferred_pack_id"]),
        minRiskTier: shortTier(textOf(route["min_risk_tier"])),
        fallback: fallbackOf(route),
      };
    }),
    admission,
    breaker: mapping(admission["circuit_breaker"]),
    defaults: mapping(policy["defaults"]),
    sections: sectionsOf(whole),
    others: Object.keys(whole).filter((key) => key !== "routing_policy" && !shownSections.has(key)),
  };
}

/** The next version that nobody has yet: a policy's changes are seldom compatible, and never a mere mending. */
export function nextVersion(version: string, taken: ReadonlySet<string>): string {
  const [, major = "1", minor = "0"] = /^(\d+)\.(\d+)\./.exec(version) ?? [];
  for (let next = Number(minor) + 1; ; next += 1) {
    const name = `${major}.${next}.0`;
    if (!taken.has(name)) return name;
  }
}

/** Where nothing was published yet: what a policy needs, to begin with. */
export const firstPolicy = `# Who may do what. Comments are kept, also when the form is used.
routing_policy:
  version: "1.0.0"

  routes: []

  admission:
    max_global_queue_depth: 1000
    max_per_pack_concurrent: 10
    circuit_breaker:
      error_threshold: 5
      window: "60s"
      half_open_after: "2m"

  defaults:
    # null: a person is asked where no pack is able.
    fallback_pack_id: null
    max_candidate_agents: 3
    require_healthy: true
`;
