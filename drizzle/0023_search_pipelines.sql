-- As 0021 made it, but for two things that grew with the tenant's history. With a limit the planner walked along the moments of
-- creation for a rare word, through all there were: it knows nothing of how common a word is where a table has any policy. So
-- what the index finds is gathered first. And a word of every tenth pipeline was met by the index alone, which gives them all:
-- where the newest promise a page, eight times as many are walked.
CREATE OR REPLACE FUNCTION "signalbox"."search_pipelines"(
  "words" text, "of_status" integer, "asked" text, "since" timestamptz, "before" timestamptz,
  "after_moment" timestamptz, "after_id" text, "most" integer
) RETURNS SETOF text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  tenant text := NULLIF(current_setting('signalbox.tenant_id', true), '');
  wanted tsquery;
  recent integer := 4 * most;
  met text[];
BEGIN
  IF words IS NULL OR length(words) > 200 OR most IS NULL OR most NOT BETWEEN 1 AND 1001 THEN
    RAISE EXCEPTION 'words of at most 200 characters and a limit of 1 to 1001 are allowed'
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  wanted := signalbox.pipeline_query(words);
  FOR attempt IN 1..2 LOOP
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
          LIMIT $10
        ) AS own
        WHERE array_to_tsvector(array_append(array_remove(string_to_array(translate(lower(left(coalesce(own.task_title, ''), 500) || ' ' || left(coalesce(own.source_task_id, ''), 500) || ' ' || left(own.name, 500) || ' ' || left(own.template_id, 500)), '!"#$%&''()*+,-./:<=>?@[\]^_{|}~' || chr(59) || chr(96), repeat(' ', 32)), ' '), ''), left(own.pipeline_id, 500))) @@ $2
        ORDER BY own.created_at DESC, own.pipeline_id DESC
        LIMIT $9
      ) AS found $newest$
    INTO met USING tenant, wanted, of_status, asked, since, before, after_moment, after_id, most, recent;
    IF cardinality(met) >= most THEN
      RETURN QUERY SELECT unnest(met);
      RETURN;
    END IF;
    EXIT WHEN COALESCE(cardinality(met), 0) * 8 < most;
    recent := recent * 8;
  END LOOP;
  RETURN QUERY EXECUTE $search$
    WITH said AS MATERIALIZED (
      SELECT own.created_at, own.pipeline_id FROM signalbox.pipelines AS own
      WHERE own.tenant_id = $1
      AND ($3 IS NULL OR own.status = $3)
      AND ($4 IS NULL OR EXISTS (
        SELECT 1 FROM signalbox.escalations AS question
        WHERE question.tenant_id = $1 AND question.pipeline_id = own.pipeline_id AND ($4 = 'any' OR question.closed_at IS NULL)))
      AND ($5 IS NULL OR own.created_at >= $5)
      AND ($6 IS NULL OR own.created_at < $6)
      AND ($7 IS NULL OR (own.created_at, own.pipeline_id) < ($7, $8))
        AND array_to_tsvector(array_append(array_remove(string_to_array(translate(lower(left(coalesce(own.task_title, ''), 500) || ' ' || left(coalesce(own.source_task_id, ''), 500) || ' ' || left(own.name, 500) || ' ' || left(own.template_id, 500)), '!"#$%&''()*+,-./:<=>?@[\]^_{|}~' || chr(59) || chr(96), repeat(' ', 32)), ' '), ''), left(own.pipeline_id, 500))) @@ $2
    )
    SELECT said.pipeline_id FROM said
    ORDER BY said.created_at DESC, said.pipeline_id DESC
    LIMIT $9 $search$
  USING tenant, wanted, of_status, asked, since, before, after_moment, after_id, most;
END $$;--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0023_search_pipelines', 'compatible');
