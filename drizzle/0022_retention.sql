CREATE TABLE "signalbox"."audit_holds" (
	"tenant_id" text NOT NULL,
	"hold_id" uuid DEFAULT uuidv7() NOT NULL,
	"reason" text NOT NULL,
	"placed_by" text NOT NULL,
	"placed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"released_by" text,
	"release_reason" text,
	"released_at" timestamp (3) with time zone,
	CONSTRAINT "audit_holds_tenant_id_hold_id_pk" PRIMARY KEY("tenant_id","hold_id"),
	CONSTRAINT "audit_holds_release_is_whole" CHECK (("signalbox"."audit_holds"."released_by" is null) = ("signalbox"."audit_holds"."released_at" is null) and ("signalbox"."audit_holds"."released_by" is null) = ("signalbox"."audit_holds"."release_reason" is null))
);
--> statement-breakpoint
ALTER TABLE "signalbox"."audit_holds" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."audit_retention" (
	"tenant_id" text NOT NULL,
	"keep_months" integer,
	"earlier_months" integer,
	"takes_effect_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"changed_by" text NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "audit_retention_tenant_id_pk" PRIMARY KEY("tenant_id"),
	CONSTRAINT "audit_retention_keeps_a_year" CHECK ("signalbox"."audit_retention"."keep_months" between 12 and 1200)
);
--> statement-breakpoint
ALTER TABLE "signalbox"."audit_retention" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."audit_holds" ADD CONSTRAINT "audit_holds_tenant_id_tenants_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "signalbox"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signalbox"."audit_retention" ADD CONSTRAINT "audit_retention_tenant_id_tenants_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "signalbox"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_holds_open" ON "signalbox"."audit_holds" USING btree ("tenant_id") WHERE "signalbox"."audit_holds"."released_by" is null;--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."audit_holds" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."audit_holds"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), '')) WITH CHECK ("signalbox"."audit_holds"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), ''));--> statement-breakpoint
CREATE POLICY "look_up_by_owner" ON "signalbox"."audit_holds" AS PERMISSIVE FOR SELECT TO "signalbox_owner" USING (true);--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."audit_retention" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."audit_retention"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), '')) WITH CHECK ("signalbox"."audit_retention"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), ''));--> statement-breakpoint
CREATE POLICY "look_up_by_owner" ON "signalbox"."audit_retention" AS PERMISSIVE FOR SELECT TO "signalbox_owner" USING (true);--> statement-breakpoint
ALTER TABLE "signalbox"."audit_holds" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."audit_retention" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "reason", "placed_by"), UPDATE ("released_by", "release_reason")
  ON "signalbox"."audit_holds" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "keep_months", "changed_by"), UPDATE ("keep_months", "changed_by")
  ON "signalbox"."audit_retention" TO "signalbox_app";--> statement-breakpoint
-- A hold is released once, when the database says it is; before and after, its row stays as it was.
CREATE FUNCTION "signalbox"."release_hold_once"() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF OLD.released_by IS NOT NULL THEN
    RAISE EXCEPTION 'hold % is released already', OLD.hold_id USING ERRCODE = 'restrict_violation';
  END IF;
  NEW.released_at := now();
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "audit_holds_release_once" BEFORE UPDATE ON "signalbox"."audit_holds"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."release_hold_once"();--> statement-breakpoint
CREATE TRIGGER "audit_holds_keep_rows" BEFORE DELETE ON "signalbox"."audit_holds"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "audit_holds_keep_all" BEFORE TRUNCATE ON "signalbox"."audit_holds"
  FOR EACH STATEMENT EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
-- A time that keeps less than what is in force takes effect in a week; until then whoever objects places a hold. What is
-- in force meanwhile is what was in force when it was said, however often it is said.
CREATE FUNCTION "signalbox"."time_audit_retention"() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  in_force integer;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    in_force := CASE WHEN now() < OLD.takes_effect_at THEN OLD.earlier_months ELSE OLD.keep_months END;
  END IF;
  NEW.earlier_months := in_force;
  NEW.takes_effect_at := now() + CASE
    WHEN NEW.keep_months < COALESCE(in_force, 2147483647) THEN interval '7 days' ELSE interval '0' END;
  NEW.changed_at := now();
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "audit_retention_takes_its_time" BEFORE INSERT OR UPDATE ON "signalbox"."audit_retention"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."time_audit_retention"();--> statement-breakpoint
CREATE TRIGGER "audit_retention_keep_rows" BEFORE DELETE ON "signalbox"."audit_retention"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "audit_retention_keep_all" BEFORE TRUNCATE ON "signalbox"."audit_retention"
  FOR EACH STATEMENT EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
-- Who has an entry in a month, each found by one step through the key, and whether they let it go: nothing holds their
-- record, and their time after the month's end is over. It sees all of them only as the owner, whom the two below run as.
CREATE FUNCTION "signalbox"."tenants_of_audit_month"("month" date) RETURNS TABLE ("tenant_id" text, "goes" boolean)
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  WITH RECURSIVE span AS (
    SELECT month::timestamp AT TIME ZONE 'UTC' AS since, (month + interval '1 month') AT TIME ZONE 'UTC' AS before
  ), met AS (
    (SELECT entry.tenant_id FROM signalbox.audit_entries AS entry
     WHERE entry.recorded_at >= (SELECT since FROM span) AND entry.recorded_at < (SELECT before FROM span)
     ORDER BY entry.tenant_id LIMIT 1)
    UNION ALL
    SELECT (SELECT entry.tenant_id FROM signalbox.audit_entries AS entry
            WHERE entry.tenant_id > met.tenant_id
              AND entry.recorded_at >= (SELECT since FROM span) AND entry.recorded_at < (SELECT before FROM span)
            ORDER BY entry.tenant_id LIMIT 1)
    FROM met WHERE met.tenant_id IS NOT NULL
  )
  SELECT met.tenant_id,
    NOT EXISTS (SELECT FROM signalbox.audit_holds AS hold
                WHERE hold.tenant_id = met.tenant_id AND hold.released_by IS NULL)
    AND EXISTS (SELECT FROM signalbox.audit_retention AS own
                WHERE own.tenant_id = met.tenant_id
                  AND (month + interval '1 month' + make_interval(months =>
                        CASE WHEN now() < own.takes_effect_at THEN own.earlier_months ELSE own.keep_months END))
                      AT TIME ZONE 'UTC' <= now())
  FROM met WHERE met.tenant_id IS NOT NULL
$$;--> statement-breakpoint
-- The months that may go, the oldest first: a year after their end at the earliest, and once all who are in them let them go.
CREATE FUNCTION "signalbox"."removable_audit_months"() RETURNS TABLE ("month" date, "tenant_ids" text[])
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT own.month, array_agg(of_month.tenant_id)
  FROM (
    SELECT to_date(right(class.relname, 7), 'YYYY_MM') AS month
    FROM pg_inherits AS inherits JOIN pg_class AS class ON class.oid = inherits.inhrelid
    WHERE inherits.inhparent = 'signalbox.audit_entries'::regclass AND class.relname ~ '^audit_entries_\d{4}_\d{2}$'
  ) AS own
  CROSS JOIN LATERAL signalbox.tenants_of_audit_month(own.month) AS of_month
  WHERE (own.month + interval '13 months') AT TIME ZONE 'UTC' <= now()
  GROUP BY own.month
  HAVING bool_and(of_month.goes)
  ORDER BY own.month
$$;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."removable_audit_months"() TO "signalbox_app";--> statement-breakpoint
-- The one way in which entries leave the record: a whole month, once it may go, and only in a transaction that says so on the
-- record of each tenant who was in it (RETENTION_APPLIED). Whoever is writing is waited for two seconds; it can be tried again.
CREATE FUNCTION "signalbox"."remove_audit_month"("month" date) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  partition_name text := format('audit_entries_%s', to_char(month, 'YYYY_MM'));
  named text := to_char(month, 'YYYY-MM');
  silent text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('signalbox.remove_audit_month', 0));
  IF month IS NULL OR to_regclass(format('signalbox.%I', partition_name)) IS NULL THEN
    RAISE EXCEPTION 'the record has no month %', named USING ERRCODE = 'no_data_found';
  END IF;
  IF NOT EXISTS (SELECT FROM signalbox.removable_audit_months() AS gone WHERE gone.month = remove_audit_month.month) THEN
    RAISE EXCEPTION 'the month % is kept', named USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  SELECT of_month.tenant_id INTO silent
  FROM signalbox.tenants_of_audit_month(month) AS of_month
  WHERE NOT EXISTS (
    SELECT FROM signalbox.audit_entries AS entry
    WHERE entry.tenant_id = of_month.tenant_id AND entry.event_type = 161 AND entry.recorded_at >= now()
      AND entry.transaction = pg_current_xact_id() AND entry.payload LIKE '%' || named || '%')
  LIMIT 1;
  IF silent IS NOT NULL THEN
    RAISE EXCEPTION 'that the month % goes is not on the record of tenant %', named, silent
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  PERFORM set_config('lock_timeout', '2s', true);
  EXECUTE format('DROP TABLE signalbox.%I', partition_name);
END $$;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."remove_audit_month"(date) TO "signalbox_app";--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0022_retention', 'compatible');
