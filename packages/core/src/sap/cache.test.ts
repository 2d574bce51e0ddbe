import { SignalboxError } from "@signalbox/contracts";
import type { Result, Task } from "@signalbox/contracts/sap";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CapabilityRule, WHOLE_PAYLOAD } from "../documents/sap-section.ts";
import { compileRedactor } from "../redaction/redactor.ts";
import type { Guardrail } from "../sacp/guardrails.ts";
import { cacheTexts } from "./cache-key.ts";
import { canonicalJson } from "./canonical-json.ts";
import { essenceOf } from "./essence.ts";
import {
  becomesRecord,
  checksOnHit,
  type CacheFacts,
  judgeAnew,
  judgeCache,
  usesCache,
} from "./judge-cache.ts";
import { plainResult } from "./result.ts";
import { capabilityRule, principleRule, sapTask } from "./testing/task.ts";

const rule = capabilityRule();
const keyOf = (task: Task, essence = WHOLE_PAYLOAD) => cacheTexts(task, { essence }).key;

/** The same value, its members told in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

describe("SAP-40 the key", () => {
  test("RFC 8785, section 3.2.2 and 3.2.3", () => {
    expect(
      canonicalJson({
        numbers: [Number("333333333.33333329"), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
        literals: [null, true, false],
      }),
    ).toBe('{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27]}');
    expect(
      canonicalJson({
        "\u20ac": "Euro",
        "\r": "CR",
        "\ufb33": "Dalet",
        "1": "One",
        "10": "Ten",
        "9": "Nine",
        "\ud83d\ude00": "Smiley",
        "\u0080": "C",
        "\u00f6": "o",
      }),
    ).toBe(
      '{"\\r":"CR","1":"One","10":"Ten","9":"Nine","\u0080":"C","ö":"o","€":"Euro","😀":"Smiley","\ufb33":"Dalet"}',
    );
    expect(() => canonicalJson({ a: "\ud800" })).toThrow(SignalboxError);
  });

  test("the order of members means nothing, anywhere", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue({ maxDepth: 3 })),
        (payload) => {
          const told = sapTask({ payload: Object(reversed(payload)) });
          expect(keyOf(told)).toBe(keyOf(sapTask({ payload })));
        },
      ),
      { numRuns: 50 },
    );
  });

  test("an output contract that says no format means json, and has the key of one that says so", () => {
    const contract = { schema: { type: "object" } };
    const said = keyOf(sapTask({ outputContract: { ...contract, format: "json" } }));
    expect(keyOf(sapTask({ outputContract: contract }))).toBe(said);
    expect(keyOf(sapTask({ outputContract: { ...contract, format: "text" } }))).not.toBe(said);
    expect(keyOf(sapTask({ outputContract: {} }))).not.toBe(keyOf(sapTask()));
  });

  test("attachments are payload that stands elsewhere: each of them, and what is said of it, counts", () => {
    const one = { uri: "https://a.example/one.pdf", digest: "sha256:aa" };
    const two = { uri: "https://a.example/two.pdf", digest: "sha256:bb" };
    const attached = [[], [one], [two], [one, two], [{ ...one, digest: "sha256:bb" }]];
    const texts = attached.map((attachments) => cacheTexts(sapTask({ attachments }), rule));
    expect(new Set(texts.map(({ key }) => key)).size).toBe(attached.length);
    expect(new Set(texts.map(({ essence }) => essence)).size).toBe(attached.length);
    expect(texts[0]).toEqual(cacheTexts(sapTask(), rule));
  });

  test("each of the listed parts counts, and nothing else of the task", () => {
    const task = sapTask({}, { territory: "EUFM", principles: ["a", "b"] });
    const key = keyOf(task);
    const other: readonly [Partial<Task>, Partial<Task["constitutionalContext"]>][] = [
      [{ target: { capability: "else" } }, {}],
      [{ payload: { topic: "SAP", depth: 3 } }, {}],
      [{ outputContract: { format: "text" } }, {}],
      [{}, { territory: "ELSE" }],
      [{}, { principles: ["a"] }],
    ];
    for (const [said, context] of other) {
      expect(
        keyOf({ ...task, ...said, constitutionalContext: { ...task.constitutionalContext, ...context } }),
      ).not.toBe(key);
    }
    expect(
      keyOf({
        ...task,
        taskId: "00000000-0000-4000-8000-000000000000",
        issuer: { agentId: "x", agentKind: "user" },
        tags: ["t"],
        meta: { a: 1 },
        constitutionalContext: {
          ...task.constitutionalContext,
          principles: ["b", "a", "b"],
          pressureLevel: "deliberated",
          objectives: ["o"],
        },
      }),
    ).toBe(key);
    expect(JSON.parse(key)).toMatchObject({ sapVersion: "2.0" });
  });
});

test("SAP-41 the essence is what the rule leaves, and its texts are folded where it says so", () => {
  const payload = {
    topic: "  Sap\u00a0V2 ",
    options: { depth: 1, seed: 7 },
    "a.b": 1,
    ["__proto__"]: { x: 1 },
  };
  expect(essenceOf(payload, WHOLE_PAYLOAD)).toBe(payload);
  expect(
    essenceOf(payload, { include: ["topic", "options.depth", "missing.deep"], exclude: [], foldText: true }),
  ).toEqual({
    topic: "sap v2",
    options: { depth: 1 },
  });
  expect(
    essenceOf(payload, {
      include: undefined,
      exclude: ["options.seed", "topic", "nothing"],
      foldText: false,
    }),
  ).toEqual({
    options: { depth: 1 },
    "a.b": 1,
    ["__proto__"]: { x: 1 },
  });
  const { essence } = cacheTexts(sapTask({ payload: { topic: "A", seed: 1 } }), {
    essence: { include: undefined, exclude: ["seed"], foldText: false },
  });
  expect(essence).toBe('{"topic":"A"}');
});

const stored: CacheFacts = {
  storedAt: 1_000_000,
  alignment: "VALID",
  context: { pressureLevel: "consulted", constraints: ["No PII"] },
  policyChecks: [{ principle: "blueprint", status: "PASS", checks: ["tests", "scope"] }],
};
type Context = Task["constitutionalContext"];
type Policy = NonNullable<Context["cachePolicy"]>;
const judged = (
  cachePolicy: Policy | undefined,
  record: CacheFacts | undefined,
  now = 1_060_000,
  context: Partial<Task["constitutionalContext"]> = {},
) =>
  judgeCache(
    sapTask({}, { ...(cachePolicy && { cachePolicy }), ...context }).constitutionalContext,
    rule,
    [principleRule("blueprint"), principleRule("calm", { escalateAbove: 60 })],
    record,
    now,
  );

test("SAP-42 bypass ignores, prefer computes, only misses", () => {
  expect(judged(undefined, stored)).toMatchObject({ kind: "compute", keeps: false });
  expect(judged({ mode: "bypass" }, stored)).toMatchObject({ kind: "compute", keeps: false });
  expect(judged({ mode: "prefer" }, undefined)).toMatchObject({ kind: "compute", keeps: true });
  expect(judged({}, stored)).toEqual({ kind: "hit", ageSec: 60 });
  expect(judged({ mode: "only" }, undefined)).toMatchObject({ kind: "miss" });
  expect(judged({ mode: "only" }, stored)).toEqual({ kind: "hit", ageSec: 60 });
  expect(
    [undefined, { mode: "bypass" as const }, {}].map((cachePolicy) =>
      usesCache(sapTask({}, { ...(cachePolicy && { cachePolicy }) }).constitutionalContext),
    ),
  ).toEqual([false, false, true]);
});

test("SAP-43 a record fits by its alignment and age; the stricter limit counts", () => {
  expect(judged({ maxAgeSec: 61 }, stored)).toMatchObject({ kind: "hit" });
  expect(judged({ maxAgeSec: 60 }, stored)).toMatchObject({
    kind: "compute",
    why: "what is cached is 60 s old; younger than 60 s is asked for",
  });
  expect(judged({ mode: "only", maxAgeSec: 0 }, stored).kind).toBe("miss");
  expect(judged({ maxAgeSec: 0 }, stored, stored.storedAt + 400)).toMatchObject({
    why: "what is cached is 1 s old; younger than 0 s is asked for",
  });
  expect(judged({}, stored, 0)).toEqual({ kind: "hit", ageSec: 0 });
  expect(judged({}, { ...stored, alignment: "ESCALATE" }).kind).toBe("compute");
  const strict = { maxCacheAgeMs: 1_000 };
  const context = sapTask({}, { cachePolicy: { maxAgeSec: 3_600 } }).constitutionalContext;
  expect(judgeCache(context, strict, [], stored, 1_060_000).kind).toBe("compute");
});

test("SAP-44 mustAlign asks again under what this task asks", () => {
  const strict = { mode: "only", mustAlign: true } as const;
  expect(judged(strict, stored).kind).toBe("hit");
  expect(
    judged(strict, {
      ...stored,
      policyChecks: [{ principle: "blueprint", status: "OVERRULED", checks: ["tests"] }],
    }).kind,
  ).toBe("hit");
  const amiss: readonly [Partial<Task["constitutionalContext"]>, CacheFacts, string][] = [
    [{ principles: ["blueprint", "calm"] }, stored, '"calm"'],
    [
      { principles: ["kindness"] },
      { ...stored, policyChecks: [{ principle: "kindness", status: "PASS", checks: ["tests", "scope"] }] },
      'names no principle "kindness"',
    ],
    [{}, { ...stored, policyChecks: [{ principle: "blueprint", status: "FAIL" }] }, "failed"],
    [{ constraints: ["No PII", "Cite"] }, stored, "constraints"],
    [
      {},
      { ...stored, policyChecks: [{ principle: "blueprint", status: "PASS", checks: ["scope"] }] },
      "every check",
    ],
    [{}, { ...stored, policyChecks: [{ principle: "blueprint", status: "PASS" }] }, "every check"],
    [
      { pressureLevel: "consulted" },
      { ...stored, context: { pressureLevel: "instant", constraints: [] } },
      "consulted",
    ],
    [{ objectives: ["Outline it"] }, stored, "objectives"],
    [{ references: ["ubos://books"] }, stored, "references"],
    [{ riskTolerance: "low" }, stored, "tolerance is low"],
    [
      { riskTolerance: "low" },
      { ...stored, context: { ...stored.context, riskTolerance: "medium" } },
      "tolerance is low",
    ],
  ];
  for (const [context, record, why] of amiss) {
    expect(judged(strict, record, 1_060_000, context)).toMatchObject({
      kind: "miss",
      why: expect.stringContaining(why),
    });
    expect(judged({ mode: "only" }, record, 1_060_000, context).kind).toBe("hit");
  }
  const asked: Partial<Context> = { objectives: ["a"], references: ["r"], riskTolerance: "medium" };
  const wider: Partial<Context> = { objectives: ["a", "b"], references: ["r", "s"], riskTolerance: "low" };
  const fits = { ...stored, context: { ...stored.context, ...wider } };
  expect(judged(strict, fits, 1_060_000, asked).kind).toBe("hit");
});

test("SAP-47 a hit says what the record found of each of the task's principles, and of others that it found nothing", () => {
  const { constitutionalContext } = sapTask({}, { pressure: { calm: 3 } });
  expect(checksOnHit(constitutionalContext, stored)).toEqual([
    { principle: "blueprint", status: "PASS", checks: ["tests", "scope"] },
    { principle: "calm", status: "NOT_JUDGED", notes: "what is cached was not judged by it" },
  ]);
  const wider = { ...stored, policyChecks: [...stored.policyChecks, { principle: "other", status: "PASS" }] };
  expect(checksOnHit(sapTask().constitutionalContext, wider)).toHaveLength(1);
});

test("SAP-48 an earlier record may fit where this one came about otherwise, and none does where the task itself decides", () => {
  const aligned = { mode: "prefer", mustAlign: true } as const;
  const earlier = (context: Partial<Task["constitutionalContext"]>, record?: CacheFacts) =>
    judged(aligned, record, 1_060_000, context);
  const deliberated = { pressureLevel: "deliberated" } as const;
  const unaligned: readonly [Partial<Task["constitutionalContext"]>, CacheFacts][] = [
    [{ constraints: ["Cite"] }, stored],
    [deliberated, stored],
    [{}, { ...stored, policyChecks: [] }],
    [{}, { ...stored, policyChecks: [{ principle: "blueprint", status: "PASS" }] }],
  ];
  for (const [context, record] of unaligned)
    expect(earlier(context, record)).toMatchObject({ kind: "compute", earlierMayFit: true });
  expect(earlier({})).toMatchObject({ earlierMayFit: false });
  expect(earlier({ principles: ["kindness"] }, stored)).toMatchObject({ earlierMayFit: false });
  expect(earlier({ pressure: { calm: 61 } }, stored)).toMatchObject({ earlierMayFit: false });
  expect(judged({ maxAgeSec: 1 }, stored)).toMatchObject({ earlierMayFit: false });
});

test("SAP-49 a record that holds what is masked by now, or breaks a guardrail, gives no answer, and one of before may", () => {
  const redactor = compileRedactor({ always_redact: ["response.data.code"], conditional_redact: [] });
  const hit = { kind: "hit", ageSec: 1 } as const;
  const found = { violations: [], citations: ["ubos://books"] };
  const guardrails: Guardrail[] = [
    { name: "low", when: "response.data.score < 0.5", effect: "fail" },
    { name: "mute", when: 'response.message.contains("ORION")', effect: "redact_message" },
    { name: "silent", when: 'response.message == ""', effect: "fail" },
    { name: "secretive", when: "!sensitive.data", effect: "fail" },
  ];
  const told = (output: unknown, mode: "prefer" | "only" = "prefer", said: Partial<CapabilityRule> = {}) => {
    const { constitutionalContext } = sapTask({}, { cachePolicy: { mode } });
    return judgeAnew(
      hit,
      constitutionalContext,
      capabilityRule(said),
      { redactor, guardrails },
      { output, ...found },
    );
  };
  expect(told({ n: 1 })).toBe(hit);
  expect(told({ code: "[redacted:policy-path]" })).toBe(hit);
  expect(told({ code: "ORION" })).toMatchObject({ kind: "compute", keeps: true, earlierMayFit: true });
  expect(told({ code: "ORION" }, "only")).toMatchObject({
    kind: "miss",
    why: expect.stringContaining("masks"),
  });
  expect(told(`use ghp_${"a1B2".repeat(9)}`).kind).toBe("compute");
  expect(told({ n: () => 1 }).kind).toBe("compute");
  expect(told({ score: 0.6 })).toBe(hit);
  expect(told({ score: 0.4 }, "only")).toMatchObject({
    kind: "miss",
    why: expect.stringContaining('guardrail "low"'),
  });
  expect(told("ORION rises").kind).toBe("compute");
  expect(told("A star rises")).toBe(hit);
  const work = { case: "templateId", value: "t" } as const;
  expect(told({ one: { n: 1 }, other: { code: "ORION" } }, "prefer", { work }).kind).toBe("compute");
  const miss = { kind: "miss", why: "", earlierMayFit: false } as const;
  const { constitutionalContext } = sapTask();
  expect(
    judgeAnew(
      miss,
      constitutionalContext,
      rule,
      { redactor, guardrails: [] },
      { output: { code: "O" }, ...found },
    ),
  ).toBe(miss);
});

test("SAP-46 what a person has to decide is no hit, whether or not the issuer asks that it aligns", () => {
  for (const mustAlign of [true, false, undefined]) {
    const only = { mode: "only", mustAlign } as Policy;
    expect(judged(only, stored, 1_060_000, { pressure: { calm: 60 } }).kind).toBe("hit");
    expect(judged(only, stored, 1_060_000, { pressure: { calm: 61 } })).toMatchObject({
      kind: "miss",
      why: expect.stringContaining('"calm" is under so much pressure'),
    });
    const deliberated = { pressureLevel: "deliberated" } as const;
    expect(judged(only, stored, 1_060_000, deliberated)).toMatchObject({ kind: "miss" });
    expect(judged({ ...only, mode: "prefer" }, stored, 1_060_000, deliberated)).toMatchObject({
      kind: "compute",
      keeps: true,
    });
    const decided = { ...stored, context: { ...stored.context, ...deliberated } };
    expect(judged(only, decided, 1_060_000, deliberated).kind).toBe("hit");
  }
});

test("SAP-45 only a whole, VALID success is kept, of a task of which nothing was masked", () => {
  const { constitutionalContext: asking } = sapTask({}, { cachePolicy: { mode: "prefer" } });
  const made = { masked: false, whole: true };
  const kept = (said: Partial<Result>, context = asking, making = made) =>
    becomesRecord(
      plainResult(sapTask(), 0, {
        status: "SUCCEEDED",
        output: {},
        constitutionalEvidence: { alignment: "VALID" },
        ...said,
      }),
      context,
      making,
    );
  expect(kept({})).toBe(true);
  expect(kept({ status: "PARTIAL" })).toBe(false);
  expect(kept({ constitutionalEvidence: { alignment: "NON_CONSTITUTIONAL" } })).toBe(false);
  expect(kept({ output: undefined })).toBe(false);
  expect(kept({}, sapTask().constitutionalContext)).toBe(false);
  expect(kept({}, asking, { ...made, masked: true })).toBe(false);
  expect(kept({}, asking, { ...made, whole: false })).toBe(false);
});
