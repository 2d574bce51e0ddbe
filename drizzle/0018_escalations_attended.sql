CREATE TABLE "signalbox"."escalation_comments" (
	"tenant_id" text NOT NULL,
	"pipeline_id" text NOT NULL,
	"number" integer NOT NULL,
	"ordinal" integer NOT NULL,
	"author_id" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "escalation_comments_tenant_id_pipeline_id_number_ordinal_pk" PRIMARY KEY("tenant_id","pipeline_id","number","ordinal")
);
--> statement-breakpoint
ALTER TABLE "signalbox"."escalation_comments" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."escalations" ADD COLUMN "task_type" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "signalbox"."escalations" ADD COLUMN "pack_id" text;--> statement-breakpoint
ALTER TABLE "signalbox"."escalations" ADD COLUMN "assignee_id" text;--> statement-breakpoint
ALTER TABLE "signalbox"."escalations" ADD COLUMN "assigned_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "escalations_by_likeness" ON "signalbox"."escalations" USING btree ("tenant_id","cause","task_type","closed_at") WHERE "signalbox"."escalations"."closed_at" is not null;--> statement-breakpoint
CREATE INDEX "events_alerts" ON "signalbox"."events" USING btree ("tenant_id","transaction","ordinal") WHERE kind = 'alert.raised';--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."escalation_comments" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."escalation_comments"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), '')) WITH CHECK ("signalbox"."escalation_comments"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), ''));--> statement-breakpoint
ALTER TABLE "signalbox"."escalation_comments" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "pipeline_id", "number", "ordinal", "author_id", "text")
  ON "signalbox"."escalation_comments" TO "signalbox_app";--> statement-breakpoint
GRANT INSERT ("task_type", "pack_id"), UPDATE ("assignee_id", "assigned_at")
  ON "signalbox"."escalations" TO "signalbox_app";--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0018_escalations_attended', 'compatible');
