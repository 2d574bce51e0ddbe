/** What signalbox_app may do, table by table and column by column. A right more, or a right less, fails the catalogue test. */
export const APP_RIGHTS: Readonly<Record<string, readonly string[]>> = {
  "signalbox.audit_entries": [
    "SELECT",
    ...insert(
      "tenant_id event_type actor_type actor_id trace_id pipeline_id stage_id dispatch_id attempt_number pack_id payload",
    ),
  ],
  "signalbox.keys": [
    "SELECT",
    ...insert("tenant_id hash prefix label role created_by expires_at"),
    ...update("last_used_at revoked_at"),
  ],
  "signalbox.packs": [
    "SELECT",
    ...insert(
      "tenant_id pack_id pack_version manifest content_digest safety_tier supported_task_types registered_by",
    ),
  ],
  "signalbox.schema_history": ["SELECT"],
  "signalbox.sessions": [
    "SELECT",
    ...insert("tenant_id hash actor_id role expires_at"),
    ...update("ended_at"),
  ],
  "signalbox.sign_in_links": [
    "SELECT",
    ...insert("tenant_id hash actor_id role expires_at"),
    ...update("used_at"),
  ],
  "signalbox.tenants": ["SELECT", ...insert("tenant_id name")],
  "signalbox_migrations.applied": ["SELECT"],
};

export const APP_FUNCTIONS: readonly string[] = [
  "signalbox.ensure_audit_partitions(integer)",
  "signalbox.find_key_by_hash(bytea)",
  "signalbox.find_session_by_hash(bytea)",
  "signalbox.find_sign_in_link_by_hash(bytea)",
];

/** Tables that belong to no tenant, and why. */
export const TENANTLESS_TABLES: Readonly<Record<string, string>> = {
  "signalbox.schema_history": "tells binaries which migrations the database has; the app may only read it",
  "signalbox_migrations.applied": "drizzle's own list of the same, with hashes; the app may only read it",
};

/** Policies beside tenant_isolation: the owner reads by hash before the tenant is known (look-up functions). */
export const OWNER_LOOK_UPS: readonly string[] = [
  "signalbox.keys",
  "signalbox.sessions",
  "signalbox.sign_in_links",
];

/** Indexes that do not begin with the tenant: the same look-ups. */
export const TENANTLESS_INDEXES: readonly string[] = ["keys_hash", "sessions_hash", "sign_in_links_hash"];

/** Rows that are never changed, whoever asks. */
export const APPEND_ONLY: readonly string[] = ["signalbox.audit_entries", "signalbox.packs"];

function insert(columns: string): string[] {
  return columns.split(" ").map((column) => `INSERT(${column})`);
}

function update(columns: string): string[] {
  return columns.split(" ").map((column) => `UPDATE(${column})`);
}
