import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { ContextLevel, ContextPropagationMode, type Ref } from "@signalbox/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RefreshOutcome } from "../dispatch/freshness.ts";
import { NOW } from "../dispatch/testing/registry.ts";
import { verdicts } from "../pipeline/testing/definitions.ts";
import { submissionOf } from "../sap/submission.ts";
import { answered } from "../sap/testing/results.ts";
import { capabilityRule, sapTask, section } from "../sap/testing/task.ts";
import { attempt, attempted, type ConfigInit, sent } from "./testing/attempt.ts";

const aged = (uriOrLocator: string, ageMs: number, digest = "sha256:a") => ({
  uriOrLocator,
  digest,
  fetchedAt: timestampFromMs(NOW - ageMs),
});
const minute = 60_000;
const lenient: ConfigInit = {
  handoffPolicy: { freshness: { maxRefStaleness: durationFromMs(minute) } },
};
const strict: ConfigInit = {
  handoffPolicy: { freshness: { maxRefStaleness: durationFromMs(minute), requireDigest: true } },
};
const withRefs = (config: ConfigInit, ...refs: ReturnType<typeof aged>[]) =>
  attempted({ submission: { refs }, configs: [config] });
const refreshed = (...entries: [string, RefreshOutcome][]) => ({ refreshed: new Map(entries) });
const failed: RefreshOutcome = { kind: "failed", why: "the host is away" };
const fetched = (digest = "sha256:a"): RefreshOutcome => ({ kind: "refreshed", digest, fetchedAt: NOW });
const locators = (refs: readonly Ref[]) => refs.map(({ uriOrLocator }) => uriOrLocator);

describe("ATT-2 stale refs", () => {
  test("are asked to be fetched anew, and the fresh ones are not", () => {
    const asked = attempt(withRefs(lenient, aged("old", 2 * minute), aged("new", 1)), "a", NOW);
    expect(asked?.kind === "refresh" && locators(asked.refs)).toEqual(["old"]);
  });

  test("of which some came back are asked only for what is missing", () => {
    const pipeline = withRefs(lenient, aged("one", 2 * minute), aged("two", 3 * minute));
    const again = attempt(pipeline, "a", NOW, refreshed(["one", fetched()]));
    expect(again?.kind === "refresh" && locators(again.refs)).toEqual(["two"]);
  });

  test("that are named twice are fetched once, and judged each", () => {
    const pipeline = withRefs(lenient, aged("old", 2 * minute), aged("old", 3 * minute));
    expect(sent(pipeline, "a", NOW, refreshed(["old", fetched()])).envelope.refFreshness).toMatchObject([
      { wasStale: true, refreshSucceeded: true },
      { wasStale: true, refreshSucceeded: true },
    ]);
  });

  test("that came back travel renewed, and are not degraded", () => {
    const { envelope } = sent(
      withRefs(lenient, aged("old", 2 * minute)),
      "a",
      NOW,
      refreshed(["old", fetched("sha256:b")]),
    );
    expect(envelope.refs).toMatchObject([
      { uriOrLocator: "old", digest: "sha256:b", fetchedAt: timestampFromMs(NOW) },
    ]);
    expect(envelope.refFreshness).toMatchObject([{ refreshSucceeded: true, dispatchedWithDegraded: false }]);
  });

  test("nothing is fetched for a stage that nobody may take", () => {
    const pipeline = attempted({
      stages: [["unrouted"]],
      submission: { refs: [aged("old", 2 * minute)] },
      configs: [lenient],
    });
    expect(attempt(pipeline, "unrouted", NOW)).toMatchObject({
      kind: "refused",
      event: { reason: "no-route" },
    });
  });
});

describe("ATT-3 refs that could not be fetched anew", () => {
  test("travel degraded where the policy is not strict, and the record says so too", () => {
    const { envelope, event } = sent(
      withRefs(lenient, aged("old", 2 * minute)),
      "a",
      NOW,
      refreshed(["old", failed]),
    );
    const check = {
      uriOrLocator: "old",
      wasStale: true,
      refreshSucceeded: false,
      dispatchedWithDegraded: true,
    };
    expect(envelope.refFreshness).toMatchObject([check]);
    expect(event.decision).toMatchObject({ selectedPackId: "pack", refFreshness: [check] });
  });

  test("block where it is strict, each named with why, and nothing counts as selected", () => {
    const pipeline = withRefs(strict, aged("one", 2 * minute), aged("two", 2 * minute), aged("new", 1));
    const outcomes = refreshed(["one", failed], ["two", fetched("sha256:other")]);
    const outcome = attempt(pipeline, "a", NOW, outcomes);
    expect(outcome).toMatchObject({
      kind: "refused",
      event: {
        reason: "stale-refs",
        problem: expect.stringMatching(/one: .*the host is away.*two: .*sha256:a.*sha256:other/),
        decision: { selectedPackId: "", refFreshness: [{}, {}, { wasStale: false }] },
        quarantined: null,
      },
    });
    if (outcome?.kind === "refused") pipeline.run.apply(outcome.event);
    expect(pipeline.run.question("a").cause).toBe("dispatch-refused");
  });

  test("block beyond the hard threshold, strict or not", () => {
    const outcome = attempt(
      withRefs(lenient, aged("ancient", 11 * minute)),
      "a",
      NOW,
      refreshed(["ancient", failed]),
    );
    expect(outcome).toMatchObject({ kind: "refused", event: { reason: "stale-refs" } });
  });

  test("that a person accepted travel degraded, and what they were told is what they accept", () => {
    const pipeline = withRefs(lenient, aged("ancient", 11 * minute), aged("new", 1));
    const outcomes = refreshed(["ancient", failed]);
    const outcome = attempt(pipeline, "a", NOW, outcomes);
    if (outcome?.kind !== "refused") throw new Error("nothing was refused");
    pipeline.run.apply(outcome.event);
    expect(pipeline.run.question("a")).toMatchObject({
      recommended: "retry",
      options: ["retry", "accept", "abort"],
      staleRefs: [{ uriOrLocator: "ancient", digest: "sha256:a" }],
    });
    pipeline.run.resolve("a", { option: "accept" });
    const { envelope, event } = sent(pipeline, "a", NOW, outcomes);
    const check = { uriOrLocator: "ancient", wasStale: true, dispatchedWithDegraded: true };
    expect(envelope.refFreshness).toMatchObject([check, { wasStale: false }]);
    expect(event.decision).toMatchObject({ refFreshness: [check, {}] });
    expect(event).toMatchObject({ attemptNumber: 1 });
  });

  test("recommend to accept what nobody can ever fetch, and offer it not for content that differs", () => {
    const refs = [aged("src/a.ts", 11 * minute), aged("http://b", 11 * minute)];
    const asked = (config: ConfigInit, of: RefreshOutcome) => {
      const pipeline = withRefs(config, ...refs);
      const outcomes = refreshed(["src/a.ts", { ...failed, forGood: true }], ["http://b", of]);
      const outcome = attempt(pipeline, "a", NOW, outcomes);
      if (outcome?.kind !== "refused") throw new Error("nothing was refused");
      return pipeline.run.apply(outcome.event).question("a");
    };
    expect(asked(lenient, failed).recommended).toBe("accept");
    expect(asked(strict, fetched("sha256:other"))).toMatchObject({
      options: ["retry", "abort"],
      recommended: "retry",
      staleRefs: [{ uriOrLocator: "src/a.ts" }, { uriOrLocator: "http://b" }],
    });
  });

  test("whatever came of fetching, one that blocks keeps all from travelling", () => {
    const outcomes = fc.constantFrom(failed, fetched(), fetched("sha256:b"), fetched(""));
    const drawnRefs = fc.array(fc.tuple(fc.integer({ min: 0, max: 15 * minute }), outcomes), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(drawnRefs, fc.boolean(), (drawn, isStrict) => {
        const refs = drawn.map(([age], place) => aged(`ref-${place}`, age));
        const known = new Map(drawn.map(([, outcome], place) => [`ref-${place}`, outcome] as const));
        const outcome = attempt(withRefs(isStrict ? strict : lenient, ...refs), "a", NOW, {
          refreshed: known,
        });
        const blocks = drawn.some(([age, { kind, ...came }]) => {
          if (age <= minute) return false;
          if (isStrict) return !("digest" in came) || came.digest !== "sha256:a";
          return kind === "failed" && age > 10 * minute;
        });
        const stale = drawn.filter(([age]) => age > minute);
        expect(outcome?.kind).toBe(blocks ? "refused" : "sent");
        const checks = outcome?.kind === "sent" ? outcome.envelope.refFreshness : [];
        const degraded = blocks ? 0 : stale.filter(([, { kind }]) => kind === "failed").length;
        expect(checks).toHaveLength(blocks ? 0 : refs.length);
        expect(checks.filter((check) => check.dispatchedWithDegraded)).toHaveLength(degraded);
      }),
    );
  });
});

const modes = [
  ContextPropagationMode.NONE,
  ContextPropagationMode.PREVIOUS,
  ContextPropagationMode.CUMULATIVE,
];
const levels = [undefined, ContextLevel.MINIMAL, ContextLevel.LAYERED, ContextLevel.RICH];

test("SAP-8 every stage of a SAP task is told its principles and playbook, at every level and in every mode, again too", () => {
  const playbooks = [{ capability: "consult", territory: undefined, text: "Begin with the sources." }];
  const { contract, contextIn } = submissionOf(
    sapTask(),
    capabilityRule({ work: { case: "templateId", value: "template" } }),
    section({ playbooks }),
    NOW,
  );
  for (const mode of modes) {
    for (const contextLevel of levels) {
      const config = contextLevel === undefined ? undefined : { handoffPolicy: { contextLevel } };
      const propagation = { mode, carryFields: ["message"] };
      const pipeline = attempted({
        stages: [["a"], ["b", { dependsOn: ["a"], propagation }]],
        submission: { contract: contract ?? {}, contextIn: contextIn ?? {} },
        configs: [config, config],
      });
      const first = sent(pipeline, "a", NOW);
      expect(first.envelope.contextIn).toMatchObject({
        sharedContext: "Begin with the sources.",
        taskDelta: "Principles: blueprint",
      });
      pipeline.run.apply(first.event).report("a", answered({}, "what a did"));
      const { envelope, event } = sent(pipeline, "b", NOW);
      const carries = contextLevel === ContextLevel.RICH && mode !== ContextPropagationMode.NONE;
      const carried = carries ? '\n\nmessage of stage "a":\nwhat a did' : "";
      expect(envelope.contextIn).toMatchObject({
        sharedContext: `Begin with the sources.${carried}`,
        taskDelta: "Principles: blueprint",
      });
      pipeline.run.apply(event).report("b", { judgement: verdicts.retry });
      const again = sent(pipeline, "b", NOW).envelope.contextIn;
      expect(again?.sharedContext).toBe(`Begin with the sources.${carried}`);
      expect(again?.taskDelta).toMatch(/mend the test[^]*\n\nPrinciples: blueprint$/);
    }
  }
});

describe("DSP-81 the context level of a stage's template, to the envelope", () => {
  const contextIn = {
    sharedContext: "background",
    taskDelta: "what is particular",
    decisionMemo: { decisions: [{ decisionId: "d1", description: "use a queue" }] },
    criticalSnippets: [{ path: "a.ts", content: "let a" }],
    unresolvedAssumptions: ["it is durable"],
  };
  const at = (contextLevel: ContextLevel | undefined) =>
    attempted({
      submission: { contextIn },
      configs: [contextLevel === undefined ? undefined : { handoffPolicy: { contextLevel } }],
    });
  const { decisionMemo, criticalSnippets } = contextIn;
  const layered = {
    sharedContext: "",
    taskDelta: "",
    decisionMemo,
    criticalSnippets,
    unresolvedAssumptions: [],
  };
  test.each([
    [ContextLevel.LAYERED, layered],
    [ContextLevel.RICH, contextIn],
    [undefined, layered],
  ])("%s", (level, expected) => {
    expect(sent(at(level), "a", NOW).envelope.contextIn).toMatchObject(expected);
  });

  test("MINIMAL lets nothing of it through", () => {
    expect(sent(at(ContextLevel.MINIMAL), "a", NOW).envelope.contextIn).toBeUndefined();
  });

  test("what a sent-back attempt must see travels even at MINIMAL, in the next attempt's envelope", () => {
    const pipeline = at(ContextLevel.MINIMAL);
    pipeline.run.apply(sent(pipeline, "a", 0).event).report("a", { judgement: verdicts.retry });
    const { envelope } = sent(pipeline, "a", 60_000);
    expect(envelope.execution).toMatchObject({
      dispatchId: "pl-1-d0.2",
      attemptNumber: 2,
      idempotencyKey: "pl-1/a",
    });
    expect(envelope.contextIn?.taskDelta).toContain("mend the test");
    expect(envelope.contextIn?.taskDelta).not.toContain("what is particular");
  });

  test("artifacts of an earlier stage are refs of the next, and as fresh as its policy wants them", () => {
    const propagation = { mode: ContextPropagationMode.PREVIOUS, carryArtifacts: true };
    const pipeline = attempted({
      stages: [["a"], ["b", { dependsOn: ["a"], propagation }]],
      submission: { refs: [aged("task", 1)] },
      configs: [undefined, strict],
    });
    pipeline.run.apply(sent(pipeline, "a", NOW).event);
    pipeline.run.report("a", { init: { artifacts: [{ path: "out.ts", digest: "sha256:o" }] } });
    const asked = attempt(pipeline, "b", NOW);
    expect(asked?.kind === "refresh" && locators(asked.refs)).toEqual(["out.ts"]);
    const known = refreshed(["out.ts", fetched("sha256:o")]);
    expect(locators(sent(pipeline, "b", NOW, known).envelope.refs)).toEqual(["task", "out.ts"]);
  });
});
