ALTER TABLE "signalbox"."instances" ADD COLUMN "dispatches_when_heard" integer;--> statement-breakpoint
GRANT INSERT ("dispatches_when_heard"), UPDATE ("dispatches_when_heard") ON "signalbox"."instances" TO "signalbox_app";--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0010_dispatches_when_heard', 'compatible');
