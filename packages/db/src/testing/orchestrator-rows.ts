import { sql, type SQL } from "drizzle-orm";

/** What the app may insert into each of the orchestrator's tables: one row that stands alone, as a tenant's. */
const ORCHESTRATOR_ROWS = {
  alert_watches: (tenant: string) => sql`(tenant_id) values (${tenant})`,
  breakers: (tenant: string) =>
    sql`(tenant_id, pack_id, task_type, change, state) values (${tenant}, 'painter', 'paint', 1, '{}')`,
  cancel_signals: (tenant: string) =>
    sql`(tenant_id, pack_id, instance_id, dispatch_id) values (${tenant}, 'painter', 'one', 'p-d1.1')`,
  dispatches: (tenant: string) =>
    sql`(tenant_id, pipeline_id, stage_order, attempt_number, stage_id, task_type, pack_id, pack_version, instance_id,
      policy_version, envelope, spans) values (${tenant}, 'p', 1, 1, 's', 'paint', 'painter', '1', 'one', '1', '{}', '[]')`,
  escalations: (tenant: string) =>
    sql`(tenant_id, pipeline_id, number, cause, escalation) values (${tenant}, 'p', 1, 'gate', '{}')`,
  events: (tenant: string) => sql`(tenant_id, ordinal, kind, payload) values (${tenant}, 0, 'x', '{}')`,
  feed_horizons: (tenant: string) => sql`(tenant_id, transaction, ordinal) values (${tenant}, '1', 0)`,
  fired_alerts: (tenant: string) =>
    sql`(tenant_id, alert, subject, detail) values (${tenant}, 'breaker-open', '', 'x')`,
  instances: (tenant: string) =>
    sql`(tenant_id, pack_id, instance_id, change, heartbeat, health, lease_expires_at)
      values (${tenant}, 'painter', 'one', 1, '{}', 1, now())`,
  kept_answers: (tenant: string) =>
    sql`(tenant_id, actor_id, request_key, digest, answer)
      values (${tenant}, 'x', 'k', decode(repeat('00', 32), 'hex'), '{}')`,
  open_dispatches: (tenant: string) =>
    sql`(tenant_id, pipeline_id, stage_order, attempt_number, stage_id, task_type, pack_id, instance_id)
      values (${tenant}, 'p', 1, 1, 's', 'paint', 'painter', 'one')`,
  pipeline_templates: (tenant: string) =>
    sql`(tenant_id, version, document, note, created_by) values (${tenant}, '1', '', '', 'x')`,
  pipelines: (tenant: string) =>
    sql`(tenant_id, pipeline_id, revision, status, name, template_id, template_version, trace_id, submitted_by_type,
      submitted_by, state) values (${tenant}, 'p', 1, 1, 'x', 't', '1', 't', 3, 'x', '{}')`,
  registries: (tenant: string) => sql`(tenant_id, change) values (${tenant}, 1)`,
  results: (tenant: string) =>
    sql`(tenant_id, pipeline_id, stage_order, attempt_number, standing, digest, result, spans)
      values (${tenant}, 'p', 1, 1, 'counted', sha256(''), '{}', '[]')`,
  routing_policies: (tenant: string) =>
    sql`(tenant_id, version, document, note, created_by) values (${tenant}, '1', '', '', 'x')`,
  sap_cache_records: (tenant: string) =>
    sql`(tenant_id, cache_key, sap_version, task_id, producer, alignment, fingerprint, digest, record)
      values (${tenant}, 'k', '2.0', '7fbb32b6-0d2c-4c1a-9b75-2a4b3b0b6c0a', 'p', 'VALID', sha256(''), sha256(''), '{}')`,
  sap_results: (tenant: string) =>
    sql`(tenant_id, task_id, revision, status, digest, result)
      values (${tenant}, '7fbb32b6-0d2c-4c1a-9b75-2a4b3b0b6c0a', 0, 'SUCCEEDED', sha256(''), '{}')`,
  sap_signals: (tenant: string) =>
    sql`(tenant_id, kind, capability, territory, fingerprint, signal)
      values (${tenant}, 'cache', 'c', '', sha256(''), '{}')`,
  sap_tasks: (tenant: string) =>
    sql`(tenant_id, task_id, capability, cache_key, fingerprint, digest, masked, submitted_by_type, submitted_by, door, task)
      values (${tenant}, '7fbb32b6-0d2c-4c1a-9b75-2a4b3b0b6c0a', 'c', 'k', sha256(''), sha256(''), false, 3, 'x', 'http', '{}')`,
  stages: (tenant: string) =>
    sql`(tenant_id, pipeline_id, stage_order, stage_id, task_type, status, attempt_number, state)
      values (${tenant}, 'p', 1, 's', 'paint', 1, 0, '{}')`,
  tasks: (tenant: string) => sql`(tenant_id, pipeline_id, task, plan) values (${tenant}, 'p', '{}', '{}')`,
  trace_runs: (tenant: string) =>
    sql`(tenant_id, pipeline_id, stage_order, attempt_number, turn_index, first_sequence, last_sequence, run_number,
        event_ids, stage_id, types, events)
      values (${tenant}, 'p', 1, 1, 0, 0, 0, 1, '{7fbb32b6-0d2c-4c1a-9b75-2a4b3b0b6c0a}', 's', '{SANDBOX_PULSE}', '{}')`,
  turn_streams: (tenant: string) =>
    sql`(tenant_id, pipeline_id, stage_order, attempt_number, turn_index) values (${tenant}, 'p', 1, 1, 0)`,
  turns: (tenant: string) =>
    sql`(tenant_id, pipeline_id, stage_order, attempt_number, turn_index, stage_id, confidence, fingerprint, turn, marks)
      values (${tenant}, 'p', 1, 1, 0, 's', 0.5, sha256(''), '{}', '[]')`,
} as const satisfies Record<string, (tenant: string) => SQL>;

export type OrchestratorTable = keyof typeof ORCHESTRATOR_ROWS;
export const ORCHESTRATOR_TABLES = [
  "alert_watches",
  "breakers",
  "cancel_signals",
  "dispatches",
  "escalations",
  "events",
  "feed_horizons",
  "fired_alerts",
  "instances",
  "kept_answers",
  "open_dispatches",
  "pipeline_templates",
  "pipelines",
  "registries",
  "results",
  "routing_policies",
  "sap_cache_records",
  "sap_results",
  "sap_signals",
  "sap_tasks",
  "stages",
  "tasks",
  "trace_runs",
  "turn_streams",
  "turns",
] as const satisfies readonly OrchestratorTable[];

export function insertAs(table: OrchestratorTable, tenant: string): SQL {
  return sql`insert into ${sql.identifier("signalbox")}.${sql.identifier(table)} ${ORCHESTRATOR_ROWS[table](tenant)}`;
}
