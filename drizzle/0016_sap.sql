CREATE TABLE "signalbox"."sap_cache_records" (
	"tenant_id" text NOT NULL,
	"cache_key" text NOT NULL,
	"sap_version" text NOT NULL,
	"stored_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"record_id" uuid DEFAULT uuidv7() NOT NULL,
	"task_id" uuid NOT NULL,
	"producer" text NOT NULL,
	"alignment" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"digest" "bytea" NOT NULL,
	"record" text NOT NULL,
	CONSTRAINT "sap_cache_records_pk" PRIMARY KEY("tenant_id","cache_key","sap_version","stored_at","record_id"),
	CONSTRAINT "sap_cache_records_fingerprint_is_sha256" CHECK (octet_length("signalbox"."sap_cache_records"."fingerprint") = 32),
	CONSTRAINT "sap_cache_records_digest_is_sha256" CHECK (octet_length("signalbox"."sap_cache_records"."digest") = 32)
);
--> statement-breakpoint
ALTER TABLE "signalbox"."sap_cache_records" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."sap_results" (
	"tenant_id" text NOT NULL,
	"task_id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"status" text NOT NULL,
	"digest" "bytea" NOT NULL,
	"result" text NOT NULL,
	"recorded_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sap_results_tenant_id_task_id_revision_pk" PRIMARY KEY("tenant_id","task_id","revision"),
	CONSTRAINT "sap_results_digest_is_sha256" CHECK (octet_length("signalbox"."sap_results"."digest") = 32)
);
--> statement-breakpoint
ALTER TABLE "signalbox"."sap_results" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."sap_tasks" (
	"tenant_id" text NOT NULL,
	"task_id" uuid NOT NULL,
	"parent_task_id" uuid,
	"capability" text NOT NULL,
	"territory" text,
	"pipeline_id" text,
	"cache_key" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"digest" "bytea" NOT NULL,
	"masked" boolean NOT NULL,
	"submitted_by_type" integer NOT NULL,
	"submitted_by" text NOT NULL,
	"door" text NOT NULL,
	"task" text NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sap_tasks_tenant_id_task_id_pk" PRIMARY KEY("tenant_id","task_id"),
	CONSTRAINT "sap_tasks_fingerprint_is_sha256" CHECK (octet_length("signalbox"."sap_tasks"."fingerprint") = 32),
	CONSTRAINT "sap_tasks_digest_is_sha256" CHECK (octet_length("signalbox"."sap_tasks"."digest") = 32)
);
--> statement-breakpoint
ALTER TABLE "signalbox"."sap_tasks" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE INDEX "sap_tasks_by_pipeline" ON "signalbox"."sap_tasks" USING btree ("tenant_id","pipeline_id") WHERE "signalbox"."sap_tasks"."pipeline_id" is not null;--> statement-breakpoint
CREATE INDEX "sap_tasks_by_arrival" ON "signalbox"."sap_tasks" USING btree ("tenant_id","received_at","task_id");--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."sap_cache_records" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."sap_cache_records"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."sap_cache_records"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."sap_results" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."sap_results"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."sap_results"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."sap_tasks" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."sap_tasks"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."sap_tasks"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
ALTER TABLE "signalbox"."sap_tasks" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."sap_results" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."sap_cache_records" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "task_id", "parent_task_id", "capability", "territory", "pipeline_id", "cache_key", "fingerprint", "digest", "masked", "submitted_by_type", "submitted_by", "door", "task")
  ON "signalbox"."sap_tasks" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "task_id", "revision", "status", "digest", "result")
  ON "signalbox"."sap_results" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "cache_key", "sap_version", "task_id", "producer", "alignment", "fingerprint", "digest", "record")
  ON "signalbox"."sap_cache_records" TO "signalbox_app";--> statement-breakpoint

-- What was asked, answered and cached is never changed, whoever asks (SAP V2.0, sections 6 and 11).
CREATE TRIGGER "sap_tasks_keep_rows" BEFORE UPDATE OR DELETE ON "signalbox"."sap_tasks"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "sap_tasks_keep_all" BEFORE TRUNCATE ON "signalbox"."sap_tasks"
  FOR EACH STATEMENT EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "sap_results_keep_rows" BEFORE UPDATE OR DELETE ON "signalbox"."sap_results"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "sap_results_keep_all" BEFORE TRUNCATE ON "signalbox"."sap_results"
  FOR EACH STATEMENT EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "sap_cache_records_keep_rows" BEFORE UPDATE OR DELETE ON "signalbox"."sap_cache_records"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "sap_cache_records_keep_all" BEFORE TRUNCATE ON "signalbox"."sap_cache_records"
  FOR EACH STATEMENT EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint

-- As 0005 says of the other tables: what the planner begins with, until the first ANALYZE.
DO $$
DECLARE
  column_of record;
BEGIN
  FOR column_of IN
    SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'signalbox'::regnamespace AND a.attname IN ('tenant_id', 'pipeline_id', 'task_id', 'cache_key')
      AND c.relname IN ('sap_tasks', 'sap_results', 'sap_cache_records')
  LOOP
    PERFORM pg_restore_attribute_stats(
      'schemaname', 'signalbox', 'relname', column_of.relname::text, 'attname', column_of.attname::text, 'inherited', false,
      'null_frac', 0::real, 'avg_width', 24,
      'n_distinct', CASE column_of.attname WHEN 'tenant_id' THEN 1 ELSE -0.5 END::real);
  END LOOP;
END $$;--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0016_sap', 'compatible');
