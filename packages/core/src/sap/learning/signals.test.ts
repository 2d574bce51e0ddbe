import fc from "fast-check";
import type { Result } from "@signalbox/contracts/sap";
import { describe, expect, test } from "vitest";
import { plainResult } from "../result.ts";
import { aggregateOf, outcome, rated, told } from "../testing/signals.ts";
import { capabilityRule, sapTask } from "../testing/task.ts";
import {
  aggregateKeys,
  decileOf,
  emptyAggregate,
  learningScopes,
  poorChange,
  type SignalOf,
} from "./aggregate.ts";
import { membersOf } from "./members.ts";
import { ratingFaults, refuseRating } from "./rating.ts";
import { outcomeSignal } from "./signal.ts";

const digestOf = (text: string): string => `d(${text})`;
const task = sapTask({}, { pressure: { calm: 41 }, cachePolicy: { mode: "prefer" } });
const result = (said: Partial<Result> = {}): Result =>
  plainResult(task, 0, {
    status: "SUCCEEDED",
    output: { answer: 42 },
    metrics: { latencyMs: 842, attempts: 2, retries: 1, rejections: 0 },
    nextActions: [{}],
    constitutionalEvidence: {
      alignment: "VALID",
      policyChecks: [{ principle: "blueprint", status: "PASS" }],
      violations: [{ severity: "low" }, { severity: "high" }, { severity: "low" }],
    },
    ...said,
  });
const signalOf = (said: Partial<Parameters<typeof outcomeSignal>[0]> = {}) =>
  outcomeSignal({
    task,
    result: result(),
    rule: capabilityRule(),
    made: { masked: false, whole: true },
    digestOf,
    ...said,
  });

const rating = (score: number | null) => ({ score, approved: null, note: null });
const onDay = (day: number, kept = true) => told(outcome({ kept }), { at: `2026-11-0${day}T00:00:00.000Z` });
const named = (principle: string) =>
  told(outcome({ pressure: { [principle]: 50 }, checks: [{ principle, status: "PASS" }] }));

describe("signals", () => {
  test("SAP-50 a final Result says how the work went, and of payload and output their digests", () => {
    expect(signalOf()).toEqual({
      kind: "outcome",
      status: "SUCCEEDED",
      alignment: "VALID",
      latencyMs: 842,
      attempts: 2,
      retries: 1,
      rejections: 0,
      nextActions: 1,
      pressure: { calm: 41 },
      checks: [{ principle: "blueprint", status: "PASS" }],
      violations: { low: 2, medium: 0, high: 1 },
      missed: true,
      kept: true,
      sample: {
        output: 'd({"answer":42})',
        folded: 'd({"depth":2,"topic":"sap"})',
        members: { topic: 'd("SAP")', depth: "d(2)" },
      },
    });
  });

  test("SAP-51 work that had to be done although the cache was asked is a miss, also where no mode says so", () => {
    const asked = [{ mode: "prefer" as const }, {}, { mode: "bypass" as const }].map((cachePolicy) =>
      sapTask({}, { cachePolicy }),
    );
    expect([...asked, sapTask()].map((one) => signalOf({ task: one }).missed)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test.each([
    ["of which something was masked", { made: { masked: true, whole: true } }],
    ["that was not done as a whole", { made: { masked: false, whole: false } }],
    ["that failed", { result: result({ status: "FAILED", error: { message: "no" } }) }],
    ["without an output", { result: result({ output: undefined }) }],
    ["with attachments", { task: { ...task, attachments: [{ uri: "https://a.example/one.pdf" }] } }],
    ["whose payload no rule can name", { task: { ...task, payload: { "a.b": 1 } } }],
  ])("SAP-50 nothing is compared of a task %s", (_name, said) => {
    expect(signalOf(said).sample).toBeNull();
  });

  test("SAP-50 members are named as an essence rule names them, and none where they are too many", () => {
    const payload = { a: { b: { c: { d: 1 } }, e: [] }, f: {} };
    expect(Object.keys(membersOf(payload, digestOf) ?? {})).toEqual(["a.b.c", "a.e", "f"]);
    const many = Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`m${index}`, index]));
    expect(membersOf(many, digestOf)).toBeNull();
    expect(membersOf({ deep: many }, digestOf)).toBeNull();
  });

  test("SAP-51 answers of the cache count as often as they were given", () => {
    const all = aggregateOf("fingerprint", [
      told({ kind: "cache", hit: true, times: 200 }, { taskId: null }),
      told({ kind: "cache", hit: false, times: 3 }, { taskId: null }),
      told(outcome({ missed: true })),
    ]);
    expect([all.hits, all.misses, all.outcomes]).toEqual([200, 4, 1]);
  });

  test("SAP-52 what is said of a result has a score from 1 to 5, an approval or a note", () => {
    const said = { score: null, approved: null, note: null };
    expect(ratingFaults(said)).toHaveLength(1);
    for (const score of [0, 6, 2.5, Number.NaN])
      expect(ratingFaults({ ...said, score })).toMatchObject([{ field: "score", rule: "range" }]);
    for (const fit of [{ score: 1 }, { score: 5 }, { approved: false }, { note: "why" }])
      expect(ratingFaults({ ...said, ...fit })).toEqual([]);
  });

  test("SAP-52 nobody approves what they submitted, and nothing is rated before it is over", () => {
    const ada = { type: "human", id: "ada" } as const;
    const said = { score: 5, approved: true, note: null };
    const of = { status: "SUCCEEDED", submitter: ada } as const;
    expect(() => refuseRating(said, ada, of)).toThrow("Nobody approves what they submitted");
    expect(() => refuseRating({ ...said, approved: null }, ada, of)).not.toThrow();
    expect(() => refuseRating(said, { ...ada, id: "bob" }, of)).not.toThrow();
    expect(() => refuseRating(said, { ...ada, id: "bob" }, { ...of, status: "RUNNING" })).toThrow("RUNNING");
  });

  test("SAP-52 of each person the last word counts", () => {
    const first = rated({ score: 1, approved: false, note: "Cite." });
    const again = rated({ score: 4, approved: true, replaces: first });
    const all = aggregateOf("territory", [told(first), told(again), told(first, { by: "bob" })]);
    expect(all).toMatchObject({ ratings: 2, scores: 2, scoreSum: 5, approved: 1, disapproved: 1 });
    expect(all.notes).toEqual([{ taskId: "task", by: "bob", score: 1, note: "Cite." }]);
  });

  test("SAP-56 work that was aborted after its gates failed went wrong; aborted before, it says nothing", () => {
    const pressure = { calm: 55 };
    const aborted = (high: number) =>
      told(outcome({ status: "CANCELLED", pressure, violations: { low: 0, medium: 0, high } }));
    expect(aggregateOf("all", [aborted(0)]).pressure).toEqual({});
    expect(aggregateOf("all", [aborted(1), aborted(0)]).pressure["calm"]?.bad[decileOf(55)]).toBe(1);
  });

  test("SAP-52 a poor word on a result counts against the pressure that it came about under, until it is taken back", () => {
    const pressure = { calm: 55 };
    const poor = rated({ score: 2, pressure, poor: 1 });
    const counted = aggregateOf("all", [told(outcome({ pressure })), told(poor)]);
    expect(counted.pressure["calm"]?.poor[decileOf(55)]).toBe(1);
    const taken = aggregateOf(
      "all",
      [told(rated({ score: 5, pressure, replaces: poor, poor: -1 }))],
      counted,
    );
    expect(taken.pressure["calm"]?.poor[decileOf(55)]).toBe(0);
  });

  test.each([
    ["the first who says so", "good", 1, null, [], 1],
    ["one more who says so", "good", 1, null, [2], 0],
    ["what went wrong already", "bad", 1, null, [], 0],
    ["what somebody aborted", undefined, 1, null, [], 0],
    ["a better word", "good", 4, null, [], 0],
    ["a word that is taken back", "good", 4, 1, [], -1],
    ["a word that is taken back while another stands", "good", 4, 1, [1], 0],
    ["the same word again", "good", 2, 1, [], 0],
    ["no score any more", "good", null, 1, [], -1],
  ] as const)("SAP-56 a result is poor once: %s", (_name, verdict, score, before, others, expected) => {
    const said = {
      said: rating(score),
      before: before === null ? null : rating(before),
      others: others.map(rating),
    };
    expect(poorChange(verdict, said)).toBe(expected);
  });

  test("SAP-53 what became a record of the cache is counted, with when the first and the last did", () => {
    expect(aggregateOf("capability", [onDay(1, false), onDay(2), onDay(3), onDay(4, false)])).toMatchObject({
      records: 2,
      oldestRecordAt: "2026-11-02T00:00:00.000Z",
      newestRecordAt: "2026-11-03T00:00:00.000Z",
    });
  });

  test("SAP-53 a signal counts for its key and for what stands above it", () => {
    const key = { capability: "consult", territory: "EUFM", fingerprint: "f" };
    expect(aggregateKeys(key)).toEqual([
      { scope: "fingerprint", ...key },
      { scope: "territory", ...key, fingerprint: "" },
      { scope: "capability", ...key, territory: "", fingerprint: "" },
      { scope: "all", capability: "", territory: "", fingerprint: "" },
    ]);
  });

  test.each([
    [0, 0],
    [10, 0],
    [10.5, 1],
    [60, 5],
    [60.1, 6],
    [100, 9],
  ])("SAP-56 a pressure of %d is of decile %d", (reading, decile) => {
    expect(decileOf(reading)).toBe(decile);
  });
});

const name = fc.constantFrom("__proto__", "constructor", "calm", "haste", "é");
const signals: fc.Arbitrary<SignalOf> = fc.oneof(
  fc
    .record({
      status: fc.constantFrom("SUCCEEDED", "PARTIAL", "FAILED", "CANCELLED"),
      alignment: fc.constantFrom("VALID", "NON_CONSTITUTIONAL"),
      latencyMs: fc.nat(1e6),
      pressure: fc.dictionary(name, fc.double({ min: 0, max: 100, noNaN: true })),
      checks: fc.array(fc.record({ principle: name, status: fc.constantFrom("PASS", "FAIL") })),
      missed: fc.boolean(),
    })
    .map((said) => told(outcome(said as Parameters<typeof outcome>[0]))),
  fc.record({ hit: fc.boolean(), times: fc.nat(200) }).map((said) => told({ kind: "cache", ...said })),
  fc
    .record({ score: fc.constantFrom(null, 1, 5), note: fc.constantFrom(null, "Cite.", "Ask.") })
    .chain((said) => fc.nat(40).map((number) => told(rated(said), { taskId: `t${number}` }))),
);

test("SAP-53 in whatever parts signals come, the counts are the same, and survive being written down", () => {
  fc.assert(
    fc.property(fc.array(signals, { maxLength: 60 }), fc.nat(60), (all, at) => {
      for (const scope of learningScopes) {
        const whole = aggregateOf(scope, all);
        const first = aggregateOf(scope, all.slice(0, at));
        const parts = aggregateOf(scope, all.slice(at), {
          ...emptyAggregate,
          ...JSON.parse(JSON.stringify(first)),
        });
        expect(parts).toEqual(whole);
      }
    }),
    { numRuns: 60 },
  );
});

test("SAP-53 made-up names keep out none that is used", () => {
  const used = [named("calm"), named("calm")];
  const junk = Array.from({ length: 300 }, (_, index) => named(`junk${index}`));
  for (const all of [
    [...used, ...junk],
    [...junk, ...used],
  ]) {
    const { principles, pressure } = aggregateOf("all", all);
    expect(principles["calm"]).toEqual({ PASS: 2 });
    expect(Object.keys(pressure)).toContain("calm");
  }
});

test("SAP-53 what is kept is bounded, however many signals and names come", () => {
  const many = Array.from({ length: 300 }, (_, index) => [
    told(
      outcome({
        pressure: { [`p${index}`]: 50 },
        checks: [{ principle: `p${index}`, status: "PASS" }],
        sample: { output: "o", folded: "f", members: { a: `${index}` } },
      }),
    ),
    told(rated({ note: `note ${index}` }), { taskId: `t${index}` }),
  ]).flat();
  for (const scope of learningScopes) {
    const { principles, pressure, notes, samples } = aggregateOf(scope, many);
    expect(Object.keys(principles)).toHaveLength(50);
    expect(Object.keys(pressure)).toHaveLength(scope === "all" ? 50 : 0);
    expect(notes).toHaveLength(scope === "territory" ? 20 : 0);
    expect(samples).toHaveLength(scope === "capability" ? 60 : 0);
  }
});
