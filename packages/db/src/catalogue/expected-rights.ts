/** What signalbox_app may do, table by table and column by column. A right more, or a right less, fails the catalogue test. */
export const APP_RIGHTS: Readonly<Record<string, readonly string[]>> = {
  "signalbox.alert_watches": ["SELECT", ...insert("tenant_id"), ...update("looked_at")],
  "signalbox.audit_entries": [
    "SELECT",
    ...insert(
      "tenant_id event_type actor_type actor_id trace_id pipeline_id stage_id dispatch_id attempt_number pack_id payload",
    ),
  ],
  "signalbox.audit_holds": [
    "SELECT",
    ...insert("tenant_id reason placed_by"),
    ...update("released_by release_reason"),
  ],
  "signalbox.audit_retention": [
    "SELECT",
    ...insert("tenant_id keep_months changed_by"),
    ...update("keep_months changed_by"),
  ],
  "signalbox.keys": [
    "SELECT",
    ...insert("tenant_id hash prefix label role created_by pack_ids expires_at"),
    ...update("last_used_at revoked_at"),
  ],
  "signalbox.breakers": [
    "SELECT",
    ...insert("tenant_id pack_id task_type change state"),
    ...update("change state"),
  ],
  "signalbox.cancel_signals": ["DELETE", "SELECT", ...insert("tenant_id pack_id instance_id dispatch_id")],
  "signalbox.dispatches": [
    "SELECT",
    ...insert(
      "tenant_id pipeline_id stage_order attempt_number stage_id task_type pack_id pack_version instance_id policy_version envelope spans",
    ),
  ],
  "signalbox.escalation_comments": [
    "SELECT",
    ...insert("tenant_id pipeline_id number ordinal author_id text"),
  ],
  "signalbox.escalations": [
    "SELECT",
    ...insert("tenant_id pipeline_id number stage_id cause escalation task_type pack_id refusal"),
    ...update("escalation closed_at closing assignee_id assigned_at"),
  ],
  "signalbox.events": [
    "DELETE",
    "SELECT",
    ...insert("tenant_id ordinal pipeline_id kind payload stage_order attempt_number first_run last_run"),
  ],
  "signalbox.fired_alerts": ["DELETE", "SELECT", ...insert("tenant_id alert subject pack_id detail")],
  "signalbox.feed_horizons": [
    "SELECT",
    ...insert("tenant_id transaction ordinal"),
    ...update("transaction ordinal"),
  ],
  "signalbox.instances": [
    "DELETE",
    "SELECT",
    ...insert(
      "tenant_id pack_id instance_id change heartbeat pack_version health unwell_since lease_expires_at dispatches_when_heard",
    ),
    ...update(
      "change heartbeat pack_version health unwell_since heard_at lease_expires_at dispatches_when_heard draining draining_since draining_reason consecutive_invalid last_error quarantined_at quarantined_by_results probation_since told_lost",
    ),
  ],
  "signalbox.members": [
    "SELECT",
    ...insert("tenant_id member_id email name role created_by"),
    ...update("email name role password_hash oidc_issuer oidc_subject removed_at"),
  ],
  "signalbox.attachments": [
    "DELETE",
    "SELECT",
    ...insert("tenant_id name media_type size digest link_secret kept_by content"),
  ],
  "signalbox.kept_answers": [
    "DELETE",
    "SELECT",
    ...insert("tenant_id actor_id request_key digest answer pipeline_id"),
    ...update("digest answer pipeline_id expires_at"),
  ],
  "signalbox.open_dispatches": [
    "DELETE",
    "SELECT",
    ...insert(
      "tenant_id pipeline_id stage_order attempt_number stage_id task_type pack_id instance_id handed_at lease_expires_at timeout_at due_at",
    ),
    ...update("handed_at lease_expires_at due_at"),
  ],
  "signalbox.pipeline_templates": [
    "DELETE",
    "SELECT",
    ...insert("tenant_id version document note created_by"),
    ...update("status document note edit published_at published_by retired_at"),
  ],
  "signalbox.pipeline_words": insert("tenant_id pipeline_id created_at words"),
  "signalbox.pipelines": [
    "SELECT",
    ...insert(
      "tenant_id pipeline_id revision status name template_id template_version trace_id source_task_id task_title submitted_by_type submitted_by state due_at ended_at",
    ),
    ...update("revision status state due_at updated_at ended_at"),
  ],
  "signalbox.registries": ["SELECT", ...insert("tenant_id change"), ...update("change")],
  "signalbox.results": [
    "SELECT",
    ...insert("tenant_id pipeline_id stage_order attempt_number standing digest result spans"),
  ],
  "signalbox.routing_policies": [
    "DELETE",
    "SELECT",
    ...insert("tenant_id version document note created_by"),
    ...update("status document note edit published_at published_by retired_at"),
  ],
  "signalbox.stages": [
    "SELECT",
    ...insert(
      "tenant_id pipeline_id stage_order stage_id task_type status attempt_number state claimable_at waiting_since",
    ),
    ...update("task_type status attempt_number state claimable_at waiting_since"),
  ],
  "signalbox.tasks": ["SELECT", ...insert("tenant_id pipeline_id task plan")],
  "signalbox.trace_runs": [
    "SELECT",
    ...insert(
      "tenant_id pipeline_id stage_order attempt_number turn_index first_sequence last_sequence run_number event_ids stage_id types fingerprints events",
    ),
  ],
  "signalbox.turn_streams": [
    "SELECT",
    ...insert("tenant_id pipeline_id stage_order attempt_number turn_index"),
    ...update("sealed updated_at"),
  ],
  "signalbox.turns": [
    "SELECT",
    ...insert(
      "tenant_id pipeline_id stage_order attempt_number turn_index stage_id confidence fingerprint turn marks",
    ),
  ],
  "signalbox.nodes": ["SELECT"],
  "signalbox.packs": [
    "SELECT",
    ...insert(
      "tenant_id pack_id pack_version manifest content_digest safety_tier supported_task_types registered_by change",
    ),
  ],
  "signalbox.schema_history": ["SELECT"],
  "signalbox.sap_tasks": [
    "SELECT",
    ...insert(
      "tenant_id task_id parent_task_id capability territory pipeline_id cache_key fingerprint digest masked sent_fingerprint submitted_by_type submitted_by door task",
    ),
  ],
  "signalbox.sap_results": ["SELECT", ...insert("tenant_id task_id revision status digest result")],
  "signalbox.sap_cache_records": [
    "SELECT",
    ...insert("tenant_id cache_key sap_version task_id producer alignment fingerprint digest record"),
  ],
  "signalbox.sap_signals": [
    "SELECT",
    ...insert("tenant_id kind capability territory fingerprint task_id rated_by signal"),
  ],
  "signalbox.sap_learners": ["SELECT", ...insert("tenant_id"), ...update("transaction signal_id learnt_at")],
  "signalbox.sap_aggregates": [
    "SELECT",
    ...insert("tenant_id scope capability territory fingerprint aggregate"),
    ...update("aggregate changed_at"),
  ],
  "signalbox.sap_proposals": ["SELECT", ...insert("tenant_id kind subject digest proposal policy_version")],
  "signalbox.sap_decisions": [
    "SELECT",
    ...insert("tenant_id proposal_id decision decided_by_type decided_by reason policy_version"),
  ],
  "signalbox.sessions": [
    "SELECT",
    ...insert("tenant_id hash actor_id role method user_agent expires_at idle_expires_at"),
    ...update("ended_at last_seen_at idle_expires_at"),
  ],
  "signalbox.sign_in_links": [
    "SELECT",
    ...insert("tenant_id hash actor_id role created_by expires_at"),
    ...update("used_at"),
  ],
  "signalbox.tenants": ["SELECT", ...insert("tenant_id name")],
  "signalbox_migrations.applied": ["SELECT"],
};

export const APP_FUNCTIONS: readonly string[] = [
  "signalbox.assert_node(node text, own_epoch integer)",
  "signalbox.count_sign_in_attempt(buckets json)",
  "signalbox.due_alert_watches(every_ms integer, healthy integer, total integer)",
  "signalbox.due_feeds(kept_hours integer, total integer)",
  "signalbox.due_learners(total integer)",
  "signalbox.due_open_dispatches(each integer, total integer)",
  "signalbox.due_pipelines(each integer, total integer)",
  "signalbox.due_stages(each integer, total integer)",
  "signalbox.waiting_lines(most integer)",
  "signalbox.ensure_audit_partitions(months_ahead integer)",
  "signalbox.find_key_by_hash(wanted bytea)",
  "signalbox.find_session_by_hash(wanted bytea)",
  "signalbox.find_sign_in_link_by_hash(wanted bytea)",
  "signalbox.forgive_sign_in_attempt(forgotten json, returned json)",
  "signalbox.join_node(node text, lease_ms integer)",
  "signalbox.join_node(node text, lease_ms integer, has_loops boolean)",
  "signalbox.leave_node(node text, own_epoch integer)",
  "signalbox.lost_instances(total integer)",
  "signalbox.tenants_with_quarantine(after text, total integer)",
  "signalbox.pipeline_patterns(wanted text)",
  "signalbox.pipeline_query(wanted text)",
  "signalbox.search_audit(words text, of_type integer, of_pack text, of_pipeline text, of_trace text, by_actor text, since timestamp with time zone, before timestamp with time zone, after_moment timestamp with time zone, after_id uuid, most integer)",
  "signalbox.search_pipelines(words text, of_status integer, asked text, since timestamp with time zone, before timestamp with time zone, after_moment timestamp with time zone, after_id text, most integer)",
  "signalbox.removable_audit_months()",
  "signalbox.remove_audit_month(month date)",
  "signalbox.renew_node(node text, own_epoch integer, lease_ms integer)",
  "signalbox.tenants_with_expired_answers(most integer)",
  "signalbox.woken_stages(pairs json, each integer)",
];

/** Tables that belong to no tenant, and why. */
export const TENANTLESS_TABLES: Readonly<Record<string, string>> = {
  "signalbox.nodes":
    "engines serve all tenants; the app may only read it, and its functions write one node's lease",
  "signalbox.sign_in_attempts":
    "an address is nobody's and an account that is tried need not exist; the app only calls the functions that count",
  "signalbox.schema_history": "tells binaries which migrations the database has; the app may only read it",
  "signalbox_migrations.applied": "drizzle's own list of the same, with hashes; the app may only read it",
};

/** Sequences that count nothing of any tenant's: migrations, and lives of engines, of which the app is told its own only. */
export const TENANTLESS_SEQUENCES: readonly string[] = [
  "signalbox.node_epochs",
  "signalbox_migrations.applied_id_seq",
];

/** Tables that a batch of several tenants may work on; every other one shows itself to a single tenant only. */
export const BATCHED_TABLES: readonly string[] = [
  "signalbox.alert_watches",
  "signalbox.audit_entries",
  "signalbox.breakers",
  "signalbox.cancel_signals",
  "signalbox.dispatches",
  "signalbox.escalations",
  "signalbox.events",
  "signalbox.feed_horizons",
  "signalbox.fired_alerts",
  "signalbox.instances",
  "signalbox.kept_answers",
  "signalbox.open_dispatches",
  "signalbox.packs",
  "signalbox.pipeline_templates",
  "signalbox.pipeline_words",
  "signalbox.pipelines",
  "signalbox.registries",
  "signalbox.results",
  "signalbox.routing_policies",
  "signalbox.sap_cache_records",
  "signalbox.sap_results",
  "signalbox.sap_signals",
  "signalbox.sap_tasks",
  "signalbox.stages",
  "signalbox.tasks",
  "signalbox.trace_runs",
  "signalbox.turn_streams",
  "signalbox.turns",
];

/** Policies beside tenant_isolation: the owner reads by hash before the tenant is known, and finds what is due. */
export const OWNER_LOOK_UPS: readonly string[] = [
  "signalbox.alert_watches",
  "signalbox.audit_entries",
  "signalbox.audit_holds",
  "signalbox.audit_retention",
  "signalbox.breakers",
  "signalbox.escalations",
  "signalbox.events",
  "signalbox.fired_alerts",
  "signalbox.instances",
  "signalbox.kept_answers",
  "signalbox.keys",
  "signalbox.members",
  "signalbox.open_dispatches",
  "signalbox.pipeline_words",
  "signalbox.pipelines",
  "signalbox.sap_learners",
  "signalbox.sap_signals",
  "signalbox.sessions",
  "signalbox.sign_in_links",
  "signalbox.stages",
];

/** Indexes that do not begin with the tenant: the same look-ups. */
export const TENANTLESS_INDEXES: readonly string[] = ["keys_hash", "sessions_hash", "sign_in_links_hash"];

/** Rows that are never changed, whoever asks. */
export const APPEND_ONLY: readonly string[] = [
  "signalbox.audit_entries",
  "signalbox.dispatches",
  "signalbox.packs",
  "signalbox.pipeline_words",
  "signalbox.results",
  "signalbox.sap_cache_records",
  "signalbox.sap_decisions",
  "signalbox.sap_proposals",
  "signalbox.sap_results",
  "signalbox.sap_signals",
  "signalbox.sap_tasks",
  "signalbox.tasks",
  "signalbox.trace_runs",
  "signalbox.turns",
];

/** The same, but that old ones are forgotten: a trigger of their own says when. */
export const FORGOTTEN_IN_TIME: readonly string[] = ["signalbox.attachments", "signalbox.events"];

function insert(columns: string): string[] {
  return columns.split(" ").map((column) => `INSERT(${column})`);
}

function update(columns: string): string[] {
  return columns.split(" ").map((column) => `UPDATE(${column})`);
}
