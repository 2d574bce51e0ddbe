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
