import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RiskTier } from "@signalbox/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Fault, Parsed } from "./fault.ts";
import { parseRoutingPolicy, printRoutingPolicy, type RoutingPolicy } from "./routing-policy.ts";

const specPolicy = readFileSync(join(import.meta.dirname, "fixtures/routing-policy.yaml"), "utf8");

function valid<T>(parsed: Parsed<T>): T {
  if (parsed.kind === "refused") throw new Error(JSON.stringify(parsed.faults));
  return parsed.document;
}
const faultsOf = (parsed: Parsed<unknown>): Fault[] => (parsed.kind === "refused" ? parsed.faults : []);

const edited = (before: string, after: string) => {
  expect(specPolicy).toContain(before);
  return specPolicy.replace(before, after);
};
const found = (text: string, known?: ReadonlySet<string>) =>
  faultsOf(parseRoutingPolicy(text, known)).map(({ line, column, path, rule }) => [line, column, path, rule]);

test("DOC-1: the specification's routing policy loads as it stands", () => {
  const policy = valid(parseRoutingPolicy(specPolicy));
  expect(policy.version).toBe("1.0.0");
  expect(policy.routes.map((route) => route.taskType)).toEqual([
    "feature-implementation",
    "code-review",
    "security-review",
  ]);
  expect(policy.routes[2]).toEqual({
    taskType: "security-review",
    allowedPackIds: ["security-reviewer"],
    preferredPackId: "security-reviewer",
    minRiskTier: RiskTier.CRITICAL,
    fallbackPackId: null,
  });
  expect(policy.admission).toMatchObject({
    maxGlobalQueueDepth: 50,
    maxPerPackConcurrent: 3,
    circuitBreaker: { errorThreshold: 5, windowMs: 60_000, halfOpenAfterMs: 120_000 },
  });
  expect(policy.defaults).toEqual({
    fallbackPackId: "generalist-dev",
    maxCandidateAgents: 3,
    requireHealthy: true,
  });
});

test("DOC-2: the same policy as JSON is the same policy", () => {
  const policy = valid(parseRoutingPolicy(specPolicy));
  const tiers = ["NORMAL", "RISK_TIER_LOW", "CRITICAL"];
  const json = JSON.stringify(
    {
      routing_policy: {
        version: "1.0.0",
        routes: policy.routes.map((route, index) => ({
          task_type: route.taskType,
          allowed_pack_ids: route.allowedPackIds,
          preferred_pack_id: route.preferredPackId,
          min_risk_tier: tiers[index],
          fallback_pack_id: route.fallbackPackId,
        })),
        admission: {
          max_global_queue_depth: 50,
          max_per_pack_concurrent: 3,
          circuit_breaker: { error_threshold: 5, window: "1m", half_open_after: "2m" },
        },
        defaults: { fallback_pack_id: "generalist-dev", max_candidate_agents: 3, require_healthy: true },
      },
    },
    null,
    "\t",
  );
  expect(valid(parseRoutingPolicy(json))).toEqual(policy);
});

const fallbackOf = (line: string) =>
  valid(parseRoutingPolicy(edited('fallback_pack_id: "generalist-dev"', line))).routes[0]?.fallbackPackId;

test("DOC-6: an absent fallback, a null and a name are three things", () => {
  expect(fallbackOf("fallback_pack_id: other")).toBe("other");
  expect(fallbackOf("fallback_pack_id: null")).toBeNull();
  expect(fallbackOf("")).toBeUndefined();
});

/** `§` marks where the fault is to be told. */
function marked(text: string): { text: string; line: number; column: number } {
  const before = text.slice(0, text.indexOf("§")).split("\n");
  return { text: text.replace("§", ""), line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

describe("DOC-3: a fault is told with its line, its column and its path", () => {
  test.each([
    ["an unknown key", "min_risk_tier:", "§min_risk_teir:", "routes[0].min_risk_teir", "unknown_key"],
    ["a wrong enum", "RISK_TIER_NORMAL", "§RISK_TIER_HUGE", "routes[0].min_risk_tier", "one_of"],
    ["a silent enum", "RISK_TIER_NORMAL", "§UNSPECIFIED", "routes[0].min_risk_tier", "one_of"],
    ["words for a duration", '"60s"', '§"5 minutes"', "admission.circuit_breaker.window", "format"],
    ["a duration of nothing", '"60s"', "§0s", "admission.circuit_breaker.window", "bound"],
    ["a number for a duration", '"60s"', "§60", "admission.circuit_breaker.window", "type"],
    ["a bound", "concurrent: 3", "concurrent: §0", "admission.max_per_pack_concurrent", "bound"],
    ["a fraction", "agents: 3", "agents: §3.5", "defaults.max_candidate_agents", "type"],
    ["a number for a version", 'version: "1.0.0"', "version: §1.0", "version", "type"],
    ["a version with a v", 'version: "1.0.0"', 'version: §"v1.0.0"', "version", "format"],
    ["half a version", 'version: "1.0.0"', 'version: §"1.0"', "version", "format"],
    [
      "something missing",
      'fallback_pack_id: "generalist-dev"\n    max_candidate_agents: 3\n    require_healthy: true',
      "§max_candidate_agents: 3",
      "defaults.require_healthy",
      "required",
    ],
    ["an empty list", '["security-reviewer"]', "§[]", "routes[2].allowed_pack_ids", "bound"],
    ["a route twice", '"code-review"', '§"feature-implementation"', "routes[1].task_type", "duplicate"],
    ["a pack twice", '"senior-ts-dev"', '§"senior-python-dev"', "routes[0].allowed_pack_ids[1]", "duplicate"],
    [
      "a preferred stranger",
      'preferred_pack_id: "qa-engineer"',
      "preferred_pack_id: §qa",
      "routes[1].preferred_pack_id",
      "preferred_not_allowed",
    ],
  ])("%s", (_, before, after, path, rule) => {
    const { text, line, column } = marked(edited(before, after));
    expect(found(text)).toEqual([[line, column, `routing_policy.${path}`, rule]]);
  });

  test.each(["routing_policy: 7", "7", "[]", "", "{}", "routing_policy:\n"])(
    "a document that is no policy: %s",
    (text) => {
      expect(found(text).map(([, , , rule]) => rule)).toEqual([expect.stringMatching(/^(type|required)$/)]);
    },
  );
});

test("DOC-3: what is not finite is told as it is, and not as null", () => {
  const told = [".inf", "-.inf", ".nan"].map(
    (value) => faultsOf(parseRoutingPolicy(edited("agents: 3", `agents: ${value}`)))[0]?.message,
  );
  expect(told).toEqual(
    ["Infinity", "-Infinity", "NaN"].map((read) => expect.stringContaining(`is ${read}; a number`)),
  );
});

test("DOC-4: all faults come at once, also those across entries", () => {
  const broken = specPolicy
    .replace('window: "60s"', 'window: "5 minutes"')
    .replace('task_type: "code-review"', 'task_type: "security-review"')
    .replace("half_open_after", "half_open_aftr");
  expect(found(broken).map(([line, , , rule]) => [line, rule])).toEqual([
    [18, "duplicate"],
    [28, "required"],
    [29, "format"],
    [30, "unknown_key"],
  ]);
  const unknown = faultsOf(parseRoutingPolicy(broken)).at(-1);
  expect(unknown?.message).toContain("Did you mean half_open_after?");
});

test("DOC-7: with the packs known, a name that is none of them is a fault at every place that names it", () => {
  const known = new Set(["senior-python-dev", "senior-ts-dev", "qa-engineer", "security-reviewer"]);
  expect(found(specPolicy, known)).toEqual([
    [10, 25, "routing_policy.routes[0].fallback_pack_id", "unknown_pack"],
    [33, 23, "routing_policy.defaults.fallback_pack_id", "unknown_pack"],
  ]);
  expect(found(specPolicy, new Set([...known, "generalist-dev"]))).toEqual([]);
  const [first] = faultsOf(
    parseRoutingPolicy(edited('"qa-engineer", "s', 'qa-enginer, "s'), new Set([...known, "generalist-dev"])),
  );
  expect(first?.message).toBe(
    'no pack "qa-enginer" is registered. Did you mean qa-engineer? Allowed: generalist-dev, qa-engineer, security-reviewer, senior-python-dev, senior-ts-dev',
  );
  const [none] = faultsOf(parseRoutingPolicy(specPolicy, new Set()));
  expect(none?.message).toMatch(/^no pack ".*" is registered\. None is yet: register packs first, by POST/);
});

test("DOC-8: a pack pinned to versions is known by its id", () => {
  const text = edited('["security-reviewer"]', '["security-reviewer@^2.0.0"]');
  expect(valid(parseRoutingPolicy(text)).routes[2]?.allowedPackIds).toEqual(["security-reviewer@^2.0.0"]);
  const known = new Set([
    "senior-python-dev",
    "senior-ts-dev",
    "qa-engineer",
    "security-reviewer",
    "generalist-dev",
  ]);
  expect(found(text, known)).toEqual([]);
});

test("DOC-9: the redaction policy of section 5.3 is a section of its own, and no other section is let in", () => {
  const section = `
redaction_policy:
  always_redact: ["**/*.credentials", "safety_context.auth_scopes"]
  conditional_redact:
    - field: "evidence_item.output"
      rule: "strip lines matching secret/token/password patterns"
      max_length: 65536
  enforcement: ["Redaction filter runs BEFORE audit write"]
`;
  expect(valid(parseRoutingPolicy(specPolicy + section)).redaction).toEqual({
    alwaysRedact: ["**/*.credentials", "safety_context.auth_scopes"],
    conditionalRedact: [
      {
        field: "evidence_item.output",
        rule: "strip lines matching secret/token/password patterns",
        maxLength: 65_536,
      },
    ],
    enforcement: ["Redaction filter runs BEFORE audit write"],
  });
  for (const key of ["gates", "sap", "learning"]) {
    expect(found(`${specPolicy}\n${key}: {}\n`)).toEqual([[37, 1, key, "unknown_key"]]);
  }
});

const packId = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/);
const policies: fc.Arbitrary<RoutingPolicy> = fc.record({
  version: fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99)).map((parts) => parts.join(".")),
  routes: fc.uniqueArray(
    fc.uniqueArray(packId, { minLength: 1, maxLength: 4 }).chain((allowedPackIds) =>
      fc.record({
        taskType: packId,
        allowedPackIds: fc.constant(allowedPackIds),
        preferredPackId: fc.constantFrom(undefined, ...allowedPackIds),
        minRiskTier: fc.constantFrom(undefined, RiskTier.LOW, RiskTier.NORMAL, RiskTier.CRITICAL),
        fallbackPackId: fc.oneof(fc.constantFrom(undefined, null), packId),
      }),
    ),
    { selector: (route) => route.taskType, maxLength: 5 },
  ),
  admission: fc.record({
    maxGlobalQueueDepth: fc.integer({ min: 1, max: 10_000_000 }),
    maxPerPackConcurrent: fc.integer({ min: 1, max: 1_000_000 }),
    circuitBreaker: fc.record({
      errorThreshold: fc.integer({ min: 1, max: 10_000 }),
      windowMs: fc.integer({ min: 1, max: 31_622_400_000 }),
      halfOpenAfterMs: fc.integer({ min: 1, max: 31_622_400_000 }),
    }),
    maxWaitMs: fc.option(fc.nat(), { nil: undefined }),
    absenceGraceMs: fc.option(fc.nat(), { nil: undefined }),
    probationAfterMs: fc.option(fc.integer({ min: 1, max: 31_622_400_000 }), { nil: undefined }),
  }),
  defaults: fc.record({
    fallbackPackId: fc.oneof(fc.constantFrom(undefined, null), packId),
    maxCandidateAgents: fc.integer({ min: 1, max: 1000 }),
    requireHealthy: fc.boolean(),
  }),
  redaction: fc.constant(undefined),
});

test("DOC-5: a policy that is printed and read again means the same", () => {
  fc.assert(
    fc.property(policies, (policy) => {
      expect(valid(parseRoutingPolicy(printRoutingPolicy(policy)))).toEqual(policy);
    }),
  );
});
