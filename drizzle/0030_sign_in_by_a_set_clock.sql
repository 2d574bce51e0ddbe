-- A window ends no later than one that begins now: a clock that was ahead, and was set back, kept whoever had tried too often out
-- for as long as it had been ahead.
CREATE OR REPLACE FUNCTION "signalbox"."count_sign_in_attempt"("buckets" json) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  wait integer := 0;
  given record;
  found record;
BEGIN
  -- One that counts at this moment holds its row, and is passed over.
  DELETE FROM signalbox.sign_in_attempts AS gone WHERE gone.bucket IN (
    SELECT ended.bucket FROM signalbox.sign_in_attempts AS ended
    WHERE ended.ends_at < now() - interval '1 hour' LIMIT 100 FOR UPDATE SKIP LOCKED
  );
  -- In one order, or two attempts would wait for each other.
  FOR given IN
    SELECT decode(own.bucket, 'hex') AS bucket, own.most, own.seconds
    FROM json_to_recordset(buckets) AS own (bucket text, most integer, seconds integer) ORDER BY 1
  LOOP
    INSERT INTO signalbox.sign_in_attempts AS known (bucket, attempts, ends_at)
    VALUES (given.bucket, 1, clock_timestamp() + make_interval(secs => given.seconds))
    ON CONFLICT (bucket) DO UPDATE SET
      attempts = CASE WHEN known.ends_at <= clock_timestamp() THEN 1 ELSE known.attempts + 1 END,
      ends_at = CASE WHEN known.ends_at <= clock_timestamp() THEN excluded.ends_at ELSE least(known.ends_at, excluded.ends_at) END
    RETURNING known.attempts, known.ends_at INTO found;
    IF found.attempts > given.most THEN
      -- Between two readings of it a clock may go back a little.
      wait := greatest(wait, least(ceil(extract(epoch FROM found.ends_at - clock_timestamp()))::integer, given.seconds), 1);
    END IF;
  END LOOP;
  RETURN wait;
END $$;--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0030_sign_in_by_a_set_clock', 'compatible');
