import { readFileSync } from "node:fs";
import { Outcome } from "@signalbox/contracts";
import { expect, test } from "vitest";
import type { AuditFact } from "../pipeline/fact.ts";
import { stage, verdicts } from "../pipeline/testing/definitions.ts";
import { Run } from "../pipeline/testing/run.ts";
import type { PipelineState } from "../pipeline/state.ts";
import { metrics, type Observation } from "./metrics.ts";
import { type CommittedChange, observePipeline } from "./observe-pipeline.ts";

const fixture = readFileSync(new URL("fixtures/metrics-of-the-design.txt", import.meta.url), "utf8");
const kinds: Record<string, string> = { Counter: "counter", Histogram: "histogram", Gauge: "gauge" };

test("METRIC-1 every metric of a2a-design 5.5 is there under its name, with its type", () => {
  const written = fixture
    .trim()
    .split("\n")
    .map((line) => line.split(" "))
    .map(([name = "", kind = ""]) => [name.replaceAll(".", "_"), kinds[kind]]);
  expect(Object.entries(metrics).map(([name, { kind }]) => [name, kind])).toEqual(written);
  const labels = new Set(Object.values(metrics).flatMap<string>(({ labels: own }) => own));
  // Of each there are as many as people name, and not as many as there is work.
  expect([...labels].toSorted()).toEqual([
    "cause",
    "gate_name",
    "instance_id",
    "outcome",
    "pack_id",
    "task_type",
    "template_id",
    "tier",
  ]);
});

/** What each step of a run committed. */
function watch(run: Run) {
  let before: PipelineState | undefined;
  return (): Observation[] => {
    const facts: AuditFact[] = [];
    const transitions: CommittedChange["transitions"][number][] = [];
    const opened: CommittedChange["opened"][number][] = [];
    const closed: CommittedChange["closed"][number][] = [];
    for (const effect of run.latest) {
      if (effect.kind === "audit") facts.push(effect.fact);
      if (effect.kind === "pipeline-transition" || effect.kind === "stage-transition")
        transitions.push(effect);
      if (effect.kind === "open-escalation") opened.push(effect.escalation);
      if (effect.kind === "close-escalation") closed.push(effect);
    }
    const change = { before, after: run.state, facts, transitions, opened, closed };
    before = run.state;
    return observePipeline(change, run.now);
  };
}
const shortly = (seen: readonly Observation[]) =>
  seen.map(({ metric, labels, value }) => `${metric.slice(4)} ${Object.values(labels).join(",")} ${value}`);

test("METRIC-2 a dispatch, its result, its gate and the end are each counted once", () => {
  const run = new Run([stage("a")]);
  const look = watch(run);
  expect(shortly(look())).toEqual(["pipeline_total template 1"]);
  run.now = 4_000;
  run.send("a");
  const work = `${run.dispatchOf("a").packId},${run.state.plan.stages[0]?.taskType}`;
  expect(shortly(look())).toEqual([
    `dispatch_time_to_first_dispatch_seconds ${work} 4`,
    `dispatch_total ${work} 1`,
  ]);
  run.now = 10_000;
  run.report("a");
  const seen = shortly(look());
  expect(seen).toEqual(
    expect.arrayContaining([
      `dispatch_outcome ${work},success 1`,
      `dispatch_latency_seconds ${work} 6`,
      `dispatch_attempts ${work} 1`,
      "pipeline_completed_total template 1",
      "pipeline_duration_seconds template 10",
      "pipeline_rejections template 0",
      "pipeline_time_to_resolution_seconds template 10",
    ]),
  );
  expect(new Set(seen).size).toBe(seen.length);
});

test("METRIC-2 what fails is counted as what it was: outcome class, retry, question and its answer", () => {
  const run = new Run([stage("a", { maxAttempts: 2 })]);
  const look = watch(run);
  look();
  run.send("a");
  look();
  run.report("a", { outcome: Outcome.NON_RETRYABLE_FAILURE, judgement: null });
  const seen = shortly(look());
  expect(seen.filter((line) => line.startsWith("dispatch_outcome"))).toEqual([
    expect.stringMatching(/,non_retryable 1$/),
  ]);
  expect(seen).toContain("escalation_total stage-failed 1");
  expect(seen.some((line) => line.startsWith("dispatch_attempts"))).toBe(false);
  run.now += 90_000;
  run.resolve("a", { option: "retry", instructions: "again" });
  expect(shortly(look())).toContain("escalation_resolution_time_seconds stage-failed 90");
  run.send("a");
  // A second attempt is no first dispatch.
  expect(shortly(look()).some((line) => line.startsWith("dispatch_time_to_first"))).toBe(false);
});

test("METRIC-2 a gate's checks are counted by name, and tell a rejection from what is fixed", () => {
  const run = new Run([stage("a"), stage("b", { dependsOn: ["a"] })]);
  const look = watch(run);
  run.send("a");
  look();
  run.report("a", { judgement: verdicts.retry });
  const seen = shortly(look());
  const failed = seen.filter((line) => line.startsWith("gate_failed_total"));
  const total = seen.filter((line) => line.startsWith("gate_total"));
  expect(total.length).toBeGreaterThan(0);
  expect(failed.some((line) => line.includes("verdict"))).toBe(true);
  expect(failed.length + seen.filter((line) => line.startsWith("gate_passed_total")).length).toBe(
    total.length,
  );
  run.send("a");
  look();
  run.report("a").send("b");
  look();
  run.report("b", { judgement: verdicts.rejectTo("a") });
  expect(shortly(look()).some((line) => /^gate_rejected_total .*verdict 1$/.test(line))).toBe(true);
});

test("METRIC-2 what ends without a result is a retryable failure (3.2); a lost lease is a timeout, as its entry says", () => {
  const run = new Run([stage("a", { maxAttempts: 9 })], { maxTotalRetries: 9 });
  const look = watch(run);
  const ended = (event: Parameters<Run["apply"]>[0]) => {
    run.now += 120_000;
    run.apply(event);
    const seen = shortly(look());
    run.now += 120_000;
    return seen.filter((line) => /^dispatch_(outcome|timeout|latency)/.test(line));
  };
  const next = (dueAt: number | null = null) => {
    run.apply(run.sendEvent("a", dueAt));
    look();
    return run.fence("a");
  };
  const work = "pack,a-work";
  const outcome = `dispatch_outcome ${work},retryable 1`;
  const timeout = `dispatch_timeout_total ${work} 1`;
  expect(ended({ kind: "dispatch-timed-out", ...next(1) })).toEqual([timeout, outcome]);
  expect(ended({ kind: "lease-lost", ...next(), leaseExpiredAt: 1 })).toEqual([timeout, outcome]);
  expect(ended({ kind: "agent-failed", ...next(), detail: "boom" })).toEqual([outcome]);
  next();
  expect(ended(run.lostEvent("a"))).toEqual([outcome]);
  const invalid = { error: "no trace", schemaVersionReceived: "1", schemaVersionExpected: "1" };
  const by = { type: "agent", id: "pack-1" } as const;
  const report = { by, ...next(), ...invalid, consecutiveInvalid: 1, quarantined: false };
  expect(ended({ kind: "result-invalid", ...report })).toEqual([outcome]);
});

const refusedFor = (reason: "no-route" | "unavailable" | "queue-full" | "deadline-passed" | "stale-refs") => {
  const run = new Run([stage("a")]);
  const look = watch(run);
  look();
  const about = {
    stageId: "a",
    attemptNumber: 1,
    problem: "queue-full: no",
    decision: {},
    quarantined: null,
  };
  run.apply({ kind: "dispatch-refused", reason, ...about });
  return shortly(look()).filter((line) => line.startsWith("dispatch_no_candidates"));
};

test("METRIC-2 only what nobody could take lacked candidates", () => {
  const one = ["dispatch_no_candidates_total a-work 1"];
  expect([refusedFor("no-route"), refusedFor("unavailable")]).toEqual([one, one]);
  expect([refusedFor("queue-full"), refusedFor("deadline-passed"), refusedFor("stale-refs")].flat()).toEqual(
    [],
  );
});

const answered = (resolution: Parameters<Run["resolve"]>[1]) => {
  const run = new Run([stage("a", { required: false })]);
  const look = watch(run);
  run.send("a");
  look();
  run.report("a", { judgement: verdicts.ask });
  const asked = shortly(look()).filter((line) => line.startsWith("gate_"));
  expect(asked).toEqual(["gate_total LOW,tests 1", "gate_passed_total LOW,tests 1"]);
  run.resolve("a", resolution);
  return shortly(look()).filter((line) => line.startsWith("gate_"));
};

test("METRIC-2 a gate that asks a person is counted once: its checks when it asks, its verdict when they answer", () => {
  const total = "gate_total LOW,verdict 1";
  expect(answered({ option: "advance" })).toEqual([total, "gate_passed_total LOW,verdict 1"]);
  expect(answered({ option: "retry", instructions: "" })).toEqual([total, "gate_failed_total LOW,verdict 1"]);
  const back = { option: "rewind", stageId: "a", instructions: "" } as const;
  expect(answered(back)).toEqual([total, "gate_rejected_total LOW,verdict 1"]);
});

test("METRIC-2 a stage that is required and was passed by is no non-required stage that was skipped", () => {
  const edges = { b: "response.data.go == true", c: "" };
  const skipped = (required: boolean) => {
    const run = new Run([stage("a", { edges }), stage("b", { required }), stage("c")]);
    const look = watch(run);
    run.finish("a");
    expect(run.stages["b"]).toBe("SKIPPED");
    return shortly(look()).filter((line) => line.startsWith("pipeline_stages_skipped"));
  };
  expect(skipped(true)).toEqual([]);
  expect(skipped(false)).toEqual(["pipeline_stages_skipped_total template 1"]);
});

test("METRIC-1 the thresholds of 5.6 are bounds of buckets: between two a quantile is a guess", () => {
  expect(metrics.a2a_escalation_resolution_time_seconds.buckets).toContain(30 * 60);
});
