ALTER TABLE "signalbox"."instances" ADD COLUMN "quarantined_by_results" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "signalbox"."instances" ADD COLUMN "probation_since" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "instances_quarantined_by_results" ON "signalbox"."instances" USING btree ("tenant_id","quarantined_at") WHERE "signalbox"."instances"."quarantined_at" is not null and "signalbox"."instances"."quarantined_by_results";--> statement-breakpoint
GRANT UPDATE ("quarantined_by_results", "probation_since") ON "signalbox"."instances" TO "signalbox_app";--> statement-breakpoint
-- Tenants with instances that a policy's probation may let work again: ids, a page at a time.
CREATE FUNCTION "signalbox"."tenants_with_quarantine"("after" text, "total" integer)
  RETURNS TABLE ("tenant_id" text)
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT DISTINCT own.tenant_id FROM signalbox.instances AS own
  WHERE own.quarantined_at IS NOT NULL AND own.quarantined_by_results AND own.tenant_id > after
  ORDER BY own.tenant_id LIMIT total;
END;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."tenants_with_quarantine"(text, integer) TO "signalbox_app";--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0033_probation', 'compatible');
