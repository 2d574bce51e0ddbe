-- First, for its lock is the strongest: nothing may be reported to the old table once it is copied.
LOCK TABLE "signalbox"."trace_events" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
CREATE TABLE "signalbox"."trace_event_ids" (
	"tenant_id" text NOT NULL,
	"pipeline_id" text NOT NULL,
	"stage_order" integer NOT NULL,
	"attempt_number" integer NOT NULL,
	"event_id" uuid NOT NULL,
	"turn_index" integer NOT NULL,
	"sequence" integer NOT NULL,
	CONSTRAINT "trace_event_ids_pk" PRIMARY KEY("tenant_id","pipeline_id","stage_order","attempt_number","event_id")
);
--> statement-breakpoint
ALTER TABLE "signalbox"."trace_event_ids" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."trace_runs" (
	"tenant_id" text NOT NULL,
	"pipeline_id" text NOT NULL,
	"stage_order" integer NOT NULL,
	"attempt_number" integer NOT NULL,
	"turn_index" integer NOT NULL,
	"first_sequence" integer NOT NULL,
	"last_sequence" integer NOT NULL,
	"stage_id" text NOT NULL,
	"types" text[] NOT NULL,
	"fingerprints" "bytea"[],
	"events" text NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "trace_runs_pk" PRIMARY KEY("tenant_id","pipeline_id","stage_order","attempt_number","turn_index","first_sequence"),
	CONSTRAINT "trace_runs_has_events" CHECK ("signalbox"."trace_runs"."first_sequence" <= "signalbox"."trace_runs"."last_sequence")
);
--> statement-breakpoint
ALTER TABLE "signalbox"."trace_runs" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
-- Each event that was kept by itself is a run of one. Before row security is forced on the new tables: the owner may read
-- and write no tenant's rows.
ALTER TABLE "signalbox"."trace_events" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
INSERT INTO "signalbox"."trace_event_ids"
  ("tenant_id", "pipeline_id", "stage_order", "attempt_number", "event_id", "turn_index", "sequence")
SELECT own.tenant_id, own.pipeline_id, own.stage_order, own.attempt_number, own.event_id, own.turn_index, own.sequence
FROM "signalbox"."trace_events" AS own ORDER BY 1, 2, 3, 4, 5;--> statement-breakpoint
INSERT INTO "signalbox"."trace_runs"
  ("tenant_id", "pipeline_id", "stage_order", "attempt_number", "turn_index", "first_sequence", "last_sequence", "stage_id",
   "types", "fingerprints", "events", "received_at")
SELECT own.tenant_id, own.pipeline_id, own.stage_order, own.attempt_number, own.turn_index, own.sequence, own.sequence,
  own.stage_id, ARRAY[own.type], ARRAY[own.fingerprint], own.event, own.received_at
FROM "signalbox"."trace_events" AS own ORDER BY 1, 2, 3, 4, 5, 6;--> statement-breakpoint
DROP TABLE "signalbox"."trace_events";--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."trace_event_ids" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."trace_event_ids"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."trace_event_ids"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."trace_runs" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."trace_runs"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."trace_runs"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
ALTER TABLE "signalbox"."trace_event_ids" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."trace_runs" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "pipeline_id", "stage_order", "attempt_number", "event_id", "turn_index", "sequence")
  ON "signalbox"."trace_event_ids" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "pipeline_id", "stage_order", "attempt_number", "turn_index", "first_sequence", "last_sequence", "stage_id", "types", "fingerprints", "events")
  ON "signalbox"."trace_runs" TO "signalbox_app";--> statement-breakpoint

-- What was reported is never changed, whoever asks.
CREATE TRIGGER "trace_event_ids_keep_rows" BEFORE UPDATE OR DELETE ON "signalbox"."trace_event_ids"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "trace_event_ids_keep_all" BEFORE TRUNCATE ON "signalbox"."trace_event_ids"
  FOR EACH STATEMENT EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "trace_runs_keep_rows" BEFORE UPDATE OR DELETE ON "signalbox"."trace_runs"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "trace_runs_keep_all" BEFORE TRUNCATE ON "signalbox"."trace_runs"
  FOR EACH STATEMENT EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint

-- As 0005 says of the other tables: what the planner begins with, until the first ANALYZE.
DO $$
DECLARE
  column_of record;
BEGIN
  FOR column_of IN
    SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'signalbox'::regnamespace AND a.attname IN ('tenant_id', 'pipeline_id', 'event_id')
      AND c.relname IN ('trace_event_ids', 'trace_runs')
  LOOP
    PERFORM pg_restore_attribute_stats(
      'schemaname', 'signalbox', 'relname', column_of.relname::text, 'attname', column_of.attname::text, 'inherited', false,
      'null_frac', 0::real, 'avg_width', 24,
      'n_distinct', CASE column_of.attname WHEN 'tenant_id' THEN 1 WHEN 'pipeline_id' THEN -0.1 ELSE -1 END::real);
  END LOOP;
END $$;--> statement-breakpoint
-- An earlier version would pass over what is kept here: the gate's checks of what agents ran among it.
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0034_events_in_runs', 'breaking');
