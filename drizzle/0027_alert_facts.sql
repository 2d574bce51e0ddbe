ALTER TABLE "signalbox"."escalations" ADD COLUMN "refusal" text;--> statement-breakpoint
ALTER TABLE "signalbox"."instances" ADD COLUMN "unwell_since" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "escalations_by_closing" ON "signalbox"."escalations" USING btree ("tenant_id","closed_at") WHERE "signalbox"."escalations"."closed_at" is not null;--> statement-breakpoint
GRANT INSERT ("refusal") ON "signalbox"."escalations" TO "signalbox_app";--> statement-breakpoint
GRANT INSERT ("unwell_since"), UPDATE ("unwell_since") ON "signalbox"."instances" TO "signalbox_app";--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0027_alert_facts', 'compatible');
