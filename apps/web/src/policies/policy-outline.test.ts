import { readFileSync } from "node:fs";
import { anything, assert, property } from "fast-check";
import { stringify } from "yaml";
import { expect, test } from "vitest";
import { firstPolicy, nextVersion, outlineOf } from "./policy-outline.ts";

const example = readFileSync(
  new URL("../../../../examples/config/routing-policy.yaml", import.meta.url),
  "utf8",
);

test("the form shows what the text says", () => {
  const outline = outlineOf(example);
  expect(outline?.version).toBe("1.0.0");
  expect(outline?.routes[0]).toEqual({
    taskType: "feature-implementation",
    allowed: ["senior-python-dev", "senior-ts-dev"],
    preferred: "senior-python-dev",
    minRiskTier: "NORMAL",
    fallback: { kind: "pack", packId: "generalist-dev" },
  });
  expect(outline?.routes[1]?.fallback).toEqual({ kind: "person" });
  expect(outline?.breaker).toEqual({ error_threshold: 5, window: "60s", half_open_after: "120s" });
});

test("D23 what a route says nothing of is not the same as null", () => {
  const text = `routing_policy: {routes: [{task_type: a}, {task_type: b, fallback_pack_id: null}]}`;
  expect(outlineOf(text)?.routes.map(({ fallback }) => fallback.kind)).toEqual(["unsaid", "person"]);
});

test("a text of any shape is shown as far as it goes", () => {
  assert(
    property(anything({ maxDepth: 3 }), (value) => {
      for (const whole of [value, { routing_policy: value }, { routing_policy: { routes: value } }]) {
        let text: string;
        try {
          text = stringify(whole);
        } catch {
          continue;
        }
        expect(() => outlineOf(text)).not.toThrow();
      }
    }),
  );
  expect(outlineOf("a: [")).toBeUndefined();
});

test("the next version is one that nobody has", () => {
  expect(nextVersion("1.0.0", new Set())).toBe("1.1.0");
  expect(nextVersion("1.4.2-rc.1", new Set(["1.5.0", "1.6.0"]))).toBe("1.7.0");
  expect(nextVersion("no version", new Set())).toBe("1.1.0");
});

test("what one begins with is read as a policy without routes", () => {
  expect(outlineOf(firstPolicy)).toMatchObject({ version: "1.0.0", routes: [] });
});
