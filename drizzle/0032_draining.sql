ALTER TABLE "signalbox"."instances" ADD COLUMN "draining_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "signalbox"."instances" ADD COLUMN "draining_reason" text DEFAULT '' NOT NULL;--> statement-breakpoint
GRANT UPDATE ("draining_since", "draining_reason") ON "signalbox"."instances" TO "signalbox_app";--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0032_draining', 'compatible');
