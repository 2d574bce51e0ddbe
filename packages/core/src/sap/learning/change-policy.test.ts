import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseRoutingPolicy, type RoutingPolicy } from "../../documents/routing-policy.ts";
import { diffRoutingPolicies } from "../../documents/routing-policy-diff.ts";
import { principleRule, section } from "../testing/task.ts";
import { changePolicyText, isMoot, nextVersion } from "./change-policy.ts";
import type { PolicyChange } from "./proposal.ts";

const playbook: PolicyChange = {
  kind: "playbook",
  capability: "consult",
  territory: "EUFM",
  text: "From corrected results:\n- Cite.",
};
const threshold: PolicyChange = { kind: "threshold", principle: "calm", escalateAbove: 40 };
const essence: PolicyChange = { kind: "essence", capability: "consult", exclude: ["seed"], foldText: true };

const read = (text: string): RoutingPolicy => {
  const parsed = parseRoutingPolicy(text);
  if (parsed.kind === "valid") return parsed.document;
  throw new Error(JSON.stringify(parsed.faults));
};

const applied = (text: string, change: PolicyChange): string =>
  changePolicyText(text, "9.0.1", read(text), change);

describe("the policy that is changed", () => {
  const example = readFileSync(
    new URL("../../../../../examples/config/routing-policy.yaml", import.meta.url),
    "utf8",
  );
  const withSap = `${example}
# What people and results taught us.
sap_policy:
  capabilities:
    - capability: consult # the adviser
      issuers: [{ agent_kind: system }]
      essence: { exclude: [trace] }
  principles:
    - principle: calm
      escalate_above: 60   # asked for often
  playbooks:
    - { capability: consult, territory: EUFM, text: "Begin with the sources." }
`;
  test.each([
    ["playbook", playbook],
    ["threshold", threshold],
    ["essence", essence],
  ] as const)("SAP-59 a %s is all that changes, wherever the policy stands", (_kind, change) => {
    const json = JSON.stringify({
      routing_policy: {
        version: "1.0.0",
        routes: [],
        admission: {
          max_global_queue_depth: 1,
          max_per_pack_concurrent: 1,
          circuit_breaker: { error_threshold: 1, window: "1s", half_open_after: "1s" },
        },
        defaults: { max_candidate_agents: 1, require_healthy: true },
      },
    });
    for (const text of [example, withSap, json]) {
      const before = read(text);
      expect(isMoot(change, before.sap)).toBe(false);
      const after = read(applied(text, change));
      expect(isMoot(change, after.sap)).toBe(true);
      expect(diffRoutingPolicies({ ...before, sap: section() }, { ...after, sap: section() })).toEqual({
        ...diffRoutingPolicies({ ...before, sap: section() }, { ...before, sap: section() }),
        versions: { before: before.version, after: "9.0.1" },
      });
    }
  });

  test("SAP-59 comments and order stay, and so do the other entries", () => {
    for (const change of [playbook, threshold, essence]) {
      const text = applied(withSap, change);
      const kept = new Set(text.split("\n").map((line) => line.trim()));
      const gone = withSap
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => !kept.has(line));
      expect(gone.length).toBeLessThanOrEqual(2);
      expect(text).toContain("# What people and results taught us.");
      expect(text).toContain("# the adviser");
    }
    expect(read(applied(withSap, threshold)).sap?.principles).toMatchObject([{ escalateAbove: 40 }]);
    expect(read(applied(withSap, essence)).sap?.capabilities).toMatchObject([
      {
        issuers: [{ agentKind: "system" }],
        essence: { exclude: ["trace", "seed"], foldText: true },
      },
    ]);
  });

  test("SAP-59 a playbook that was learnt is brought up to date; one that somebody wrote is left", () => {
    const once = applied(withSap, playbook);
    const more = { ...playbook, text: `${playbook.text}\n- Ask.` };
    const twice = changePolicyText(once, "9.0.2", read(once), more);
    expect(read(twice).sap?.playbooks.map(({ text }) => text)).toEqual([
      "Begin with the sources.",
      more.text,
    ]);
  });

  test("SAP-59 what could not act is no change", () => {
    const rule = principleRule("calm", { refuseAbove: 30 });
    expect(isMoot(threshold, section({ principles: [rule] }))).toBe(true);
    expect(nextVersion("1.2.3")).toBe("1.2.4");
    expect(nextVersion("1.2.3-rc.1")).toBe("1.2.3");
  });
});
