-- What is said of the record while a month goes is waited for, and what comes later waits: a hold that had been placed and not
-- yet committed when the procedure looked stopped nothing.
CREATE OR REPLACE FUNCTION "signalbox"."remove_audit_month"("month" date) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  partition_name text := format('audit_entries_%s', to_char(month, 'YYYY_MM'));
  named text := to_char(month, 'YYYY-MM');
  silent text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('signalbox.remove_audit_month', 0));
  PERFORM set_config('lock_timeout', '2s', true);
  LOCK TABLE signalbox.audit_holds, signalbox.audit_retention IN SHARE MODE;
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
  EXECUTE format('DROP TABLE signalbox.%I', partition_name);
END $$;--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0029_holds_before_removal', 'compatible');
