import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { diffRoutingPolicies, isUnchanged } from "./routing-policy-diff.ts";
import { parseRoutingPolicy } from "./routing-policy.ts";

const specPolicy = readFileSync(join(import.meta.dirname, "fixtures/routing-policy.yaml"), "utf8");
function read(text: string) {
  const parsed = parseRoutingPolicy(text);
  if (parsed.kind === "refused") throw new Error(JSON.stringify(parsed.faults));
  return parsed.document;
}

test("DOC-16: a diff names the routes that come, go and change, and each value that differs", () => {
  const after = specPolicy
    .replace('version: "1.0.0"', 'version: "1.1.0"')
    .replace('task_type: "security-review"', 'task_type: "audit"')
    .replace('fallback_pack_id: "generalist-dev"', "fallback_pack_id: null")
    .replace('window: "60s"', 'window: "90s"')
    .replace("require_healthy: true", "require_healthy: false");
  const diff = diffRoutingPolicies(read(specPolicy), read(after));
  expect(diff).toMatchObject({
    versions: { before: "1.0.0", after: "1.1.0" },
    routes: {
      added: [{ taskType: "audit" }],
      removed: [{ taskType: "security-review" }],
      changed: [
        {
          taskType: "feature-implementation",
          changes: [{ path: "fallbackPackId", before: "generalist-dev", after: null }],
        },
      ],
    },
    admission: [{ path: "circuitBreaker.windowMs", before: 60_000, after: 90_000 }],
    defaults: [{ path: "requireHealthy", before: true, after: false }],
    redaction: [],
  });
  expect(isUnchanged(diff)).toBe(false);
});

test("DOC-16: an absent fallback and a null differ", () => {
  const without = read(specPolicy.replace("fallback_pack_id: null  # escalate if unavailable", ""));
  expect(diffRoutingPolicies(without, read(specPolicy)).routes.changed).toEqual([
    { taskType: "code-review", changes: [{ path: "fallbackPackId", before: undefined, after: null }] },
  ]);
});

test("DOC-16: the order of routes, of allowed packs and of keys is no change", () => {
  const policy = read(specPolicy);
  const [first, ...others] = policy.routes;
  if (first === undefined) throw new Error("the policy has routes");
  const mirrored = { ...first, allowedPackIds: first.allowedPackIds.toReversed() };
  const reordered = { ...policy, routes: [...others.toReversed(), mirrored] };
  expect(isUnchanged(diffRoutingPolicies(policy, reordered))).toBe(true);
  expect(
    isUnchanged(
      diffRoutingPolicies(policy, read(specPolicy.replace('version: "1.0.0"', 'version: "2.0.0"'))),
    ),
  ).toBe(true);
});
