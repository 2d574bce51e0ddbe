ALTER TABLE "signalbox"."pipelines" ADD COLUMN "task_title" text;--> statement-breakpoint
CREATE INDEX "pipelines_by_words" ON "signalbox"."pipelines" USING gin ("tenant_id",array_to_tsvector(array_append(array_remove(string_to_array(translate(lower(left(coalesce("task_title", ''), 500) || ' ' || left(coalesce("source_task_id", ''), 500) || ' ' || left("name", 500) || ' ' || left("template_id", 500)), '!"#$%&''()*+,-./:<=>?@[\]^_{|}~' || chr(59) || chr(96), repeat(' ', 32)), ' '), ''), left("pipeline_id", 500))));--> statement-breakpoint
CREATE POLICY "look_up_by_owner" ON "signalbox"."escalations" AS PERMISSIVE FOR SELECT TO "signalbox_owner" USING (true);--> statement-breakpoint
GRANT INSERT ("task_title") ON "signalbox"."pipelines" TO "signalbox_app";--> statement-breakpoint

-- What somebody looks for: each word begins one of the pipeline's, or the whole begins its id. Taken apart as
-- pipelines_by_words takes a pipeline's own words apart. NULL where there is nothing to look for.
CREATE FUNCTION "signalbox"."pipeline_query"("wanted" text) RETURNS tsquery
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT NULLIF(concat_ws(' | ',
    (SELECT '(' || string_agg('''' || word || ''':*', ' & ') || ')' FROM unnest(array_remove(string_to_array(translate(lower(wanted),
      '!"#$%&''()*+,-./:<=>?@[\]^_{|}~' || chr(59) || chr(96), repeat(' ', 32)), ' '), '')) AS word),
    '''' || NULLIF(translate(lower(btrim(wanted)), '''\', ''), '') || ''':*'), '')::tsquery;
END;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."pipeline_query"(text) TO "signalbox_app";--> statement-breakpoint

-- As signalbox.search_audit (0015): `@@` is not leakproof, so that under row security no index would be used for it. This
-- function reads as the owner instead, and so binds itself: the tenant comes from the setting and from nowhere else. Words
-- that stand in many pipelines are met by walking the newest, and only what is rarer goes to the index. "asked": only those
-- about which somebody was ever asked ('any'), or is now ('open').
CREATE FUNCTION "signalbox"."search_pipelines"(
  "words" text, "of_status" integer, "asked" text, "since" timestamptz, "before" timestamptz,
  "after_moment" timestamptz, "after_id" text, "most" integer
) RETURNS SETOF text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  tenant text := NULLIF(current_setting('signalbox.tenant_id', true), '');
  wanted tsquery;
  met text[];
BEGIN
  IF words IS NULL OR length(words) > 200 OR most IS NULL OR most NOT BETWEEN 1 AND 1001 THEN
    RAISE EXCEPTION 'words of at most 200 characters and a limit of 1 to 1001 are allowed'
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  wanted := signalbox.pipeline_query(words);
  EXECUTE $newest$
    SELECT array_agg(found.pipeline_id) FROM (
      SELECT own.pipeline_id FROM (
        SELECT own.* FROM signalbox.pipelines AS own
        WHERE own.tenant_id = $1
      AND ($3 IS NULL OR own.status = $3)
      AND ($4 IS NULL OR EXISTS (
        SELECT 1 FROM signalbox.escalations AS question
        WHERE question.tenant_id = $1 AND question.pipeline_id = own.pipeline_id AND ($4 = 'any' OR question.closed_at IS NULL)))
      AND ($5 IS NULL OR own.created_at >= $5)
      AND ($6 IS NULL OR own.created_at < $6)
      AND ($7 IS NULL OR (own.created_at, own.pipeline_id) < ($7, $8))
        ORDER BY own.created_at DESC, own.pipeline_id DESC
        LIMIT 4 * $9
      ) AS own
      WHERE array_to_tsvector(array_append(array_remove(string_to_array(translate(lower(left(coalesce(own.task_title, ''), 500) || ' ' || left(coalesce(own.source_task_id, ''), 500) || ' ' || left(own.name, 500) || ' ' || left(own.template_id, 500)), '!"#$%&''()*+,-./:<=>?@[\]^_{|}~' || chr(59) || chr(96), repeat(' ', 32)), ' '), ''), left(own.pipeline_id, 500))) @@ $2
      ORDER BY own.created_at DESC, own.pipeline_id DESC
      LIMIT $9
    ) AS found $newest$
  INTO met USING tenant, wanted, of_status, asked, since, before, after_moment, after_id, most;
  IF cardinality(met) >= most THEN
    RETURN QUERY SELECT unnest(met);
    RETURN;
  END IF;
  RETURN QUERY EXECUTE $search$
    SELECT own.pipeline_id FROM signalbox.pipelines AS own
    WHERE own.tenant_id = $1
      AND ($3 IS NULL OR own.status = $3)
      AND ($4 IS NULL OR EXISTS (
        SELECT 1 FROM signalbox.escalations AS question
        WHERE question.tenant_id = $1 AND question.pipeline_id = own.pipeline_id AND ($4 = 'any' OR question.closed_at IS NULL)))
      AND ($5 IS NULL OR own.created_at >= $5)
      AND ($6 IS NULL OR own.created_at < $6)
      AND ($7 IS NULL OR (own.created_at, own.pipeline_id) < ($7, $8))
      AND array_to_tsvector(array_append(array_remove(string_to_array(translate(lower(left(coalesce(own.task_title, ''), 500) || ' ' || left(coalesce(own.source_task_id, ''), 500) || ' ' || left(own.name, 500) || ' ' || left(own.template_id, 500)), '!"#$%&''()*+,-./:<=>?@[\]^_{|}~' || chr(59) || chr(96), repeat(' ', 32)), ' '), ''), left(own.pipeline_id, 500))) @@ $2
    ORDER BY own.created_at DESC, own.pipeline_id DESC
    LIMIT $9 $search$
  USING tenant, wanted, of_status, asked, since, before, after_moment, after_id, most;
END $$;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."search_pipelines"(text, integer, text, timestamptz, timestamptz, timestamptz, text, integer) TO "signalbox_app";--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0021_task_titles', 'compatible');
