type Metric = {
  readonly kind: "counter" | "histogram" | "gauge";
  readonly help: string;
  /** Beside `tenant_id`, which all have. */
  readonly labels: readonly string[];
  /** A histogram's, in its unit. */
  readonly buckets?: readonly number[];
};

/** 1,800 is the threshold of an alert (5.6): a quantile is a guess wherever no bucket ends. */
const seconds = [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 1_800, 3_600, 14_400, 86_400];
const times = [0, 1, 2, 3, 5, 8, 13];
const ofDispatch = ["pack_id", "task_type"];
const ofTemplate = ["template_id"];
const ofGate = ["tier", "gate_name"];
const ofInstance = ["pack_id", "instance_id"];

const counter = (help: string, labels: readonly string[]): Metric => ({ kind: "counter", help, labels });
const gauge = (help: string, labels: readonly string[]): Metric => ({ kind: "gauge", help, labels });
const histogram = (help: string, labels: readonly string[], buckets: readonly number[]): Metric => ({
  kind: "histogram",
  help,
  labels,
  buckets,
});

/** METRIC-1: a2a-design 5.5, under the names that Prometheus allows. */
export const metrics = {
  a2a_dispatch_total: counter("Total dispatches", ofDispatch),
  a2a_dispatch_outcome: counter("Dispatches that ended, by outcome class", [...ofDispatch, "outcome"]),
  a2a_dispatch_latency_seconds: histogram("Dispatch to result received", ofDispatch, seconds),
  a2a_dispatch_attempts: histogram("Attempts per successful dispatch", ofDispatch, times),
  a2a_dispatch_timeout_total: counter("Dispatches that timed out", ofDispatch),
  a2a_dispatch_no_candidates_total: counter("No compatible agents available", ["task_type"]),
  a2a_dispatch_time_to_first_dispatch_seconds: histogram(
    "Task queued to first dispatch",
    ofDispatch,
    seconds,
  ),
  a2a_pipeline_total: counter("Total pipelines started", ofTemplate),
  a2a_pipeline_completed_total: counter("Successfully completed", ofTemplate),
  a2a_pipeline_failed_total: counter("Failed or aborted", ofTemplate),
  a2a_pipeline_duration_seconds: histogram("Wall-clock start to finish", ofTemplate, seconds),
  a2a_pipeline_rejections: histogram("Review gate rejections per pipeline", ofTemplate, times),
  a2a_pipeline_stages_skipped_total: counter("Non-required stages skipped", ofTemplate),
  a2a_pipeline_deadline_breach_total: counter("Pipelines exceeding deadline", ofTemplate),
  a2a_pipeline_time_to_resolution_seconds: histogram("Task queued to pipeline complete", ofTemplate, seconds),
  a2a_gate_total: counter("Total gate evaluations", ofGate),
  a2a_gate_passed_total: counter("Passed on first attempt", ofGate),
  a2a_gate_failed_total: counter("Failed (entered fix loop)", ofGate),
  a2a_gate_rejected_total: counter("Rejected (rewind)", ofGate),
  a2a_agent_health_status: gauge("Current health (enum as int)", ofInstance),
  a2a_agent_capacity_utilization: gauge("active_tasks / max_tasks", ofInstance),
  a2a_agent_quarantine_total: counter("Times quarantined", ofInstance),
  a2a_agent_error_rate: gauge("Rolling 1-minute error rate", ofInstance),
  a2a_escalation_total: counter("Total escalations", ["cause"]),
  a2a_escalation_resolution_time_seconds: histogram("Escalation to resolution", ["cause"], seconds),
  a2a_escalation_unresolved: gauge("Currently open escalations", []),
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof metrics;
export type MetricOf<Kind extends Metric["kind"]> = {
  [Name in MetricName]: (typeof metrics)[Name]["kind"] extends Kind ? Name : never;
}[MetricName];

/** One thing that was seen: a counter's step, a histogram's value, or what a gauge is at. */
export type Observation = {
  readonly metric: MetricName;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};
