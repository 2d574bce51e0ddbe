CREATE TABLE "signalbox"."breakers" (
	"tenant_id" text NOT NULL,
	"pack_id" text NOT NULL,
	"task_type" text NOT NULL,
	"change" bigint NOT NULL,
	"state" json NOT NULL,
	CONSTRAINT "breakers_tenant_id_pack_id_task_type_pk" PRIMARY KEY("tenant_id","pack_id","task_type")
);
--> statement-breakpoint
ALTER TABLE "signalbox"."breakers" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."cancel_signals" (
	"tenant_id" text NOT NULL,
	"pack_id" text NOT NULL,
	"instance_id" text NOT NULL,
	"dispatch_id" text NOT NULL,
	"cancelled_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cancel_signals_tenant_id_pack_id_instance_id_dispatch_id_pk" PRIMARY KEY("tenant_id","pack_id","instance_id","dispatch_id")
);
--> statement-breakpoint
ALTER TABLE "signalbox"."cancel_signals" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."dispatches" (
	"tenant_id" text NOT NULL,
	"pipeline_id" text NOT NULL,
	"stage_order" integer NOT NULL,
	"attempt_number" integer NOT NULL,
	"stage_id" text NOT NULL,
	"task_type" text NOT NULL,
	"pack_id" text NOT NULL,
	"pack_version" text NOT NULL,
	"instance_id" text NOT NULL,
	"policy_version" text NOT NULL,
	"envelope" text NOT NULL,
	"spans" text NOT NULL,
	"sent_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "dispatches_tenant_id_pipeline_id_stage_order_attempt_number_pk" PRIMARY KEY("tenant_id","pipeline_id","stage_order","attempt_number")
);
--> statement-breakpoint
ALTER TABLE "signalbox"."dispatches" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."escalations" (
	"tenant_id" text NOT NULL,
	"pipeline_id" text NOT NULL,
	"number" integer NOT NULL,
	"stage_id" text,
	"cause" text NOT NULL,
	"escalation" json NOT NULL,
	"opened_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"closing" json,
	CONSTRAINT "escalations_tenant_id_pipeline_id_number_pk" PRIMARY KEY("tenant_id","pipeline_id","number")
);
--> statement-breakpoint
ALTER TABLE "signalbox"."escalations" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."events" (
	"tenant_id" text NOT NULL,
	"transaction" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"ordinal" integer NOT NULL,
	"pipeline_id" text,
	"recorded_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"kind" text NOT NULL,
	"payload" text NOT NULL,
	CONSTRAINT "events_tenant_id_transaction_ordinal_pk" PRIMARY KEY("tenant_id","transaction","ordinal")
);
--> statement-breakpoint
ALTER TABLE "signalbox"."events" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."instances" (
	"tenant_id" text NOT NULL,
	"pack_id" text NOT NULL,
	"instance_id" text NOT NULL,
	"change" bigint NOT NULL,
	"heartbeat" json NOT NULL,
	"pack_version" text,
	"health" integer NOT NULL,
	"first_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"heard_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"lease_expires_at" timestamp (3) with time zone NOT NULL,
	"draining" boolean DEFAULT false NOT NULL,
	"consecutive_invalid" integer DEFAULT 0 NOT NULL,
	"last_error" text DEFAULT '' NOT NULL,
	"quarantined_at" timestamp (3) with time zone,
	CONSTRAINT "instances_tenant_id_pack_id_instance_id_pk" PRIMARY KEY("tenant_id","pack_id","instance_id")
);
--> statement-breakpoint
ALTER TABLE "signalbox"."instances" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."nodes" (
	"node_id" text PRIMARY KEY NOT NULL,
	"epoch" integer NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"lease_expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signalbox"."open_dispatches" (
	"tenant_id" text NOT NULL,
	"pipeline_id" text NOT NULL,
	"stage_order" integer NOT NULL,
	"attempt_number" integer NOT NULL,
	"stage_id" text NOT NULL,
	"task_type" text NOT NULL,
	"pack_id" text NOT NULL,
	"instance_id" text NOT NULL,
	"sent_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"handed_at" timestamp (3) with time zone,
	"lease_expires_at" timestamp (3) with time zone,
	"timeout_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone,
	CONSTRAINT "open_dispatches_tenant_id_pipeline_id_stage_order_attempt_number_pk" PRIMARY KEY("tenant_id","pipeline_id","stage_order","attempt_number")
);
--> statement-breakpoint
ALTER TABLE "signalbox"."open_dispatches" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."pipeline_templates" (
	"tenant_id" text NOT NULL,
	"version" text NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"document" text NOT NULL,
	"note" text NOT NULL,
	"edit" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL,
	"published_at" timestamp (3) with time zone,
	"published_by" text,
	"retired_at" timestamp (3) with time zone,
	CONSTRAINT "pipeline_templates_tenant_id_version_pk" PRIMARY KEY("tenant_id","version"),
	CONSTRAINT "pipeline_templates_status_is_known" CHECK ("signalbox"."pipeline_templates"."status" in ('draft', 'active', 'retired'))
);
--> statement-breakpoint
ALTER TABLE "signalbox"."pipeline_templates" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."pipelines" (
	"tenant_id" text NOT NULL,
	"pipeline_id" text NOT NULL,
	"revision" integer NOT NULL,
	"status" integer NOT NULL,
	"name" text NOT NULL,
	"template_id" text NOT NULL,
	"template_version" text NOT NULL,
	"trace_id" text NOT NULL,
	"source_task_id" text,
	"submitted_by_type" integer NOT NULL,
	"submitted_by" text NOT NULL,
	"state" text NOT NULL,
	"due_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "pipelines_tenant_id_pipeline_id_pk" PRIMARY KEY("tenant_id","pipeline_id")
);
--> statement-breakpoint
ALTER TABLE "signalbox"."pipelines" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."registries" (
	"tenant_id" text PRIMARY KEY NOT NULL,
	"change" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "signalbox"."registries" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."results" (
	"tenant_id" text NOT NULL,
	"pipeline_id" text NOT NULL,
	"stage_order" integer NOT NULL,
	"attempt_number" integer NOT NULL,
	"standing" text NOT NULL,
	"digest" "bytea" NOT NULL,
	"result" text NOT NULL,
	"spans" text NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "results_tenant_id_pipeline_id_stage_order_attempt_number_pk" PRIMARY KEY("tenant_id","pipeline_id","stage_order","attempt_number"),
	CONSTRAINT "results_standing_is_known" CHECK ("signalbox"."results"."standing" in ('counted', 'invalid', 'stale')),
	CONSTRAINT "results_digest_is_sha256" CHECK (octet_length("signalbox"."results"."digest") = 32)
);
--> statement-breakpoint
ALTER TABLE "signalbox"."results" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."routing_policies" (
	"tenant_id" text NOT NULL,
	"version" text NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"document" text NOT NULL,
	"note" text NOT NULL,
	"edit" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL,
	"published_at" timestamp (3) with time zone,
	"published_by" text,
	"retired_at" timestamp (3) with time zone,
	CONSTRAINT "routing_policies_tenant_id_version_pk" PRIMARY KEY("tenant_id","version"),
	CONSTRAINT "routing_policies_status_is_known" CHECK ("signalbox"."routing_policies"."status" in ('draft', 'active', 'retired'))
);
--> statement-breakpoint
ALTER TABLE "signalbox"."routing_policies" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."stages" (
	"tenant_id" text NOT NULL,
	"pipeline_id" text NOT NULL,
	"stage_order" integer NOT NULL,
	"stage_id" text NOT NULL,
	"task_type" text NOT NULL,
	"status" integer NOT NULL,
	"attempt_number" integer NOT NULL,
	"state" text NOT NULL,
	"claimable_at" timestamp (3) with time zone,
	"waiting_since" timestamp (3) with time zone,
	CONSTRAINT "stages_tenant_id_pipeline_id_stage_order_pk" PRIMARY KEY("tenant_id","pipeline_id","stage_order")
);
--> statement-breakpoint
ALTER TABLE "signalbox"."stages" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."tasks" (
	"tenant_id" text NOT NULL,
	"pipeline_id" text NOT NULL,
	"task" text NOT NULL,
	"plan" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tasks_tenant_id_pipeline_id_pk" PRIMARY KEY("tenant_id","pipeline_id")
);
--> statement-breakpoint
ALTER TABLE "signalbox"."tasks" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."packs" ADD COLUMN "change" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "signalbox"."pipeline_templates" ADD CONSTRAINT "pipeline_templates_tenant_id_tenants_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "signalbox"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signalbox"."routing_policies" ADD CONSTRAINT "routing_policies_tenant_id_tenants_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "signalbox"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "breakers_by_change" ON "signalbox"."breakers" USING btree ("tenant_id","change");--> statement-breakpoint
CREATE INDEX "dispatches_by_pack" ON "signalbox"."dispatches" USING btree ("tenant_id","pack_id","sent_at");--> statement-breakpoint
CREATE INDEX "escalations_by_opening" ON "signalbox"."escalations" USING btree ("tenant_id","opened_at","pipeline_id","number");--> statement-breakpoint
CREATE INDEX "escalations_open" ON "signalbox"."escalations" USING btree ("tenant_id","opened_at","pipeline_id","number") WHERE "signalbox"."escalations"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "instances_by_change" ON "signalbox"."instances" USING btree ("tenant_id","change");--> statement-breakpoint
CREATE INDEX "open_dispatches_by_instance" ON "signalbox"."open_dispatches" USING btree ("tenant_id","pack_id","instance_id","sent_at");--> statement-breakpoint
CREATE INDEX "open_dispatches_by_due_time" ON "signalbox"."open_dispatches" USING btree ("tenant_id","due_at") WHERE "signalbox"."open_dispatches"."due_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "pipeline_templates_active" ON "signalbox"."pipeline_templates" USING btree ("tenant_id") WHERE "signalbox"."pipeline_templates"."status" = 'active';--> statement-breakpoint
CREATE INDEX "pipeline_templates_by_creation" ON "signalbox"."pipeline_templates" USING btree ("tenant_id","created_at","version");--> statement-breakpoint
CREATE INDEX "pipelines_by_creation" ON "signalbox"."pipelines" USING btree ("tenant_id","created_at","pipeline_id");--> statement-breakpoint
CREATE INDEX "pipelines_by_status" ON "signalbox"."pipelines" USING btree ("tenant_id","status","created_at","pipeline_id");--> statement-breakpoint
CREATE INDEX "pipelines_by_trace" ON "signalbox"."pipelines" USING btree ("tenant_id","trace_id");--> statement-breakpoint
CREATE INDEX "pipelines_by_due_time" ON "signalbox"."pipelines" USING btree ("tenant_id","due_at") WHERE "signalbox"."pipelines"."due_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "routing_policies_active" ON "signalbox"."routing_policies" USING btree ("tenant_id") WHERE "signalbox"."routing_policies"."status" = 'active';--> statement-breakpoint
CREATE INDEX "routing_policies_by_creation" ON "signalbox"."routing_policies" USING btree ("tenant_id","created_at","version");--> statement-breakpoint
CREATE INDEX "stages_by_claim_time" ON "signalbox"."stages" USING btree ("tenant_id","claimable_at") WHERE "signalbox"."stages"."claimable_at" is not null;--> statement-breakpoint
CREATE INDEX "stages_by_wait" ON "signalbox"."stages" USING btree ("tenant_id","task_type","waiting_since") WHERE "signalbox"."stages"."waiting_since" is not null;--> statement-breakpoint
CREATE INDEX "audit_entries_by_trace" ON "signalbox"."audit_entries" USING btree ("tenant_id","trace_id","recorded_at","audit_id") WHERE "signalbox"."audit_entries"."trace_id" is not null and "signalbox"."audit_entries"."pipeline_id" is null;--> statement-breakpoint
CREATE INDEX "packs_by_change" ON "signalbox"."packs" USING btree ("tenant_id","change");--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."breakers" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."breakers"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."breakers"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."cancel_signals" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."cancel_signals"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."cancel_signals"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."dispatches" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."dispatches"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."dispatches"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."escalations" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."escalations"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."escalations"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."events" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."events"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."events"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."instances" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."instances"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."instances"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."open_dispatches" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."open_dispatches"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."open_dispatches"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
CREATE POLICY "look_up_by_owner" ON "signalbox"."open_dispatches" AS PERMISSIVE FOR SELECT TO "signalbox_owner" USING (true);--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."pipeline_templates" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."pipeline_templates"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."pipeline_templates"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."pipelines" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."pipelines"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."pipelines"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
CREATE POLICY "look_up_by_owner" ON "signalbox"."pipelines" AS PERMISSIVE FOR SELECT TO "signalbox_owner" USING (true);--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."registries" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."registries"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."registries"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."results" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."results"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."results"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."routing_policies" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."routing_policies"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."routing_policies"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."stages" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."stages"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."stages"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
CREATE POLICY "look_up_by_owner" ON "signalbox"."stages" AS PERMISSIVE FOR SELECT TO "signalbox_owner" USING (true);--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."tasks" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."tasks"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."tasks"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
ALTER POLICY "tenant_isolation" ON "signalbox"."audit_entries" TO signalbox_app USING ("signalbox"."audit_entries"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."audit_entries"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
ALTER POLICY "tenant_isolation" ON "signalbox"."packs" TO signalbox_app USING ("signalbox"."packs"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."packs"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0004_orchestrator_tables', 'compatible');
