-- First, for their locks are the strongest: nothing may be reported to the old table once its ids are moved.
LOCK TABLE "signalbox"."trace_event_ids", "signalbox"."trace_runs" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
ALTER TABLE "signalbox"."trace_runs" ADD COLUMN "run_number" integer;--> statement-breakpoint
ALTER TABLE "signalbox"."trace_runs" ADD COLUMN "event_ids" uuid[];--> statement-breakpoint
-- The owner may read and write no tenant's rows, and nobody may change what was reported: both but for this one time.
ALTER TABLE "signalbox"."trace_runs" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."trace_event_ids" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."trace_runs" DISABLE TRIGGER "trace_runs_keep_rows";--> statement-breakpoint
UPDATE "signalbox"."trace_runs" AS own
SET "run_number" = known.run_number, "event_ids" = known.event_ids
FROM (
  SELECT run.tenant_id, run.pipeline_id, run.stage_order, run.attempt_number, run.turn_index, run.first_sequence,
    row_number() OVER (PARTITION BY run.tenant_id, run.pipeline_id, run.stage_order, run.attempt_number
      ORDER BY run.turn_index, run.first_sequence) AS run_number,
    array_agg(named.event_id ORDER BY named.sequence) AS event_ids
  FROM "signalbox"."trace_runs" AS run
  JOIN "signalbox"."trace_event_ids" AS named
    ON named.tenant_id = run.tenant_id AND named.pipeline_id = run.pipeline_id AND named.stage_order = run.stage_order
    AND named.attempt_number = run.attempt_number AND named.turn_index = run.turn_index
    AND named.sequence BETWEEN run.first_sequence AND run.last_sequence
  GROUP BY run.tenant_id, run.pipeline_id, run.stage_order, run.attempt_number, run.turn_index, run.first_sequence
) AS known
WHERE known.tenant_id = own.tenant_id AND known.pipeline_id = own.pipeline_id AND known.stage_order = own.stage_order
  AND known.attempt_number = own.attempt_number AND known.turn_index = own.turn_index
  AND known.first_sequence = own.first_sequence;--> statement-breakpoint
ALTER TABLE "signalbox"."trace_runs" ENABLE TRIGGER "trace_runs_keep_rows";--> statement-breakpoint
ALTER TABLE "signalbox"."trace_runs" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."trace_runs" ALTER COLUMN "run_number" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "signalbox"."trace_runs" ALTER COLUMN "event_ids" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "signalbox"."trace_runs" ADD CONSTRAINT "trace_runs_by_number" UNIQUE("tenant_id","pipeline_id","stage_order","attempt_number","run_number");--> statement-breakpoint
DROP TABLE "signalbox"."trace_event_ids";--> statement-breakpoint
GRANT INSERT ("run_number", "event_ids") ON "signalbox"."trace_runs" TO "signalbox_app";--> statement-breakpoint
-- An earlier version would look for the ids in a table that is gone.
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0036_runs_name_their_events', 'breaking');
