ALTER TABLE "signalbox"."breakers" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."cancel_signals" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."dispatches" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."escalations" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."events" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."instances" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."open_dispatches" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."pipeline_templates" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."pipelines" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."registries" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."results" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."routing_policies" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."stages" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."tasks" FORCE ROW LEVEL SECURITY;--> statement-breakpoint

-- Times that say when something was written are the database's own; the app names those that core works out.
GRANT SELECT, INSERT ("tenant_id", "pack_id", "task_type", "change", "state"),
  UPDATE ("change", "state")
  ON "signalbox"."breakers" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "pack_id", "instance_id", "dispatch_id"), DELETE
  ON "signalbox"."cancel_signals" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "pipeline_id", "stage_order", "attempt_number", "stage_id", "task_type", "pack_id", "pack_version", "instance_id", "policy_version", "envelope", "spans")
  ON "signalbox"."dispatches" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "pipeline_id", "number", "stage_id", "cause", "escalation"),
  UPDATE ("escalation", "closed_at", "closing")
  ON "signalbox"."escalations" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "ordinal", "pipeline_id", "kind", "payload")
  ON "signalbox"."events" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "pack_id", "instance_id", "change", "heartbeat", "pack_version", "health", "lease_expires_at"),
  UPDATE ("change", "heartbeat", "pack_version", "health", "heard_at", "lease_expires_at", "draining", "consecutive_invalid", "last_error", "quarantined_at"), DELETE
  ON "signalbox"."instances" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "pipeline_id", "stage_order", "attempt_number", "stage_id", "task_type", "pack_id", "instance_id", "handed_at", "lease_expires_at", "timeout_at", "due_at"),
  UPDATE ("handed_at", "lease_expires_at", "due_at"), DELETE
  ON "signalbox"."open_dispatches" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "version", "document", "note", "created_by"),
  UPDATE ("status", "document", "note", "edit", "published_at", "published_by", "retired_at"), DELETE
  ON "signalbox"."pipeline_templates" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "pipeline_id", "revision", "status", "name", "template_id", "template_version", "trace_id", "source_task_id", "submitted_by_type", "submitted_by", "state", "due_at", "ended_at"),
  UPDATE ("revision", "status", "state", "due_at", "updated_at", "ended_at")
  ON "signalbox"."pipelines" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "change"),
  UPDATE ("change")
  ON "signalbox"."registries" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "pipeline_id", "stage_order", "attempt_number", "standing", "digest", "result", "spans")
  ON "signalbox"."results" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "version", "document", "note", "created_by"),
  UPDATE ("status", "document", "note", "edit", "published_at", "published_by", "retired_at"), DELETE
  ON "signalbox"."routing_policies" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "pipeline_id", "stage_order", "stage_id", "task_type", "status", "attempt_number", "state", "claimable_at", "waiting_since"),
  UPDATE ("task_type", "status", "attempt_number", "state", "claimable_at", "waiting_since")
  ON "signalbox"."stages" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "pipeline_id", "task", "plan")
  ON "signalbox"."tasks" TO "signalbox_app";--> statement-breakpoint
GRANT INSERT ("change") ON "signalbox"."packs" TO "signalbox_app";--> statement-breakpoint

-- What was asked, sent, reported and told is never changed, whoever asks.
CREATE TRIGGER "tasks_keep_rows" BEFORE UPDATE OR DELETE ON "signalbox"."tasks"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "tasks_keep_all" BEFORE TRUNCATE ON "signalbox"."tasks"
  FOR EACH STATEMENT EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "dispatches_keep_rows" BEFORE UPDATE OR DELETE ON "signalbox"."dispatches"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "dispatches_keep_all" BEFORE TRUNCATE ON "signalbox"."dispatches"
  FOR EACH STATEMENT EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "results_keep_rows" BEFORE UPDATE OR DELETE ON "signalbox"."results"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "results_keep_all" BEFORE TRUNCATE ON "signalbox"."results"
  FOR EACH STATEMENT EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "events_keep_rows" BEFORE UPDATE OR DELETE ON "signalbox"."events"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "events_keep_all" BEFORE TRUNCATE ON "signalbox"."events"
  FOR EACH STATEMENT EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint

-- A version that was published once says for ever what it said then: pipelines and audit entries name it. It may be
-- replaced, and come back.
CREATE FUNCTION "signalbox"."keep_published"() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF OLD.status = 'draft' THEN
    RETURN COALESCE(NEW, OLD);
  END IF;
  IF TG_OP = 'DELETE' OR NEW.status = 'draft'
    OR (OLD.version, OLD.document, OLD.note, OLD.edit) IS DISTINCT FROM (NEW.version, NEW.document, NEW.note, NEW.edit)
  THEN
    RAISE EXCEPTION '%.% version % was published: % is refused', TG_TABLE_SCHEMA, TG_TABLE_NAME, OLD.version, TG_OP
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "routing_policies_keep_published" BEFORE UPDATE OR DELETE ON "signalbox"."routing_policies"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."keep_published"();--> statement-breakpoint
CREATE TRIGGER "pipeline_templates_keep_published" BEFORE UPDATE OR DELETE ON "signalbox"."pipeline_templates"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."keep_published"();--> statement-breakpoint

-- An instance that came back under its name after it was forgotten would begin with a clean standing.
CREATE FUNCTION "signalbox"."keep_quarantined"() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF OLD.quarantined_at IS NOT NULL OR OLD.lease_expires_at > now() THEN
    RAISE EXCEPTION 'instance % of % is quarantined or its lease still stands: it cannot be forgotten', OLD.instance_id, OLD.pack_id
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;--> statement-breakpoint
CREATE TRIGGER "instances_keep_quarantined" BEFORE DELETE ON "signalbox"."instances"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."keep_quarantined"();--> statement-breakpoint

-- Room on each page lets a row's next version stay beside it, and no index be touched (HOT). What is changed this often
-- is vacuumed by count: a share of a large table would be too late.
ALTER TABLE "signalbox"."pipelines" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);--> statement-breakpoint
ALTER TABLE "signalbox"."stages" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);--> statement-breakpoint
ALTER TABLE "signalbox"."open_dispatches" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);--> statement-breakpoint
ALTER TABLE "signalbox"."instances" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);--> statement-breakpoint
ALTER TABLE "signalbox"."breakers" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);--> statement-breakpoint
ALTER TABLE "signalbox"."registries" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);--> statement-breakpoint

-- Of a table that was never analysed the planner believes that a tenant's rows are as few as a pipeline's, and reads all
-- of the tenant's by whichever index is smallest; a prepared statement keeps that plan. These are what it begins with;
-- the first ANALYZE puts what is true in their place.
DO $$
DECLARE
  column_of record;
BEGIN
  FOR column_of IN
    SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'signalbox'::regnamespace AND a.attname IN ('tenant_id', 'pipeline_id', 'pack_id', 'instance_id', 'closed_at')
      AND c.relname IN ('tasks', 'pipelines', 'stages', 'dispatches', 'open_dispatches', 'cancel_signals', 'results', 'escalations', 'instances', 'breakers')
  LOOP
    PERFORM pg_restore_attribute_stats(
      'schemaname', 'signalbox', 'relname', column_of.relname::text, 'attname', column_of.attname::text, 'inherited', false,
      'null_frac', CASE column_of.attname WHEN 'closed_at' THEN 0.9 ELSE 0 END::real, 'avg_width', 24,
      'n_distinct', CASE column_of.attname WHEN 'tenant_id' THEN 1 WHEN 'pipeline_id' THEN -0.5 WHEN 'instance_id' THEN -0.2 ELSE 20 END::real);
  END LOOP;
END $$;--> statement-breakpoint

-- The partitions that are there, and those to come, show what their parent shows.
DO $$
DECLARE
  partition_name text;
BEGIN
  FOR partition_name IN SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'signalbox.audit_entries'::regclass LOOP
    EXECUTE format(
      'ALTER POLICY tenant_isolation ON %s
         USING (tenant_id = ANY ((SELECT string_to_array(NULLIF(current_setting(''signalbox.tenant_id'', true), ''''), '',''))::text[]))
         WITH CHECK (tenant_id = ANY ((SELECT string_to_array(NULLIF(current_setting(''signalbox.tenant_id'', true), ''''), '',''))::text[]))',
      partition_name);
  END LOOP;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "signalbox"."ensure_audit_partitions"("months_ahead" integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  first_month timestamp := date_trunc('month', now() AT TIME ZONE 'UTC');
  from_time timestamptz;
  to_time timestamptz;
  partition_name text;
  made integer := 0;
BEGIN
  IF months_ahead IS NULL OR months_ahead NOT BETWEEN 0 AND 24 THEN
    RAISE EXCEPTION 'months_ahead is %: allowed are 0 to 24', months_ahead USING ERRCODE = 'invalid_parameter_value';
  END IF;
  -- Two callers at once: the second waits here and then finds the partition made.
  PERFORM pg_advisory_xact_lock(hashtextextended('signalbox.ensure_audit_partitions', 0));
  FOR month_number IN 0..months_ahead LOOP
    from_time := (first_month + make_interval(months => month_number)) AT TIME ZONE 'UTC';
    to_time := (first_month + make_interval(months => month_number + 1)) AT TIME ZONE 'UTC';
    partition_name := format('audit_entries_%s', to_char(from_time AT TIME ZONE 'UTC', 'YYYY_MM'));
    CONTINUE WHEN to_regclass(format('signalbox.%I', partition_name)) IS NOT NULL;
    EXECUTE format('CREATE TABLE signalbox.%I (LIKE signalbox.audit_entries INCLUDING ALL)', partition_name);
    EXECUTE format('ALTER TABLE signalbox.%I ENABLE ROW LEVEL SECURITY', partition_name);
    EXECUTE format('ALTER TABLE signalbox.%I FORCE ROW LEVEL SECURITY', partition_name);
    EXECUTE format(
      'CREATE POLICY tenant_isolation ON signalbox.%I TO signalbox_app
         USING (tenant_id = ANY ((SELECT string_to_array(NULLIF(current_setting(''signalbox.tenant_id'', true), ''''), '',''))::text[]))
         WITH CHECK (tenant_id = ANY ((SELECT string_to_array(NULLIF(current_setting(''signalbox.tenant_id'', true), ''''), '',''))::text[]))',
      partition_name);
    EXECUTE format(
      'CREATE TRIGGER audit_entries_keep_all BEFORE TRUNCATE ON signalbox.%I
         FOR EACH STATEMENT EXECUTE FUNCTION signalbox.refuse_change()',
      partition_name);
    EXECUTE format(
      'ALTER TABLE signalbox.audit_entries ATTACH PARTITION signalbox.%I FOR VALUES FROM (%L) TO (%L)',
      partition_name, from_time, to_time);
    made := made + 1;
  END LOOP;
  RETURN made;
END $$;--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0005_orchestrator_guards', 'compatible');
