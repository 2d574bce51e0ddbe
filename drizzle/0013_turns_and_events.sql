CREATE TABLE "signalbox"."trace_events" (
	"tenant_id" text NOT NULL,
	"pipeline_id" text NOT NULL,
	"stage_order" integer NOT NULL,
	"attempt_number" integer NOT NULL,
	"turn_index" integer NOT NULL,
	"sequence" integer NOT NULL,
	"event_id" uuid NOT NULL,
	"stage_id" text NOT NULL,
	"type" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"event" text NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "trace_events_pk" PRIMARY KEY("tenant_id","pipeline_id","stage_order","attempt_number","turn_index","sequence"),
	CONSTRAINT "trace_events_id" UNIQUE("tenant_id","pipeline_id","stage_order","attempt_number","event_id"),
	CONSTRAINT "trace_events_fingerprint_is_sha256" CHECK (octet_length("signalbox"."trace_events"."fingerprint") = 32)
);
--> statement-breakpoint
ALTER TABLE "signalbox"."trace_events" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."turn_streams" (
	"tenant_id" text NOT NULL,
	"pipeline_id" text NOT NULL,
	"stage_order" integer NOT NULL,
	"attempt_number" integer NOT NULL,
	"turn_index" integer NOT NULL,
	"sealed" "bytea",
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "turn_streams_pk" PRIMARY KEY("tenant_id","pipeline_id","stage_order","attempt_number","turn_index")
);
--> statement-breakpoint
ALTER TABLE "signalbox"."turn_streams" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."turns" (
	"tenant_id" text NOT NULL,
	"pipeline_id" text NOT NULL,
	"stage_order" integer NOT NULL,
	"attempt_number" integer NOT NULL,
	"turn_index" integer NOT NULL,
	"stage_id" text NOT NULL,
	"confidence" double precision NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"turn" text NOT NULL,
	"marks" text NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "turns_pk" PRIMARY KEY("tenant_id","pipeline_id","stage_order","attempt_number","turn_index"),
	CONSTRAINT "turns_fingerprint_is_sha256" CHECK (octet_length("signalbox"."turns"."fingerprint") = 32)
);
--> statement-breakpoint
ALTER TABLE "signalbox"."turns" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."trace_events" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."trace_events"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."trace_events"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."turn_streams" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."turn_streams"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."turn_streams"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."turns" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."turns"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."turns"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
ALTER TABLE "signalbox"."trace_events" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."turn_streams" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."turns" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "pipeline_id", "stage_order", "attempt_number", "turn_index", "sequence", "event_id", "stage_id", "type", "fingerprint", "event")
  ON "signalbox"."trace_events" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "pipeline_id", "stage_order", "attempt_number", "turn_index"),
  UPDATE ("sealed", "updated_at")
  ON "signalbox"."turn_streams" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "pipeline_id", "stage_order", "attempt_number", "turn_index", "stage_id", "confidence", "fingerprint", "turn", "marks")
  ON "signalbox"."turns" TO "signalbox_app";--> statement-breakpoint

-- What was reported is never changed, whoever asks.
CREATE TRIGGER "trace_events_keep_rows" BEFORE UPDATE OR DELETE ON "signalbox"."trace_events"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "trace_events_keep_all" BEFORE TRUNCATE ON "signalbox"."trace_events"
  FOR EACH STATEMENT EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "turns_keep_rows" BEFORE UPDATE OR DELETE ON "signalbox"."turns"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "turns_keep_all" BEFORE TRUNCATE ON "signalbox"."turns"
  FOR EACH STATEMENT EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint

-- A turn's stream is written with every report of it: room for its next version keeps that off the index (HOT).
ALTER TABLE "signalbox"."turn_streams" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);--> statement-breakpoint

-- As 0005 says of the other tables: what the planner begins with, until the first ANALYZE.
DO $$
DECLARE
  column_of record;
BEGIN
  FOR column_of IN
    SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'signalbox'::regnamespace AND a.attname IN ('tenant_id', 'pipeline_id', 'event_id')
      AND c.relname IN ('trace_events', 'turn_streams', 'turns')
  LOOP
    PERFORM pg_restore_attribute_stats(
      'schemaname', 'signalbox', 'relname', column_of.relname::text, 'attname', column_of.attname::text, 'inherited', false,
      'null_frac', 0::real, 'avg_width', 24,
      'n_distinct', CASE column_of.attname WHEN 'tenant_id' THEN 1 WHEN 'pipeline_id' THEN -0.1 ELSE -1 END::real);
  END LOOP;
END $$;--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0013_turns_and_events', 'compatible');
