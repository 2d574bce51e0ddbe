-- What an attempt reports is kept once, in its runs; its row here names them. Rows that were written before hold their events themselves.
ALTER TABLE "signalbox"."events" ADD COLUMN "stage_order" integer;--> statement-breakpoint
ALTER TABLE "signalbox"."events" ADD COLUMN "attempt_number" integer;--> statement-breakpoint
ALTER TABLE "signalbox"."events" ADD COLUMN "first_run" integer;--> statement-breakpoint
ALTER TABLE "signalbox"."events" ADD COLUMN "last_run" integer;--> statement-breakpoint
GRANT INSERT ("stage_order", "attempt_number", "first_run", "last_run") ON "signalbox"."events" TO "signalbox_app";--> statement-breakpoint
-- An earlier version would tell its readers of reports without their events.
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0038_told_by_runs', 'breaking');
