import { RiskTier } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { manifest, orchestrator } from "../dispatch/testing/registry.ts";
import { parseRoutingPolicy } from "./routing-policy.ts";
import { examineRoutingPolicy } from "./routing-policy-findings.ts";

const textOf = (routes: string, fallback = "null") => `routing_policy:
  version: "1.0.0"
  routes:
${routes}
  admission:
    max_global_queue_depth: 50
    max_per_pack_concurrent: 3
    circuit_breaker: { error_threshold: 5, window: "60s", half_open_after: "120s" }
  defaults: { fallback_pack_id: ${fallback}, max_candidate_agents: 3, require_healthy: true }
`;
const careful = manifest("careful", { supportedTaskTypes: ["build", "review"] });
const quick = manifest("quick", {
  safetyTier: RiskTier.LOW,
  supportedTaskTypes: ["build"],
  interface: { supportedSchemaVersions: ["^1.0.0"], acceptedRiskTiers: ["RISK_TIER_LOW"] },
});
function examine(text: string, wanted: [string, string][] = [], packs = [careful, quick]) {
  const read = parseRoutingPolicy(text);
  if (read.kind === "refused") throw new Error(JSON.stringify(read.faults));
  const surroundings = { packs, orchestrator, wanted: new Map(wanted), templates: new Set(["release"]) };
  return examineRoutingPolicy(read.document, text, surroundings).map(
    ({ rule, severity, line, column, message }) => `${severity} ${rule} ${line}:${column} ${message}`,
  );
}

test("DOC-31 a tier at which nobody takes a task is a dead end, with what stands against each", () => {
  const text = textOf("    - task_type: build\n      allowed_pack_ids: [quick]");
  expect(examine(text, [], [quick])).toEqual([
    'warning dead_end 4:18 at normal and critical risk a "build" has nowhere to go, though everybody is well: ' +
      "a person is asked. quick: version 1.0.0 does not accept the task's risk tier.",
    'note single_pack 5:25 at low risk only quick takes a "build": when it is away for too long, a person is asked',
  ]);
});

test("DOC-31 the least tier of a route is what is asked, and a fallback is somewhere to go", () => {
  const text = textOf(
    "    - task_type: build\n      allowed_pack_ids: [quick]\n      min_risk_tier: LOW\n      fallback_pack_id: careful",
  );
  expect(examine(text).filter((one) => one.includes("dead_end"))).toEqual([]);
});

test("DOC-32 a pack that no task of a route can reach is named by its place", () => {
  const text = textOf(
    "    - task_type: build\n      allowed_pack_ids: [careful, quick]\n      min_risk_tier: CRITICAL",
  );
  expect(examine(text)).toContain(
    'warning unqualified_pack 5:35 never gets a "build", at whatever risk. ' +
      "quick: version 1.0.0 does not accept the task's risk tier.",
  );
});

test("DOC-32 a pack that does not say it can do it is named, with what it says", () => {
  const text = textOf("    - task_type: review\n      allowed_pack_ids: [careful, quick]");
  expect(examine(text, [["build", "nobody"]])).toContain(
    'warning unqualified_pack 5:35 quick does not say that it can do "review"; it says: build',
  );
});

test("DOC-32 an unregistered pack is a fault, and not told twice", () => {
  const text = textOf("    - task_type: review\n      allowed_pack_ids: [careful, nobody]");
  expect(examine(text).filter((one) => one.includes("unqualified"))).toEqual([]);
});

test("DOC-33 a task type without a route is a warning where a template asks for it, and a note where a pack offers it", () => {
  const text = textOf("    - task_type: review\n      allowed_pack_ids: [careful]", "careful");
  expect(examine(text, [["ship", "template release, stage ship,"]])).toEqual([
    'warning no_route 4:5 no route for "ship", which template release, stage ship, asks for: each such task asks a person',
    'note no_route 4:5 no route for "build", which quick says it can do',
    'note single_pack 5:25 at whatever risk only careful takes a "review": when it is away for too long, a person is asked',
  ]);
});

test("DOC-34 two that can are nobody's worry", () => {
  const text = textOf("    - task_type: review\n      allowed_pack_ids: [careful, other]");
  const other = manifest("other", { supportedTaskTypes: ["review"] });
  expect(examine(text, [], [manifest("careful", { supportedTaskTypes: ["review"] }), other])).toEqual([]);
});

test("DOC-35 a capability of sap_policy whose template or task type is not there is told by its place", () => {
  const text = `${textOf("    - task_type: build\n      allowed_pack_ids: [careful, quick]")}sap_policy:
  capabilities:
    - { capability: ship, template_id: release }
    - { capability: build }
    - { capability: lost, template_id: nowhere }
    - { capability: paint, task_type: painting }
    - { capability: sing }
`;
  expect(examine(text).filter((one) => one.includes("unserved_capability"))).toEqual([
    'warning unserved_capability 15:40 no template "nowhere" is active: each task of SAP for "lost" is refused',
    'warning unserved_capability 16:39 no route for the task type "painting": each task of SAP for "paint" is refused',
    'warning unserved_capability 17:21 no route for the task type "sing": each task of SAP for "sing" is refused',
  ]);
});
