CREATE SCHEMA "signalbox";
--> statement-breakpoint
CREATE TABLE "signalbox"."audit_entries" (
	"tenant_id" text NOT NULL,
	"recorded_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"audit_id" uuid DEFAULT uuidv7() NOT NULL,
	"transaction" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"salt" "bytea" DEFAULT substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) for 16) NOT NULL,
	"event_type" integer NOT NULL,
	"actor_type" integer NOT NULL,
	"actor_id" text NOT NULL,
	"trace_id" text,
	"pipeline_id" text,
	"stage_id" text,
	"dispatch_id" text,
	"attempt_number" integer,
	"pack_id" text,
	"payload" json NOT NULL,
	CONSTRAINT "audit_entries_tenant_id_recorded_at_audit_id_pk" PRIMARY KEY("tenant_id","recorded_at","audit_id"),
	CONSTRAINT "audit_entries_salt_is_16_bytes" CHECK (octet_length("signalbox"."audit_entries"."salt") = 16),
	CONSTRAINT "audit_entries_event_type_is_set" CHECK ("signalbox"."audit_entries"."event_type" > 0)
) PARTITION BY RANGE ("recorded_at");
--> statement-breakpoint
ALTER TABLE "signalbox"."audit_entries" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."keys" (
	"tenant_id" text NOT NULL,
	"key_id" uuid DEFAULT uuidv7() NOT NULL,
	"hash" "bytea" NOT NULL,
	"prefix" text NOT NULL,
	"label" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "keys_tenant_id_key_id_pk" PRIMARY KEY("tenant_id","key_id"),
	CONSTRAINT "keys_hash" UNIQUE("hash"),
	CONSTRAINT "keys_hash_is_sha256" CHECK (octet_length("signalbox"."keys"."hash") = 32)
);
--> statement-breakpoint
ALTER TABLE "signalbox"."keys" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."packs" (
	"tenant_id" text NOT NULL,
	"pack_id" text NOT NULL,
	"pack_version" text NOT NULL,
	"manifest" json NOT NULL,
	"content_digest" "bytea" NOT NULL,
	"safety_tier" integer NOT NULL,
	"supported_task_types" text[] NOT NULL,
	"registered_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"registered_by" text NOT NULL,
	CONSTRAINT "packs_tenant_id_pack_id_pack_version_pk" PRIMARY KEY("tenant_id","pack_id","pack_version"),
	CONSTRAINT "packs_content_digest_is_sha256" CHECK (octet_length("signalbox"."packs"."content_digest") = 32)
);
--> statement-breakpoint
ALTER TABLE "signalbox"."packs" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."schema_history" (
	"tag" text PRIMARY KEY NOT NULL,
	"mark" text NOT NULL,
	"applied_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"app_version" text DEFAULT COALESCE(NULLIF(current_setting('signalbox.app_version', true), ''), 'unknown') NOT NULL,
	CONSTRAINT "schema_history_mark_is_known" CHECK ("signalbox"."schema_history"."mark" in ('compatible', 'breaking'))
);
--> statement-breakpoint
CREATE TABLE "signalbox"."sessions" (
	"tenant_id" text NOT NULL,
	"session_id" uuid DEFAULT uuidv7() NOT NULL,
	"hash" "bytea" NOT NULL,
	"actor_id" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "sessions_tenant_id_session_id_pk" PRIMARY KEY("tenant_id","session_id"),
	CONSTRAINT "sessions_hash" UNIQUE("hash"),
	CONSTRAINT "sessions_hash_is_sha256" CHECK (octet_length("signalbox"."sessions"."hash") = 32)
);
--> statement-breakpoint
ALTER TABLE "signalbox"."sessions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."sign_in_links" (
	"tenant_id" text NOT NULL,
	"link_id" uuid DEFAULT uuidv7() NOT NULL,
	"hash" "bytea" NOT NULL,
	"actor_id" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "sign_in_links_tenant_id_link_id_pk" PRIMARY KEY("tenant_id","link_id"),
	CONSTRAINT "sign_in_links_hash" UNIQUE("hash"),
	CONSTRAINT "sign_in_links_hash_is_sha256" CHECK (octet_length("signalbox"."sign_in_links"."hash") = 32)
);
--> statement-breakpoint
ALTER TABLE "signalbox"."sign_in_links" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."tenants" (
	"tenant_id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "signalbox"."tenants" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."keys" ADD CONSTRAINT "keys_tenant_id_tenants_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "signalbox"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signalbox"."packs" ADD CONSTRAINT "packs_tenant_id_tenants_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "signalbox"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signalbox"."sessions" ADD CONSTRAINT "sessions_tenant_id_tenants_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "signalbox"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signalbox"."sign_in_links" ADD CONSTRAINT "sign_in_links_tenant_id_tenants_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "signalbox"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_entries_by_pack" ON "signalbox"."audit_entries" USING btree ("tenant_id","pack_id","recorded_at","audit_id") WHERE "signalbox"."audit_entries"."pack_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_entries_by_pipeline" ON "signalbox"."audit_entries" USING btree ("tenant_id","pipeline_id","recorded_at","audit_id") WHERE "signalbox"."audit_entries"."pipeline_id" is not null;--> statement-breakpoint
CREATE INDEX "packs_by_registration" ON "signalbox"."packs" USING btree ("tenant_id","registered_at","pack_id","pack_version");--> statement-breakpoint
CREATE INDEX "sessions_by_expiry" ON "signalbox"."sessions" USING btree ("tenant_id","expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_links_by_expiry" ON "signalbox"."sign_in_links" USING btree ("tenant_id","expires_at");--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."audit_entries" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."audit_entries"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), '')) WITH CHECK ("signalbox"."audit_entries"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), ''));--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."keys" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."keys"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), '')) WITH CHECK ("signalbox"."keys"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), ''));--> statement-breakpoint
CREATE POLICY "look_up_by_owner" ON "signalbox"."keys" AS PERMISSIVE FOR SELECT TO "signalbox_owner" USING (true);--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."packs" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."packs"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), '')) WITH CHECK ("signalbox"."packs"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), ''));--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."sessions" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."sessions"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), '')) WITH CHECK ("signalbox"."sessions"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), ''));--> statement-breakpoint
CREATE POLICY "look_up_by_owner" ON "signalbox"."sessions" AS PERMISSIVE FOR SELECT TO "signalbox_owner" USING (true);--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."sign_in_links" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."sign_in_links"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), '')) WITH CHECK ("signalbox"."sign_in_links"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), ''));--> statement-breakpoint
CREATE POLICY "look_up_by_owner" ON "signalbox"."sign_in_links" AS PERMISSIVE FOR SELECT TO "signalbox_owner" USING (true);--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."tenants" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."tenants"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), '')) WITH CHECK ("signalbox"."tenants"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), ''));--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0000_tables', 'breaking');
