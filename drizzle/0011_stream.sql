CREATE TABLE "signalbox"."feed_horizons" (
	"tenant_id" text NOT NULL,
	"transaction" "xid8" NOT NULL,
	"ordinal" integer NOT NULL,
	CONSTRAINT "feed_horizons_tenant_id_pk" PRIMARY KEY("tenant_id")
);
--> statement-breakpoint
ALTER TABLE "signalbox"."feed_horizons" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."instances" ADD COLUMN "told_lost" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "events_seldom" ON "signalbox"."events" USING btree ("tenant_id","transaction","ordinal") WHERE kind not like 'pipeline.%' and kind not like 'turn.%' and kind not like 'trace.%';--> statement-breakpoint
CREATE POLICY "look_up_by_owner" ON "signalbox"."events" AS PERMISSIVE FOR SELECT TO "signalbox_owner" USING (true);--> statement-breakpoint
CREATE POLICY "look_up_by_owner" ON "signalbox"."instances" AS PERMISSIVE FOR SELECT TO "signalbox_owner" USING (true);--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."feed_horizons" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."feed_horizons"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."feed_horizons"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
ALTER TABLE "signalbox"."feed_horizons" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "transaction", "ordinal"), UPDATE ("transaction", "ordinal")
  ON "signalbox"."feed_horizons" TO "signalbox_app";--> statement-breakpoint
GRANT UPDATE ("told_lost") ON "signalbox"."instances" TO "signalbox_app";--> statement-breakpoint

-- The feed is what readers are told, and no record: that is the audit log's. An event may be forgotten once every reader
-- that still wants it has had a day to fetch it; it is never changed.
GRANT DELETE ON "signalbox"."events" TO "signalbox_app";--> statement-breakpoint
CREATE FUNCTION "signalbox"."keep_recent_events"() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF OLD.recorded_at >= now() - interval '1 day' THEN
    RAISE EXCEPTION 'signalbox.events: an event of % cannot be forgotten yet', OLD.recorded_at
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;--> statement-breakpoint
DROP TRIGGER "events_keep_rows" ON "signalbox"."events";--> statement-breakpoint
CREATE TRIGGER "events_keep_rows" BEFORE UPDATE ON "signalbox"."events"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "events_keep_recent" BEFORE DELETE ON "signalbox"."events"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."keep_recent_events"();--> statement-breakpoint

-- Tenants whose oldest event is older than that: their names, and nothing of what the event says. It walks from tenant to
-- tenant along the key and looks at one event of each.
CREATE FUNCTION "signalbox"."due_feeds"("kept_hours" integer, "total" integer)
  RETURNS TABLE ("tenant_id" text)
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  WITH RECURSIVE tenants AS (
    (SELECT first.tenant_id FROM signalbox.events AS first ORDER BY first.tenant_id LIMIT 1)
    UNION ALL
    SELECT (SELECT later.tenant_id FROM signalbox.events AS later
            WHERE later.tenant_id > tenants.tenant_id ORDER BY later.tenant_id LIMIT 1)
    FROM tenants WHERE tenants.tenant_id IS NOT NULL
  )
  SELECT tenants.tenant_id FROM tenants
  WHERE tenants.tenant_id IS NOT NULL AND (
    SELECT oldest.recorded_at FROM signalbox.events AS oldest WHERE oldest.tenant_id = tenants.tenant_id
    ORDER BY oldest.transaction, oldest.ordinal LIMIT 1
  ) < now() - make_interval(hours => kept_hours)
  LIMIT total;
END;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."due_feeds"(integer, integer) TO "signalbox_app";--> statement-breakpoint

-- Instances whose lease ended, of which no reader was told yet: names. Instances are as many as there are processes, and
-- an index by lease would be written with every heartbeat, so that all of them are looked at.
CREATE FUNCTION "signalbox"."lost_instances"("total" integer)
  RETURNS TABLE ("tenant_id" text, "pack_id" text, "instance_id" text)
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT own.tenant_id, own.pack_id, own.instance_id FROM signalbox.instances AS own
  WHERE NOT own.told_lost AND own.lease_expires_at <= now()
  LIMIT total;
END;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."lost_instances"(integer) TO "signalbox_app";--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0011_stream', 'compatible');
