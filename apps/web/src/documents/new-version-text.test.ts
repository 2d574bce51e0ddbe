import { expect, test } from "vitest";
import { underVersion } from "./new-version-text.ts";

const policy = `# Ours.\nrouting_policy:\n  version: "1.1.0" # the second\n  routes: []\n`;

test("a text goes on under another version, and nothing else of it changes", () => {
  expect(underVersion("routing-policy", policy, "1.2.0")).toBe(policy.replace("1.1.0", "1.2.0"));
  const templates = policy.replace("routing_policy", "pipeline_templates");
  expect(underVersion("pipeline-templates", templates, "1.2.0")).toBe(templates.replace("1.1.0", "1.2.0"));
});

test("so does one that cannot be read as YAML just now, and one that says no version gets one", () => {
  const broken = `${policy}  defaults: {\n`;
  expect(underVersion("routing-policy", broken, "1.2.0")).toBe(broken.replace("1.1.0", "1.2.0"));
  expect(underVersion("routing-policy", "routing_policy:\n  routes: []\n", "1.2.0")).toContain(
    "version: 1.2.0",
  );
});
