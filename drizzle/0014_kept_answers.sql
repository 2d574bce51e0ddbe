CREATE TABLE "signalbox"."kept_answers" (
	"tenant_id" text NOT NULL,
	"actor_id" text NOT NULL,
	"request_key" text NOT NULL,
	"digest" "bytea" NOT NULL,
	"answer" text NOT NULL,
	"pipeline_id" text,
	"expires_at" timestamp (3) with time zone DEFAULT now() + interval '24 hours' NOT NULL,
	CONSTRAINT "kept_answers_tenant_id_actor_id_request_key_pk" PRIMARY KEY("tenant_id","actor_id","request_key"),
	CONSTRAINT "kept_answers_digest_is_sha256" CHECK (octet_length("signalbox"."kept_answers"."digest") = 32)
);
--> statement-breakpoint
ALTER TABLE "signalbox"."kept_answers" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE INDEX "kept_answers_by_expiry" ON "signalbox"."kept_answers" USING btree ("tenant_id","expires_at");--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."kept_answers" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."kept_answers"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."kept_answers"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
CREATE POLICY "look_up_by_owner" ON "signalbox"."kept_answers" AS PERMISSIVE FOR SELECT TO "signalbox_owner" USING (true);--> statement-breakpoint
ALTER TABLE "signalbox"."kept_answers" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "actor_id", "request_key", "digest", "answer", "pipeline_id"),
  UPDATE ("digest", "answer", "pipeline_id", "expires_at"), DELETE
  ON "signalbox"."kept_answers" TO "signalbox_app";--> statement-breakpoint
-- Whose answers are kept no longer, and nothing of what they say: the tenant's own transaction removes them. It walks from
-- tenant to tenant along the index, so that it costs what tenants cost and not what they keep.
CREATE FUNCTION "signalbox"."tenants_with_expired_answers"("most" integer)
  RETURNS TABLE ("tenant_id" text)
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  WITH RECURSIVE tenants AS (
    (SELECT first.tenant_id FROM signalbox.kept_answers AS first ORDER BY first.tenant_id LIMIT 1)
    UNION ALL
    SELECT (SELECT later.tenant_id FROM signalbox.kept_answers AS later
            WHERE later.tenant_id > tenants.tenant_id ORDER BY later.tenant_id LIMIT 1)
    FROM tenants WHERE tenants.tenant_id IS NOT NULL
  )
  SELECT tenants.tenant_id FROM tenants
  WHERE tenants.tenant_id IS NOT NULL AND EXISTS (
    SELECT FROM signalbox.kept_answers AS own WHERE own.tenant_id = tenants.tenant_id AND own.expires_at <= now()
  )
  LIMIT most;
END;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."tenants_with_expired_answers"(integer) TO "signalbox_app";--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0014_kept_answers', 'compatible');
