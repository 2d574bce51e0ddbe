-- Nothing is anybody's by default: Postgres gives EXECUTE on every new function to PUBLIC.
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;--> statement-breakpoint
ALTER TABLE "signalbox"."audit_entries" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."keys" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."packs" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."sessions" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."sign_in_links" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."tenants" FORCE ROW LEVEL SECURITY;--> statement-breakpoint

-- The app names the columns it may write; identity, time, transaction and salt are the database's own.
GRANT USAGE ON SCHEMA "signalbox" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT ON "signalbox"."schema_history" TO "signalbox_app";--> statement-breakpoint
GRANT USAGE ON SCHEMA "signalbox_migrations" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT ON "signalbox_migrations"."applied" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "name") ON "signalbox"."tenants" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "pack_id", "pack_version", "manifest", "content_digest", "safety_tier", "supported_task_types", "registered_by")
  ON "signalbox"."packs" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "event_type", "actor_type", "actor_id", "trace_id", "pipeline_id", "stage_id", "dispatch_id", "attempt_number", "pack_id", "payload")
  ON "signalbox"."audit_entries" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "hash", "prefix", "label", "role", "created_by", "expires_at"), UPDATE ("last_used_at", "revoked_at")
  ON "signalbox"."keys" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "hash", "actor_id", "role", "expires_at"), UPDATE ("ended_at")
  ON "signalbox"."sessions" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "hash", "actor_id", "role", "expires_at"), UPDATE ("used_at")
  ON "signalbox"."sign_in_links" TO "signalbox_app";--> statement-breakpoint

CREATE FUNCTION "signalbox"."refuse_change"() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RAISE EXCEPTION '%.% is append-only: % is refused', TG_TABLE_SCHEMA, TG_TABLE_NAME, TG_OP
    USING ERRCODE = 'restrict_violation';
END $$;--> statement-breakpoint

-- A row trigger never fires for TRUNCATE, and a statement trigger on a partitioned table never for its partitions:
-- ensure_audit_partitions adds each partition's own.
CREATE TRIGGER "audit_entries_keep_rows" BEFORE UPDATE OR DELETE ON "signalbox"."audit_entries"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "audit_entries_keep_all" BEFORE TRUNCATE ON "signalbox"."audit_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "packs_keep_rows" BEFORE UPDATE OR DELETE ON "signalbox"."packs"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "packs_keep_all" BEFORE TRUNCATE ON "signalbox"."packs"
  FOR EACH STATEMENT EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint

INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0001_guards', 'breaking');
