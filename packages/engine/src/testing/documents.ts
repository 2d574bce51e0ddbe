type PolicyChanges = {
  readonly version?: string;
  readonly admission?: object;
  readonly defaults?: object;
  /** By task type. */
  readonly routes?: Readonly<Record<string, object>>;
  readonly redaction?: object;
  readonly sap?: object;
  readonly answers?: object;
};

/** A policy that sends each task type to its packs, and lets everything through unless `changes` say otherwise. */
export const policyText = (
  routes: Readonly<Record<string, readonly string[]>>,
  {
    version = "1.0.0",
    admission = {},
    defaults = {},
    routes: changed = {},
    redaction,
    sap,
    answers,
  }: PolicyChanges = {},
): string =>
  JSON.stringify({
    routing_policy: {
      version,
      routes: Object.entries(routes).map(([taskType, packs]) =>
        Object.assign(
          { task_type: taskType, allowed_pack_ids: packs, fallback_pack_id: null },
          changed[taskType],
        ),
      ),
      admission: {
        max_global_queue_depth: 1_000_000,
        max_per_pack_concurrent: 100_000,
        circuit_breaker: { error_threshold: 10_000, window: "60s", half_open_after: "1s" },
        max_wait: "10m",
        absence_grace: "60s",
        ...admission,
      },
      defaults: { max_candidate_agents: 3, require_healthy: false, ...defaults },
    },
    ...(redaction === undefined ? {} : { redaction_policy: redaction }),
    ...(answers === undefined ? {} : { answer_policy: answers }),
    ...(sap === undefined ? {} : { sap_policy: sap }),
  });

type Stage = { readonly id: string; readonly taskType: string; readonly after?: readonly string[] };
type Policy = {
  readonly max_total_retries?: number;
  readonly max_rejections?: number;
  readonly pipeline_deadline?: string;
  readonly failure_strategy?: "FAIL_FAST" | "SKIP_FAILED" | "PAUSE";
};

export const template = (
  templateId: string,
  stages: readonly (Stage & { readonly extra?: object })[],
  policy: Policy = {},
) => ({
  template_id: templateId,
  name: templateId,
  stages: stages.map(({ id, taskType, after = [], extra = {} }) => ({
    stage_id: id,
    task_type: taskType,
    required: true,
    depends_on_stages: after,
    context_propagation: {
      mode: "CUMULATIVE",
      carry_artifacts: true,
      carry_decisions: true,
      carry_risks: true,
    },
    handoff_policy: {
      context_level: "RICH",
      retry: { max_attempts: 5, initial_backoff: "10ms", backoff_multiplier: 1, max_backoff: "10ms" },
    },
    ...extra,
  })),
  policy: { max_total_retries: 100, max_rejections: 3, failure_strategy: "PAUSE", ...policy },
});

export const templatesText = (templates: readonly object[], version = "1.0.0"): string =>
  JSON.stringify({ pipeline_templates: { version, templates } });
