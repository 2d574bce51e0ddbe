CREATE TABLE "signalbox"."alert_watches" (
	"tenant_id" text NOT NULL,
	"looked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "alert_watches_tenant_id_pk" PRIMARY KEY("tenant_id")
);
--> statement-breakpoint
ALTER TABLE "signalbox"."alert_watches" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."fired_alerts" (
	"tenant_id" text NOT NULL,
	"alert" text NOT NULL,
	"subject" text NOT NULL,
	"pack_id" text,
	"detail" text NOT NULL,
	"fired_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "fired_alerts_tenant_id_alert_subject_pk" PRIMARY KEY("tenant_id","alert","subject")
);
--> statement-breakpoint
ALTER TABLE "signalbox"."fired_alerts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY "look_up_by_owner" ON "signalbox"."breakers" AS PERMISSIVE FOR SELECT TO "signalbox_owner" USING (true);--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."alert_watches" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."alert_watches"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."alert_watches"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
CREATE POLICY "look_up_by_owner" ON "signalbox"."alert_watches" AS PERMISSIVE FOR SELECT TO "signalbox_owner" USING (true);--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."fired_alerts" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."fired_alerts"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."fired_alerts"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
CREATE POLICY "look_up_by_owner" ON "signalbox"."fired_alerts" AS PERMISSIVE FOR SELECT TO "signalbox_owner" USING (true);--> statement-breakpoint
ALTER TABLE "signalbox"."alert_watches" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."fired_alerts" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id"), UPDATE ("looked_at") ON "signalbox"."alert_watches" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, DELETE, INSERT ("tenant_id", "alert", "subject", "pack_id", "detail") ON "signalbox"."fired_alerts" TO "signalbox_app";--> statement-breakpoint
-- Tenants at whom nobody looked for so long and of whom something may hold, or did when it was last looked at: their names. Whether
-- it holds is judged in the tenant's own transaction. Whoever answered late had an open question for long, and was looked at then.
CREATE FUNCTION "signalbox"."due_alert_watches"("every_ms" integer, "healthy" integer, "total" integer)
  RETURNS TABLE ("tenant_id" text)
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT concerned.tenant_id FROM (
    SELECT fired.tenant_id FROM signalbox.fired_alerts AS fired
    UNION
    SELECT waiting.tenant_id FROM signalbox.escalations AS waiting WHERE waiting.closed_at IS NULL
    UNION
    SELECT watched.tenant_id FROM signalbox.alert_watches AS watched WHERE EXISTS (
      SELECT FROM signalbox.escalations AS answered
      WHERE answered.tenant_id = watched.tenant_id AND answered.closed_at > now() - interval '1 day')
    UNION
    SELECT own.tenant_id FROM signalbox.instances AS own
    WHERE NOT own.draining
      AND (own.lease_expires_at <= now() OR own.quarantined_at IS NOT NULL OR own.health <> healthy)
    UNION
    SELECT breaker.tenant_id FROM signalbox.breakers AS breaker WHERE breaker.state->>'kind' = 'open'
  ) AS concerned
  LEFT JOIN signalbox.alert_watches AS watch ON watch.tenant_id = concerned.tenant_id
  WHERE watch.looked_at IS NULL OR watch.looked_at <= now() - make_interval(secs => every_ms / 1000.0)
  ORDER BY watch.looked_at NULLS FIRST, concerned.tenant_id LIMIT total;
END;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."due_alert_watches"(integer, integer, integer) TO "signalbox_app";--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0035_alerts_on_record', 'compatible');
