import { expect, test } from "vitest";
import { policy, route } from "../dispatch/testing/registry.ts";
import { parseRoutingPolicy, printRoutingPolicy, type RoutingPolicy } from "../documents/routing-policy.ts";
import { refusalOf } from "../testing/refusal-of.ts";
import { capabilityOf } from "./capability.ts";
import { capabilityRule, sapTask, section } from "./testing/task.ts";

const known = (sap?: RoutingPolicy["sap"]): RoutingPolicy => ({
  ...policy([route("consult", ["adviser@^1.0.0", "other"])]),
  ...(sap && { sap }),
});

const targeting = (capability: string, agentId?: string) =>
  sapTask({ target: agentId === undefined ? { capability } : { capability, agentId } });

test("SAP-1 a capability without an entry is the task type of its name, where a route has one", () => {
  expect(capabilityOf(known(), targeting("consult")).work).toEqual({ case: "taskType", value: "consult" });
  expect(refusalOf(() => capabilityOf(known(), targeting("paint")))).toMatchObject({
    code: "NOT_FOUND",
    violations: [{ field: "target.capability", rule: "routable", message: 'nothing here offers "paint"' }],
  });
});

test("SAP-1 a capability is what the policy maps it to", () => {
  const sap = section({
    capabilities: [
      capabilityRule({ capability: "consult.align" }),
      capabilityRule({ capability: "build", work: { case: "templateId", value: "feature" } }),
      capabilityRule({ capability: "lost", work: { case: "taskType", value: "unrouted" } }),
    ],
  });
  expect(capabilityOf(known(sap), targeting("consult.align")).work.value).toBe("consult");
  expect(capabilityOf(known(sap), targeting("build")).work).toEqual({ case: "templateId", value: "feature" });
  expect(refusalOf(() => capabilityOf(known(sap), targeting("lost"))).code).toBe("NOT_FOUND");
});

test("SAP-2 a target is a pack that the route allows, and no part of a template", () => {
  const sap = section({
    capabilities: [capabilityRule({ capability: "build", work: { case: "templateId", value: "t" } })],
  });
  expect(capabilityOf(known(sap), targeting("consult", "adviser")).capability).toBe("consult");
  expect(
    refusalOf(() => capabilityOf(known(sap), targeting("consult", "painter"))).violations[0],
  ).toMatchObject({
    field: "target.agentId",
    message: '"painter" is no pack that may do "consult"',
  });
  expect(refusalOf(() => capabilityOf(known(sap), targeting("build", "adviser"))).violations[0]?.field).toBe(
    "target.agentId",
  );
});

const policyText = (sap: string) => `routing_policy:
  version: "1.0.0"
  routes: []
  admission:
    max_global_queue_depth: 1
    max_per_pack_concurrent: 1
    circuit_breaker: { error_threshold: 5, window: "60s", half_open_after: "30s" }
  defaults: { max_candidate_agents: 3, require_healthy: true }
sap_policy:
${sap}`;

const parsed = (sap: string) => parseRoutingPolicy(policyText(sap));

const faults = (sap: string) => {
  const read = parsed(sap);
  return read.kind === "refused" ? read.faults.map(({ line, path, message }) => [line, path, message]) : [];
};

test("SAP-3 the section is read, and printed as the same section", () => {
  const read = parsed(`  capabilities:
    - capability: consult.align
      template_id: consultation
      issuers: [{ agent_kind: agent, agent_id: prime }, { agent_kind: user }]
      essence: { include: [topic, options.depth], exclude: [options.seed], fold_text: true }
      max_cache_age: "24h"
    - capability: plain
  principles:
    - { principle: blueprint, checks: [tests, safety], escalate_above: 60, refuse_above: 90 }
    - principle: calm
  playbooks:
    - { capability: consult.align, territory: EUFM, text: "Begin with the sources." }`);
  if (read.kind === "refused") throw new Error(JSON.stringify(read.faults));
  expect(read.document.sap?.capabilities[0]).toEqual({
    capability: "consult.align",
    work: { case: "templateId", value: "consultation" },
    issuers: [
      { agentKind: "agent", agentId: "prime" },
      { agentKind: "user", agentId: undefined },
    ],
    essence: { include: ["topic", "options.depth"], exclude: ["options.seed"], foldText: true },
    maxCacheAgeMs: 86_400_000,
  });
  expect(read.document.sap?.capabilities[1]?.work).toEqual({ case: "taskType", value: "plain" });
  expect(read.document.sap?.principles[1]?.checks).toHaveLength(6);
  expect(parseRoutingPolicy(printRoutingPolicy(read.document))).toEqual(read);
});

test("SAP-3 what is said twice, or never acts, is refused with its line", () => {
  expect(faults(`  capabilities:\n    - capability: a\n    - capability: a`)).toEqual([
    [12, "sap_policy.capabilities[1].capability", expect.stringContaining("a second time")],
  ]);
  expect(
    faults(`  principles:\n    - { principle: p, escalate_above: 80, refuse_above: 70 }\n    - principle: p`),
  ).toEqual([
    [
      11,
      "sap_policy.principles[0].escalate_above",
      "is 80, above refuse_above (70): nobody would ever be asked",
    ],
    [12, "sap_policy.principles[1].principle", expect.stringContaining("a second time")],
  ]);
  expect(faults(`  capabilities:\n    - { capability: a, task_type: b, template_id: c }`)[0]?.[2]).toContain(
    "one or the other",
  );
  expect(faults(`  principles:\n    - { principle: p, checks: [prayer] }`)[0]?.[2]).toContain(
    "Allowed: evidence, tests",
  );
});
