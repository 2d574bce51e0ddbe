-- Makes the partition of the current month (UTC) and of as many that follow. A partition is built apart and then
-- attached: CREATE TABLE … PARTITION OF would lock every writer out of the parent, ATTACH does not.
CREATE FUNCTION "signalbox"."ensure_audit_partitions"("months_ahead" integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  first_month timestamp := date_trunc('month', now() AT TIME ZONE 'UTC');
  from_time timestamptz;
  to_time timestamptz;
  partition_name text;
  made integer := 0;
BEGIN
  IF months_ahead IS NULL OR months_ahead NOT BETWEEN 0 AND 24 THEN
    RAISE EXCEPTION 'months_ahead is %: allowed are 0 to 24', months_ahead USING ERRCODE = 'invalid_parameter_value';
  END IF;
  -- Two callers at once: the second waits here and then finds the partition made.
  PERFORM pg_advisory_xact_lock(hashtextextended('signalbox.ensure_audit_partitions', 0));
  FOR month_number IN 0..months_ahead LOOP
    from_time := (first_month + make_interval(months => month_number)) AT TIME ZONE 'UTC';
    to_time := (first_month + make_interval(months => month_number + 1)) AT TIME ZONE 'UTC';
    partition_name := format('audit_entries_%s', to_char(from_time AT TIME ZONE 'UTC', 'YYYY_MM'));
    CONTINUE WHEN to_regclass(format('signalbox.%I', partition_name)) IS NOT NULL;
    EXECUTE format('CREATE TABLE signalbox.%I (LIKE signalbox.audit_entries INCLUDING ALL)', partition_name);
    EXECUTE format('ALTER TABLE signalbox.%I ENABLE ROW LEVEL SECURITY', partition_name);
    EXECUTE format('ALTER TABLE signalbox.%I FORCE ROW LEVEL SECURITY', partition_name);
    EXECUTE format(
      'CREATE POLICY tenant_isolation ON signalbox.%I TO signalbox_app
         USING (tenant_id = NULLIF(current_setting(''signalbox.tenant_id'', true), ''''))
         WITH CHECK (tenant_id = NULLIF(current_setting(''signalbox.tenant_id'', true), ''''))',
      partition_name);
    EXECUTE format(
      'CREATE TRIGGER audit_entries_keep_all BEFORE TRUNCATE ON signalbox.%I
         FOR EACH STATEMENT EXECUTE FUNCTION signalbox.refuse_change()',
      partition_name);
    EXECUTE format(
      'ALTER TABLE signalbox.audit_entries ATTACH PARTITION signalbox.%I FOR VALUES FROM (%L) TO (%L)',
      partition_name, from_time, to_time);
    made := made + 1;
  END LOOP;
  RETURN made;
END $$;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."ensure_audit_partitions"(integer) TO "signalbox_app";--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0002_audit_partitions', 'breaking');
