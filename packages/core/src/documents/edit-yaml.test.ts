import { readFileSync } from "node:fs";
import { assert, property, string } from "fast-check";
import { parse } from "yaml";
import { describe, expect, test } from "vitest";
import { addToYaml, readYaml, setInYaml } from "./edit-yaml.ts";

const example = readFileSync(
  new URL("../../../../examples/config/routing-policy.yaml", import.meta.url),
  "utf8",
);
const changedLines = (before: string, after: string) => {
  const lines = new Set(before.split("\n"));
  return after.split("\n").filter((line) => !lines.has(line));
};

describe("a value that stands there", () => {
  test("is exchanged, and nothing else of the text", () => {
    const text = setInYaml(example, ["routing_policy", "version"], "1.1.0");
    expect(text).toBe(example.replace(`version: "1.0.0"`, `version: "1.1.0"`));
    expect(setInYaml(text, ["routing_policy", "admission", "max_global_queue_depth"], 75)).toBe(
      text.replace("max_global_queue_depth: 50", "max_global_queue_depth: 75"),
    );
  });

  test("keeps the comment behind it", () => {
    const path = ["routing_policy", "routes", 1, "fallback_pack_id"];
    const text = setInYaml(example, path, "generalist-dev");
    expect(changedLines(example, text)).toEqual([
      "      fallback_pack_id: generalist-dev  # escalate if unavailable",
    ]);
  });

  test("is written so that it reads back as what it was, whatever it is", () => {
    assert(
      property(string({ unit: "grapheme" }), (value) => {
        const text = setInYaml(`a: "x" # kept\nb: plain\nc: [1]\n`, ["a"], value);
        expect(parse(text)).toEqual({ a: value, b: "plain", c: [1] });
        expect(text).toContain("# kept");
        expect(parse(setInYaml(text, ["b"], value))).toEqual({ a: value, b: value, c: [1] });
      }),
    );
  });

  test.each(["\u00a0", "x\u2003", "\ufeff", " ", "\n", "x\n", "#", "- a"])(
    "%j is written as it is",
    (value) => {
      expect(parse(setInYaml("a: b # kept\n", ["a"], value))).toEqual({ a: value });
    },
  );

  test.each([true, false, null, 0, 12.5])("%j is no text", (value) => {
    expect(parse(setInYaml("a: b\n", ["a"], value))).toEqual({ a: value });
  });

  test("that looks like something else is quoted", () => {
    expect(setInYaml("a: b\n", ["a"], "true")).toBe('a: "true"\n');
  });
});

describe("what is added or taken out", () => {
  test("leaves every comment and every other line", () => {
    const without = setInYaml(example, ["routing_policy", "routes", 0], undefined);
    expect(changedLines(example, without)).toEqual([]);
    expect(without).toContain("# escalate if unavailable");
    expect(without).toContain("# config/routing-policy.yaml");
    expect(without).not.toContain("feature-implementation");
  });

  test("a route is added behind the last, in the form of the text", () => {
    const text = addToYaml(example, ["routing_policy", "routes"], {
      task_type: "docs",
      allowed_pack_ids: ["writer"],
    });
    const policy = parse(text).routing_policy;
    expect(policy.routes).toHaveLength(4);
    expect(policy.routes[3]).toEqual({ task_type: "docs", allowed_pack_ids: ["writer"] });
    expect(text).toContain("# always escalate");
    expect(text).toContain('allowed_pack_ids: ["qa-engineer", "senior-python-dev"]');
  });

  test("a name goes into a list as the others stand there", () => {
    const path = ["routing_policy", "routes", 2, "allowed_pack_ids"];
    const text = addToYaml(example, path, "other");
    expect(changedLines(example, text)).toEqual(['      allowed_pack_ids: ["security-reviewer", "other"]']);
  });

  test("lists that stand flat stay flat", () => {
    const flat = "# top\nlist:\n- a # one\n- b\n";
    expect(addToYaml(flat, ["list"], "c")).toBe("# top\nlist:\n- a # one\n- b\n- c\n");
  });

  test("a list that is not there is begun", () => {
    expect(parse(addToYaml("a: 1\n", ["list"], "c"))).toEqual({ a: 1, list: ["c"] });
  });
});

test("below a key that says nothing something can be begun; what somebody wrote there is left alone", () => {
  const text = "# top\nsection: # none yet\nlast: 1\n";
  expect(parse(addToYaml(text, ["section", "list"], "c"))).toEqual({ section: { list: ["c"] }, last: 1 });
  expect(addToYaml(text, ["section", "list"], "c")).toContain("# none yet");
  expect(parse(setInYaml(text, ["section", "name"], "c"))).toEqual({ section: { name: "c" }, last: 1 });
  const shared = "one: &one {name: a}\nsection: *one\n";
  for (const taken of ["section: text\n", "section: [text]\n", shared]) {
    expect(addToYaml(taken, ["section", "list", "deep"], "c")).toBe(taken);
    expect(setInYaml(taken, ["section", "name", "deep"], "c")).toBe(taken);
    expect(setInYaml(taken, ["section", "name", "deep"], undefined)).toBe(taken);
  }
});

test("a text that is no YAML, or that would expand without end, is left as it is", () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 9 }, (_, index) => {
    const [name, before] = [`k${index}`, index === 0 ? "a" : `k${index - 1}`];
    return `${name}: &${name} [${`*${before},`.repeat(9)}]`;
  }).join("\n")}`;
  expect(readYaml(bomb)).toBeUndefined();
  expect(readYaml("a: [")).toBeUndefined();
  expect(setInYaml("a: [", ["a"], 1)).toBe("a: [");
  expect(readYaml("a: 1")).toEqual({ value: { a: 1 } });
});
