-- tenant_id beside words in one GIN: a word's entries of one tenant are found without reading another's. The extension is
-- contrib's and trusted, so that the owner may create it.
CREATE SCHEMA IF NOT EXISTS "signalbox_extensions";--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS "btree_gin" WITH SCHEMA "signalbox_extensions";--> statement-breakpoint
CREATE INDEX "audit_entries_by_event_type" ON "signalbox"."audit_entries" USING btree ("tenant_id","event_type","recorded_at","audit_id");--> statement-breakpoint
CREATE INDEX "audit_entries_by_actor" ON "signalbox"."audit_entries" USING btree ("tenant_id","actor_id","recorded_at","audit_id") WHERE "signalbox"."audit_entries"."actor_id" <> 'orchestrator';--> statement-breakpoint
CREATE INDEX "audit_entries_by_words" ON "signalbox"."audit_entries" USING gin ("tenant_id",to_tsvector('simple'::regconfig, regexp_replace(left(
  split_part(split_part(split_part(split_part("payload", '"action":', 2), ',"snapshot":', 1), ',"changes":', 1), ',"pipelineRevision":', 1),
  4096), '\\.|"rationale":', ' ', 'g'))) WHERE "signalbox"."audit_entries"."event_type" not in (10, 11, 20, 21, 30);--> statement-breakpoint
CREATE INDEX "audit_entries_with_words" ON "signalbox"."audit_entries" USING btree ("tenant_id","recorded_at","audit_id") WHERE "signalbox"."audit_entries"."event_type" not in (10, 11, 20, 21, 30);--> statement-breakpoint
CREATE POLICY "look_up_by_owner" ON "signalbox"."audit_entries" AS PERMISSIVE FOR SELECT TO "signalbox_owner" USING (true);--> statement-breakpoint
-- `@@` is not leakproof: under row security the planner keeps it from every index and reads the tenant's whole record. This
-- function reads as the owner instead, and so binds itself: the tenant comes from the setting and from nowhere else. A
-- batch's list of tenants is no tenant's name and finds nothing. EXECUTE plans each search anew.
--
-- Nor does the planner look at how common a word is where a table has any policy. So a search without another filter looks
-- first at the newest entries that have words, and at eight times as many where those promise a page; only what is rarer
-- goes to the index, which gives every entry of a word, whatever the page takes.
--
-- Routine entries have no words in the index: where a pipeline is named its own are read through, and where a type is named
-- the caller has made sure that it is none of theirs.
CREATE FUNCTION "signalbox"."search_audit"(
  "words" text, "of_type" integer, "of_pack" text, "of_pipeline" text, "of_trace" text, "by_actor" text,
  "since" timestamptz, "before" timestamptz, "after_moment" timestamptz, "after_id" uuid, "most" integer
) RETURNS SETOF "signalbox"."audit_entries"
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  tenant text := NULLIF(current_setting('signalbox.tenant_id', true), '');
  wanted tsquery := websearch_to_tsquery('simple'::regconfig, words);
  recent integer := 2 * most;
  met integer;
BEGIN
  IF words IS NULL OR length(words) > 200 OR most IS NULL OR most NOT BETWEEN 1 AND 1001 THEN
    RAISE EXCEPTION 'words of at most 200 characters and a limit of 1 to 1001 are allowed'
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF COALESCE(of_type::text, of_pack, of_pipeline, of_trace, by_actor) IS NULL THEN
    FOR attempt IN 1..2 LOOP
      EXECUTE $recent$
        SELECT count(*) FROM (
          SELECT entry.payload FROM signalbox.audit_entries AS entry
          WHERE entry.tenant_id = $1 AND entry.event_type NOT IN (10, 11, 20, 21, 30)
            AND ($2 IS NULL OR entry.recorded_at >= $2)
            AND ($3 IS NULL OR entry.recorded_at < $3)
            AND ($4 IS NULL OR (entry.recorded_at, entry.audit_id) < ($4, $5))
          ORDER BY entry.recorded_at DESC, entry.audit_id DESC
          LIMIT $6
        ) AS entry
        WHERE to_tsvector('simple'::regconfig, regexp_replace(left(
  split_part(split_part(split_part(split_part(entry.payload, '"action":', 2), ',"snapshot":', 1), ',"changes":', 1), ',"pipelineRevision":', 1),
  4096), '\\.|"rationale":', ' ', 'g')) @@ $7 $recent$
      INTO met USING tenant, since, before, after_moment, after_id, recent, wanted;
      IF met >= most THEN
        RETURN QUERY EXECUTE $recent$
          SELECT entry.* FROM (
            SELECT entry.* FROM signalbox.audit_entries AS entry
            WHERE entry.tenant_id = $1 AND entry.event_type NOT IN (10, 11, 20, 21, 30)
              AND ($2 IS NULL OR entry.recorded_at >= $2)
              AND ($3 IS NULL OR entry.recorded_at < $3)
              AND ($4 IS NULL OR (entry.recorded_at, entry.audit_id) < ($4, $5))
            ORDER BY entry.recorded_at DESC, entry.audit_id DESC
            LIMIT $6
          ) AS entry
          WHERE to_tsvector('simple'::regconfig, regexp_replace(left(
  split_part(split_part(split_part(split_part(entry.payload, '"action":', 2), ',"snapshot":', 1), ',"changes":', 1), ',"pipelineRevision":', 1),
  4096), '\\.|"rationale":', ' ', 'g')) @@ $7
          ORDER BY entry.recorded_at DESC, entry.audit_id DESC
          LIMIT $8 $recent$
        USING tenant, since, before, after_moment, after_id, recent, wanted, most;
        RETURN;
      END IF;
      EXIT WHEN met * 8 < most;
      recent := recent * 8;
    END LOOP;
  END IF;
  RETURN QUERY EXECUTE $search$
    SELECT entry.* FROM signalbox.audit_entries AS entry
    WHERE entry.tenant_id = $1
      AND to_tsvector('simple'::regconfig, regexp_replace(left(
  split_part(split_part(split_part(split_part(entry.payload, '"action":', 2), ',"snapshot":', 1), ',"changes":', 1), ',"pipelineRevision":', 1),
  4096), '\\.|"rationale":', ' ', 'g')) @@ $2
      AND ($3 IS NOT NULL OR $5 IS NOT NULL OR entry.event_type NOT IN (10, 11, 20, 21, 30))
      AND ($3 IS NULL OR entry.event_type = $3)
      AND ($4 IS NULL OR entry.pack_id = $4)
      AND ($5 IS NULL OR entry.pipeline_id = $5)
      AND ($6 IS NULL OR entry.trace_id = $6)
      AND ($7 IS NULL OR entry.actor_id = $7)
      AND ($8 IS NULL OR entry.recorded_at >= $8)
      AND ($9 IS NULL OR entry.recorded_at < $9)
      AND ($10 IS NULL OR (entry.recorded_at, entry.audit_id) < ($10, $11))
    ORDER BY entry.recorded_at DESC, entry.audit_id DESC
    LIMIT $12 $search$
  USING tenant, wanted, of_type, of_pack, of_pipeline, of_trace, by_actor, since, before, after_moment, after_id, most;
END $$;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."search_audit"(text, integer, text, text, text, text, timestamptz, timestamptz, timestamptz, uuid, integer) TO "signalbox_app";--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0015_audit_search', 'compatible');
