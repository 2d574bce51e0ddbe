import { parseRoutingPolicy } from "@signalbox/core";
import { anything, assert, property } from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { firstPolicy, outlineOf } from "../policy-outline.ts";
import { numberTyped } from "./plain-values.ts";
import { removeEntry, type Writing, writingOn } from "./writing.ts";

const sections = `
# What is masked.
redaction_policy:
  always_redact: ["**/*.token"] # always
  conditional_redact:
    - { field: evidence_item.output, rule: strip_lines, max_length: 4096 }
answer_policy:
  guardrails:
    - name: no-passwords # by order
      when: response.message.contains("password")
      effect: fail
sap_policy:
  capabilities:
    - capability: consult.align
      template_id: consulting
      issuers: [{ agent_kind: agent, agent_id: writer }] # one alone
      essence: { include: [topic], fold_text: true }
      max_cache_age: "24h"
    - capability: docs
  principles:
    - { principle: blueprint, checks: [tests], escalate_above: 60 }
  playbooks:
    - { capability: docs, text: "Begin with the sources." }
handoffs:
  - task_types: [docs] # from here
    to_pack_ids: [writer]
`;
const route = `routes:
    - task_type: docs
      allowed_pack_ids: [writer]
`;
const policy = firstPolicy.replace("routes: []\n", route) + sections;

/** The text after one thing was done in the form; the server's reader takes it. */
function after(doing: (writing: Writing) => void, text = policy): string {
  let written = text;
  doing(writingOn(text, (next) => (written = next), []));
  expect(parseRoutingPolicy(written)).toMatchObject({ kind: "valid" });
  return written;
}
const shown = (text: string) => {
  const outline = outlineOf(text);
  if (outline === undefined) throw new Error("no YAML");
  return outline.sections;
};
const comments = (text: string) => text.match(/#.*/g);

test("the sections are shown as the text says them", () => {
  expect(parseRoutingPolicy(policy)).toMatchObject({ kind: "valid" });
  expect(outlineOf(policy)?.others).toEqual([]);
  expect(shown(policy)).toEqual({
    redaction: {
      always: ["**/*.token"],
      conditional: [{ field: "evidence_item.output", rule: "strip_lines", maxLength: "4096" }],
      enforcement: [],
    },
    guardrails: [{ name: "no-passwords", when: 'response.message.contains("password")', effect: "fail" }],
    sap: {
      capabilities: [
        {
          capability: "consult.align",
          work: "template_id",
          workName: "consulting",
          issuers: [{ kind: "agent", id: "writer" }],
          include: ["topic"],
          exclude: [],
          foldText: true,
          maxCacheAge: "24h",
        },
        {
          capability: "docs",
          work: "itself",
          workName: "",
          issuers: undefined,
          include: [],
          exclude: [],
          foldText: false,
          maxCacheAge: "",
        },
      ],
      principles: [{ principle: "blueprint", checks: ["tests"], escalateAbove: "60", refuseAbove: "" }],
      playbooks: [{ capability: "docs", territory: "", text: "Begin with the sources." }],
    },
    handoffs: [{ task_types: ["docs"], pack_ids: [], to_task_types: [], to_pack_ids: ["writer"] }],
  });
});

test("redaction is written, and its section alone is taken out with it", () => {
  const path = ["redaction_policy", "always_redact"];
  const added = after(({ add }) => add(path, "**/*.pin"));
  expect(added).toContain(`always_redact: ["**/*.token", "**/*.pin"] # always`);
  const ruled = after(({ set }) => set(["redaction_policy", "conditional_redact", 0, "rule"], "secrets"));
  expect(ruled).toContain("{ field: evidence_item.output, rule: secrets, max_length: 4096 }");
  expect(comments(ruled)).toEqual(comments(policy));
  // An empty list stays: without it the section would be at fault.
  expect(shown(after(({ remove }) => remove([...path, 0], "keep"))).redaction?.always).toEqual([]);
  const without = after(({ set }) => set(["redaction_policy"], undefined));
  expect(shown(without)).toEqual({ ...shown(policy), redaction: undefined });
});

test("an empty section of redaction is not none", () => {
  expect(shown("redaction_policy: {}").redaction).toEqual({ always: [], conditional: [], enforcement: [] });
  expect(shown("routing_policy: {}").redaction).toBeUndefined();
});

test("a guardrail is written, also where there was no section", () => {
  const path = ["answer_policy", "guardrails"];
  const set = after((writing) => writing.set([...path, 0, "effect"], "redact_message"));
  expect(set).toBe(policy.replace("effect: fail", "effect: redact_message"));
  const rule = { name: "guardrail", when: "sensitive.message", effect: "redact_message" };
  for (const text of [firstPolicy, `${firstPolicy}answer_policy:\n`])
    expect(shown(after(({ add }) => add(path, rule), text)).guardrails).toEqual([rule]);
});

test("what a capability is, is exchanged at once", () => {
  const at = ["sap_policy", "capabilities", 0];
  const changed = after(({ change }) =>
    change([
      [[...at, "template_id"], undefined],
      [[...at, "task_type"], "docs"],
    ]),
  );
  expect(shown(changed).sap.capabilities[0]).toMatchObject({ work: "task_type", workName: "docs" });
  expect(comments(changed)).toEqual(comments(policy));
});

test("SAP-5 a capability without a word of issuers is not one whose issuers are nobody", () => {
  const path = ["sap_policy", "capabilities", 0, "issuers"];
  const nobody = after(({ remove }) => remove([...path, 0], "keep"));
  expect(shown(nobody).sap.capabilities[0]?.issuers).toEqual([]);
  const people = after(({ set }) => set(path, undefined));
  expect(shown(people).sap.capabilities[0]?.issuers).toBeUndefined();
});

test("what may not be empty goes with its last entry", () => {
  const essence = ["sap_policy", "capabilities", 0, "essence", "include", 0];
  expect(after(({ remove }) => remove(essence, "drop"))).not.toContain("include");
  const from = after(({ remove }) => remove(["handoffs", 0, "task_types", 0], "drop"));
  expect(shown(from).handoffs[0]).toMatchObject({ task_types: [], to_pack_ids: ["writer"] });
  expect(removeEntry("a: [x, y]\n", ["a", 0], "drop")).toBe("a: [y]\n");
});

test("principles, playbooks and handoffs are written", () => {
  const bound = after(({ set }) => set(["sap_policy", "principles", 0, "refuse_above"], numberTyped("90.5")));
  expect(shown(bound).sap.principles[0]?.refuseAbove).toBe("90.5");
  const lines = "First this.\nThen that.";
  const told = after(({ set }) => set(["sap_policy", "playbooks", 0, "text"], lines));
  expect(shown(told).sap.playbooks[0]?.text).toBe(lines);
  const more = after(({ add }) => add(["handoffs", 0, "to_task_types"], "docs"));
  expect(shown(more).handoffs[0]?.to_task_types).toEqual(["docs"]);
});

test("a number is one only to the letter, so that it can be typed", () => {
  expect(["6", "6.", "6.0", "6.05", "", "x"].map(numberTyped)).toEqual([
    6,
    "6.",
    "6.0",
    6.05,
    undefined,
    "x",
  ]);
});

test("a fault stands at its field, and of a list at the list", () => {
  const faults = ["redaction_policy.conditional_redact[1].rule", "handoffs[10].task_types[2]"].map(
    (path) => ({
      path,
      message: path,
    }),
  );
  const { faultAt, faultIn } = writingOn(policy, () => undefined, faults);
  expect(faultAt(["redaction_policy", "conditional_redact", 1, "rule"])).toBe(faults[0]?.message);
  expect(faultAt(["redaction_policy", "conditional_redact", 1])).toBeUndefined();
  expect(faultIn(["handoffs", 10, "task_types"])).toBe(faults[1]?.message);
  expect(faultIn(["handoffs", 1, "task_types"])).toBeUndefined();
});

test("sections of any shape are shown as far as they go, and writing in them throws nothing", () => {
  assert(
    property(anything({ maxDepth: 3 }), (value) => {
      for (const key of ["redaction_policy", "answer_policy", "sap_policy", "handoffs"]) {
        let text: string;
        try {
          text = stringify({ [key]: value });
        } catch {
          continue;
        }
        expect(() => outlineOf(text)).not.toThrow();
        const { set, add, remove } = writingOn(text, () => undefined, []);
        const path = key === "handoffs" ? [key] : [key, "capabilities"];
        expect(() => add(path, { capability: "a" })).not.toThrow();
        expect(() => set([...path, 0, "capability"], "a")).not.toThrow();
        expect(() => remove([...path, 0], "drop")).not.toThrow();
      }
    }),
  );
});
